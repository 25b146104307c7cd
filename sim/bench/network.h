/*
 * A network that carries the benchmark's flows: ours, or ns-3's own.
 */
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "ns3/ipv4-address.h"
#include "ns3/socket.h"
#include "traffic.h"

namespace sim::bench {

/* Sums over all links. */
struct Counts {
    uint64_t transmissions = 0; // frames that a link accepted
    uint64_t drops = 0;
    uint64_t marks = 0;
};

class Network {
  public:
    Network() = default;
    Network(const Network &) = delete;
    Network &operator=(const Network &) = delete;
    virtual ~Network() = default;

    virtual ns3::Ptr<ns3::Socket> make_socket(uint32_t host) = 0;
    virtual ns3::Ipv4Address address(uint32_t host) const = 0;
    virtual Counts counts() const = 0;
};

/* The simulator of ./evenweave sim, under ECMP. */
std::unique_ptr<Network> make_evenweave(const Traffic &traffic);

/*
 * ns-3's PointToPointNetDevice and the stack of its InternetStackHelper.
 *
 * The wire is as ours: a frame takes its IP packet, 38 bytes and the propagation, of which ns-3's
 * point-to-point header is 2 and the gap between frames the rest. A queue has the same room in
 * bytes; where marks are wanted, a RED queue disc marks above one threshold.
 *
 * global: routes are those of Ipv4GlobalRouting, one of equal ones drawn for each packet. Else
 * each flow keeps to the path that ours takes (FlowRouting).
 */
std::unique_ptr<Network> make_ns3(const Traffic &traffic, bool global);

} // namespace sim::bench
