/*
 * A subflow of an MPTCP connection: ns-3's TCP that takes data when its window has room for it, and
 * increases that window together with the others' (RFC 6356, the Linked Increases Algorithm).
 *
 * In congestion avoidance a TCP window of w bytes grows by a segment for each w bytes acknowledged.
 * With RFC 6356 it grows by alpha / total for each byte instead, where that is less, with
 *
 *     alpha = total * max(w_i / rtt_i^2) / (sum of w_i / rtt_i)^2
 *
 * so by a segment for each (sum of w_i / rtt_i)^2 / max(w_i / rtt_i^2) bytes. Slow start and the
 * answer to losses are TCP's. Of one subflow alone this is TCP.
 */
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "host/socket.h"
#include "ns3/tcp-linux-reno.h"

namespace sim {

/* The windows of a connection's subflows. */
class Coupling {
  public:
    void add(ns3::Ptr<const ns3::TcpSocketState> subflow) {
        subflows_.push_back(std::move(subflow));
    }

    /* The bytes to be acknowledged for each segment that a window grows by; 0 before any round-trip
     * time is known. */
    double bytes_a_segment() const;

  private:
    std::vector<ns3::Ptr<const ns3::TcpSocketState>> subflows_;
};

class LinkedIncreases final : public ns3::TcpLinuxReno {
  public:
    static ns3::TypeId GetTypeId();

    explicit LinkedIncreases(std::shared_ptr<const Coupling> coupling)
        : coupling_(std::move(coupling)) {
    }

    ns3::Ptr<ns3::TcpCongestionOps> Fork() override;

  protected:
    void CongestionAvoidance(ns3::Ptr<ns3::TcpSocketState> state, uint32_t acknowledged) override;

  private:
    std::shared_ptr<const Coupling> coupling_;
    uint32_t credit_ = 0; // segments acknowledged since the window grew
};

class SubflowSocket final : public TcpSocket {
  public:
    /* Data of at most so many bytes to send over this subflow; 0 if there is none. */
    using Pull = std::function<uint32_t(uint32_t most)>;
    using TimedOut = std::function<void()>;

    static ns3::TypeId GetTypeId();

    void set_callbacks(Pull pull, TimedOut timed_out);

    /* Lets this subflow's window grow with those that are coupled. */
    void join(Coupling &coupling) {
        coupling.add(m_tcb);
    }

    /* There is data: takes some after a nanosecond, as ns-3's TCP sends what it is given. */
    void offer();

    /* Zero before the first sample. */
    ns3::Time round_trip() const {
        return m_tcb->m_srtt;
    }

  protected:
    void ReceivedAck(ns3::Ptr<ns3::Packet> packet, const ns3::TcpHeader &header) override;
    void ReTxTimeout() override;

  private:
    void take();

    Pull pull_;
    TimedOut timed_out_;
};

} // namespace sim
