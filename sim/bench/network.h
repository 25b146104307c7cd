/* A network that carries the benchmark's flows: this simulator's or ns-3's. */
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

/* Creates the simulator of ./evenweave sim with ECMP. */
std::unique_ptr<Network> make_evenweave(const Traffic &traffic);

/*
 * Creates ns-3's PointToPointNetDevice and the stack of its InternetStackHelper.
 *
 * The wire is the same as in this simulator: a frame takes the time of its IP packet, 38 bytes and
 * the propagation. Of the 38 bytes, ns-3's point-to-point header is 2, and the gap between frames
 * the rest. A queue has the same size in bytes; with marks, a RED queue disc marks above one
 * threshold.
 *
 * global: routes are those of Ipv4GlobalRouting, which draws one of equal routes for each packet.
 * Otherwise each flow takes the same path as in this simulator (FlowRouting).
 */
std::unique_ptr<Network> make_ns3(const Traffic &traffic, bool global);

} // namespace sim::bench
