/*
 * ns-3's TCP without its IP stack: a node whose TcpL4Protocol passes segments to the host and
 * receives the host's. ns-3 requires an IPv4 layer and a route, so both exist as stubs.
 */
#pragma once

#include <cstdint>

#include "host/dctcp.h"
#include "host/subflow.h"
#include "ns3/callback.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-state.h"

namespace sim {

enum class Congestion { newreno, cubic, dctcp };

/* A case's settings of TCP, which has ECN and SACK. */
struct TcpSettings {
    Congestion congestion = Congestion::newreno;
    uint32_t segment_bytes;
    uint32_t initial_window; // segments
    uint64_t least_rto_ns;
    uint32_t buffer_bytes;       // of each socket, for sending and receiving
    uint32_t ack_every;          // segments
    uint32_t duplicate_acks = 3; // number that indicates a loss
    uint32_t subflows = 0;       // of each MPTCP connection; 0: TCP
};

/* How often TCP considered segments lost. */
struct TcpCounts {
    uint64_t recoveries = 0; // fast recovery, by duplicate ACKs
    uint64_t timeouts = 0;   // retransmission time-outs
};

/* Sets the defaults of all TCP sockets created later. */
void set_tcp_defaults(const TcpSettings &settings);

class TcpStack {
  public:
    /* Sends a segment with its TCP header between IP addresses. */
    using Send = ns3::Callback<void, ns3::Ptr<ns3::Packet>, ns3::Ipv4Address, ns3::Ipv4Address,
                               uint8_t, ns3::Ptr<ns3::Ipv4Route>>;

    TcpStack(ns3::Ipv4Address address, Send send);

    void receive(ns3::Ptr<ns3::Packet> segment, ns3::Ipv4Address from, const Notice &notice);

    ns3::Ptr<ns3::Socket> make_socket();

    /* Creates a client's subflow, whose window is coupled with the others'. */
    ns3::Ptr<SubflowSocket> make_subflow(const std::shared_ptr<const Coupling> &coupling);

    /* Counts of all sockets of this host. */
    const TcpCounts &counts() const {
        return counts_;
    }

    ns3::Ipv4Address address() const {
        return address_;
    }

  private:
    void watch(ns3::Socket &socket);
    void count(ns3::TcpSocketState::TcpCongState_t before, ns3::TcpSocketState::TcpCongState_t now);

    bool is_dctcp() const;
    void set_up(ns3::Ptr<ns3::TcpSocketBase> socket, ns3::Ptr<ns3::TcpCongestionOps> congestion);

    TcpCounts counts_;
    Notice notice_; // for the segment that is passed to a socket
    ns3::Ipv4Address address_;
    ns3::Ptr<ns3::Node> node_;
    ns3::Ptr<ns3::TcpL4Protocol> tcp_;
    ns3::TypeId congestion_; // the default when the stack was created
};

} // namespace sim
