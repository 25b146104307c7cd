/*
 * A subflow of an MPTCP connection: ns-3's TCP, which takes data when its window has room, and
 * whose window grows coupled with the other subflows' (RFC 6356, Linked Increases Algorithm).
 *
 * In congestion avoidance a TCP window of w bytes grows by a segment for each w acknowledged bytes.
 * With RFC 6356 it grows by alpha / total for each byte if that is less, with
 *
 *     alpha = total * max(w_i / rtt_i^2) / (sum of w_i / rtt_i)^2
 *
 * that is, by a segment for each (sum of w_i / rtt_i)^2 / max(w_i / rtt_i^2) bytes. Slow start and
 * the reaction to losses are TCP's. With a single subflow this is TCP.
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

    /* The number of acknowledged bytes for which a window grows by one segment; 0 before the first
     * round-trip time sample. */
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
    /* Returns the number of bytes to send over this subflow, at most `most`; 0: none. */
    using Pull = std::function<uint32_t(uint32_t most)>;
    using TimedOut = std::function<void()>;

    static ns3::TypeId GetTypeId();

    void set_callbacks(Pull pull, TimedOut timed_out);

    /* Couples this subflow's window with those of the others. */
    void join(Coupling &coupling) {
        coupling.add(m_tcb);
    }

    /* Signals data. The subflow takes some after a nanosecond, like ns-3's TCP. */
    void offer();

    /* The round-trip time; zero before the first sample. */
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
