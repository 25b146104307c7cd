#include "flow_routing.h"

#include <array>

#include "host/host.h"
#include "ns3/ipv4.h"

namespace sim::bench {

namespace {
constexpr uint32_t first_subnet = 0x0a000000; // 10.0.0.0
}

ns3::Ipv4Address link_address(uint32_t link, uint32_t end) {
    return ns3::Ipv4Address(first_subnet + 4 * link + 1 + end);
}

uint32_t host_of(ns3::Ipv4Address address) {
    return (address.Get() - first_subnet) / 4;
}

void FlowRouting::set_ways(std::vector<edge_multipath> to_leaf, std::vector<uint32_t> to_host) {
    to_leaf_ = std::move(to_leaf);
    to_host_ = std::move(to_host);
}

void FlowRouting::SetIpv4(ns3::Ptr<ns3::Ipv4> ipv4) {
    ipv4_ = ipv4;
}

void FlowRouting::DoDispose() {
    routes_.clear();
    ipv4_ = nullptr;
    Ipv4RoutingProtocol::DoDispose();
}

void FlowRouting::NotifyInterfaceUp(uint32_t interface) {
    if (routes_.size() <= interface)
        routes_.resize(interface + 1);
    auto route = ns3::Create<ns3::Ipv4Route>();
    route->SetOutputDevice(ipv4_->GetNetDevice(interface));
    route->SetGateway(
        ns3::Ipv4Address::GetAny()); // no gateway: the destination is at the other end
    route->SetSource(ipv4_->GetAddress(interface, 0).GetLocal());
    routes_[interface] = route;
}

ns3::Ptr<ns3::Ipv4Route> FlowRouting::RouteOutput(ns3::Ptr<ns3::Packet> /*packet*/,
                                                  const ns3::Ipv4Header & /*header*/,
                                                  ns3::Ptr<ns3::NetDevice> /*device*/,
                                                  ns3::Socket::SocketErrno &error) {
    error = ns3::Socket::ERROR_NOTERROR;
    return routes_[1];
}

uint32_t FlowRouting::interface_for(const ns3::Packet &packet,
                                    const ns3::Ipv4Header &header) const {
    uint32_t to = host_of(header.GetDestination());
    if (to_host_[to] != 0)
        return to_host_[to];
    const edge_multipath &table = to_leaf_[traffic_.leaf_of(to)];
    if (table.slots == 1)
        return table.port[0];
    std::array<uint8_t, 4> ports{};
    packet.CopyData(ports.data(), ports.size());
    uint32_t hash = flow_hash(host_of(header.GetSource()), to, edge_get16(ports.data()),
                              edge_get16(ports.data() + 2));
    return edge_multipath_port(&table, edge_mix(hash, 0));
}

bool FlowRouting::RouteInput(ns3::Ptr<const ns3::Packet> packet, const ns3::Ipv4Header &header,
                             ns3::Ptr<const ns3::NetDevice> device,
                             const UnicastForwardCallback &unicast,
                             const MulticastForwardCallback & /*multicast*/,
                             const LocalDeliverCallback &local, const ErrorCallback & /*error*/) {
    if (to_host_.empty())
        local(packet, header, ipv4_->GetInterfaceForDevice(device));
    else
        unicast(routes_[interface_for(*packet, header)], packet, header);
    return true;
}

} // namespace sim::bench
