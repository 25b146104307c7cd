/*
 * Per-flow ECMP for ns-3's IP stack, which lacks it: uses the same hash over the same slots as the
 * simulator's leaves (TableChoice), so that a flow takes the same path in both. A look-up is a few
 * array accesses; Ipv4GlobalRouting searches a list of all hosts.
 */
#pragma once

#include <vector>

#include "libedge.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-helper.h"
#include "ns3/ipv4-routing-protocol.h"
#include "traffic.h"

namespace sim::bench {

/* The address of a link's end. Each link is a subnet of 4 addresses; host n's link is subnet n,
 * with the host's address first. */
ns3::Ipv4Address link_address(uint32_t link, uint32_t end);
uint32_t host_of(ns3::Ipv4Address address);

class FlowRouting final : public ns3::Ipv4RoutingProtocol {
  public:
    explicit FlowRouting(const Traffic &traffic) : traffic_(traffic) {
    }

    /* Sets the slots by destination leaf and by host; a slot is an interface number. On a host's
     * node both are empty, and all packets leave by the first interface. */
    void set_ways(std::vector<edge_multipath> to_leaf, std::vector<uint32_t> to_host);

    ns3::Ptr<ns3::Ipv4Route> RouteOutput(ns3::Ptr<ns3::Packet> packet,
                                         const ns3::Ipv4Header &header,
                                         ns3::Ptr<ns3::NetDevice> device,
                                         ns3::Socket::SocketErrno &error) override;
    bool RouteInput(ns3::Ptr<const ns3::Packet> packet, const ns3::Ipv4Header &header,
                    ns3::Ptr<const ns3::NetDevice> device, const UnicastForwardCallback &unicast,
                    const MulticastForwardCallback &multicast, const LocalDeliverCallback &local,
                    const ErrorCallback &error) override;
    void NotifyInterfaceUp(uint32_t interface) override;
    void NotifyInterfaceDown(uint32_t /*interface*/) override {
    }
    void NotifyAddAddress(uint32_t /*interface*/, ns3::Ipv4InterfaceAddress /*address*/) override {
    }
    void NotifyRemoveAddress(uint32_t /*interface*/,
                             ns3::Ipv4InterfaceAddress /*address*/) override {
    }
    void SetIpv4(ns3::Ptr<ns3::Ipv4> ipv4) override;
    void PrintRoutingTable(ns3::Ptr<ns3::OutputStreamWrapper> /*stream*/,
                           ns3::Time::Unit /*unit*/) const override {
    }

  protected:
    void DoDispose() override;

  private:
    uint32_t interface_for(const ns3::Packet &packet, const ns3::Ipv4Header &header) const;

    const Traffic &traffic_;
    ns3::Ptr<ns3::Ipv4> ipv4_;
    std::vector<edge_multipath> to_leaf_;
    std::vector<uint32_t> to_host_;
    std::vector<ns3::Ptr<ns3::Ipv4Route>> routes_; // by interface
};

class FlowRoutingHelper final : public ns3::Ipv4RoutingHelper {
  public:
    explicit FlowRoutingHelper(const Traffic &traffic) : traffic_(traffic) {
    }
    FlowRoutingHelper *Copy() const override {
        return new FlowRoutingHelper(traffic_);
    }
    ns3::Ptr<ns3::Ipv4RoutingProtocol> Create(ns3::Ptr<ns3::Node> /*node*/) const override {
        return ns3::CreateObject<FlowRouting>(traffic_);
    }

  private:
    const Traffic &traffic_;
};

} // namespace sim::bench
