#include <numeric>

#include "fabric/port.h"
#include "flow_routing.h"
#include "network.h"
#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/node-container.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/queue-size.h"
#include "ns3/red-queue-disc.h"
#include "ns3/tcp-dctcp.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/traffic-control-helper.h"
#include "switch/choice.h"

namespace sim::bench {

namespace {

using ns3::UintegerValue, ns3::DoubleValue, ns3::BooleanValue, ns3::QueueSizeValue;

constexpr uint32_t ppp_bytes = 2;
constexpr uint32_t packet_bytes = 1500;

class Ns3 final : public Network {
  public:
    Ns3(const Traffic &traffic, bool global) : traffic_(traffic) {
        bool marks = traffic.fabric.mark_bytes != no_marks;
        if (marks)
            ns3::Config::SetDefault("ns3::TcpL4Protocol::SocketType",
                                    ns3::TypeIdValue(ns3::TcpDctcp::GetTypeId()));
        ns3::Config::SetDefault("ns3::Ipv4GlobalRouting::RandomEcmpRouting", BooleanValue(true));
        hosts_.Create(traffic.hosts());
        leaves_.Create(traffic.leaves);
        spines_.Create(traffic.spines);
        ns3::InternetStackHelper stack;
        stack.SetIpv6StackInstall(false);
        if (global)
            stack.SetRoutingHelper(ns3::Ipv4GlobalRoutingHelper());
        else
            stack.SetRoutingHelper(FlowRoutingHelper(traffic_));
        for (const auto &nodes : {hosts_, leaves_, spines_})
            stack.Install(nodes);
        set_wire(marks);
        set_discs(marks);
        add_links(marks);
        if (global)
            ns3::Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        else
            set_ways();
    }

    ns3::Ptr<ns3::Socket> make_socket(uint32_t host) override {
        return ns3::Socket::CreateSocket(hosts_.Get(host), ns3::TcpSocketFactory::GetTypeId());
    }

    ns3::Ipv4Address address(uint32_t host) const override {
        return link_address(host, 0);
    }

    Counts counts() const override {
        Counts sum;
        for (const auto &device : devices_) {
            sum.transmissions += device->GetQueue()->GetTotalReceivedPackets();
            sum.drops += device->GetQueue()->GetTotalDroppedPackets();
        }
        for (const auto &disc : discs_) {
            const ns3::QueueDisc::Stats &stats = disc->GetStats();
            sum.drops += stats.nTotalDroppedPackets;
            sum.marks += stats.nTotalMarkedPackets;
        }
        return sum;
    }

  private:
    /* With a queue disc, which holds waiting packets, the device holds one packet. */
    void set_wire(bool marks) {
        uint64_t gap_bytes = framing_bytes - ppp_bytes;
        ns3::Time gap = ns3::NanoSeconds(gap_bytes * 8'000'000'000 / traffic_.fabric.host_bps);
        wire_.SetDeviceAttribute("DataRate",
                                 ns3::DataRateValue(ns3::DataRate(traffic_.fabric.host_bps)));
        wire_.SetDeviceAttribute("InterframeGap", ns3::TimeValue(gap));
        /* In ns-3 a frame arrives before the gap after it, in this simulator after the gap. */
        wire_.SetChannelAttribute("Delay",
                                  ns3::TimeValue(ns3::NanoSeconds(traffic_.fabric.delay_ns) + gap));
        auto room = static_cast<uint32_t>(traffic_.fabric.buffer_bytes);
        ns3::QueueSize size = marks ? ns3::QueueSize(ns3::QueueSizeUnit::PACKETS, 1)
                                    : ns3::QueueSize(ns3::QueueSizeUnit::BYTES, room);
        wire_.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", QueueSizeValue(size));
        /* Signals room to the queue disc by an event for each packet, which is not needed without a
         * disc. */
        if (!marks)
            wire_.DisableFlowControl();
    }

    /* The threshold counts the same bytes as this simulator's ports: also the packet in the
     * device's queue and, on average, half of the one on the wire. */
    void set_discs(bool marks) {
        if (!marks)
            return;
        auto bytes = static_cast<double>(traffic_.fabric.mark_bytes) - 1.5 * packet_bytes;
        ns3::QueueSize room(ns3::QueueSizeUnit::BYTES,
                            static_cast<uint32_t>(traffic_.fabric.buffer_bytes));
        discs_made_.SetRootQueueDisc(
            "ns3::RedQueueDisc", "UseEcn", BooleanValue(true), "UseHardDrop", BooleanValue(false),
            "MeanPktSize", UintegerValue(packet_bytes), "QW", DoubleValue(1), "MinTh",
            DoubleValue(bytes), "MaxTh", DoubleValue(bytes), "MaxSize", QueueSizeValue(room));
    }

    /* Adds links in this order of a node's interfaces: for a leaf, to spines and then to hosts; for
     * a spine, to leaves. Subnets are those of hosts and then those between switches. */
    void add_links(bool marks) {
        uint32_t subnet = traffic_.hosts();
        for (uint32_t leaf = 0; leaf < traffic_.leaves; leaf++)
            for (uint32_t spine = 0; spine < traffic_.spines; spine++)
                add_link(leaves_.Get(leaf), spines_.Get(spine), subnet++, marks);
        for (uint32_t host = 0; host < traffic_.hosts(); host++)
            add_link(hosts_.Get(host), leaves_.Get(traffic_.leaf_of(host)), host, marks);
    }

    void add_link(ns3::Ptr<ns3::Node> a, ns3::Ptr<ns3::Node> b, uint32_t subnet, bool marks) {
        ns3::NetDeviceContainer ends = wire_.Install(a, b);
        for (uint32_t end = 0; end < ends.GetN(); end++) {
            ns3::Ptr<ns3::NetDevice> device = ends.Get(end);
            devices_.push_back(device->GetObject<ns3::PointToPointNetDevice>());
            auto ipv4 = device->GetNode()->GetObject<ns3::Ipv4>();
            uint32_t interface = ipv4->AddInterface(device);
            ipv4->AddAddress(interface, {link_address(subnet, end), ns3::Ipv4Mask("/30")});
            ipv4->SetMetric(interface, 1);
            ipv4->SetUp(interface);
            if (marks)
                discs_.push_back(discs_made_.Install(device).Get(0));
        }
    }

    void set_ways() {
        auto routing = [](ns3::Ptr<ns3::Node> node) {
            return ns3::DynamicCast<FlowRouting>(
                node->GetObject<ns3::Ipv4>()->GetRoutingProtocol());
        };
        for (uint32_t leaf = 0; leaf < traffic_.leaves; leaf++) {
            std::vector<uint32_t> uplinks(traffic_.spines);
            std::iota(uplinks.begin(), uplinks.end(), 1);
            std::vector<uint32_t> to_host(traffic_.hosts());
            for (uint32_t i = 0; i < traffic_.fabric.hosts_per_leaf; i++)
                to_host[leaf * traffic_.fabric.hosts_per_leaf + i] = traffic_.spines + 1 + i;
            routing(leaves_.Get(leaf))
                ->set_ways(equal_tables(Routes(traffic_.leaves, uplinks)), to_host);
        }
        Routes down(traffic_.leaves);
        for (uint32_t leaf = 0; leaf < traffic_.leaves; leaf++)
            down[leaf] = {leaf + 1};
        for (uint32_t spine = 0; spine < traffic_.spines; spine++)
            routing(spines_.Get(spine))
                ->set_ways(equal_tables(down), std::vector<uint32_t>(traffic_.hosts()));
    }

    Traffic traffic_;
    ns3::NodeContainer hosts_;
    ns3::NodeContainer leaves_;
    ns3::NodeContainer spines_;
    ns3::PointToPointHelper wire_;
    ns3::TrafficControlHelper discs_made_;
    std::vector<ns3::Ptr<ns3::PointToPointNetDevice>> devices_;
    std::vector<ns3::Ptr<ns3::QueueDisc>> discs_;
};

} // namespace

std::unique_ptr<Network> make_ns3(const Traffic &traffic, bool global) {
    return std::make_unique<Ns3>(traffic, global);
}

} // namespace sim::bench
