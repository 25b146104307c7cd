/*
 * DCTCP (RFC 8257), as ns-3 has it except for what ns-3 leaves out, and MDCTCP (ALB, section II.B
 * d).
 *
 * ns-3's sender reacts to a loss as to marks, that is, hardly at all if few packets are marked. Its
 * receiver treats a marked segment that arrives after one with a higher number as unmarked, and
 * when marks begin or end during a delayed ACK, repeats the ACK before it instead of sending the
 * one that was delayed. Flowlets reorder segments, and delayed ACKs are the rule.
 *
 * A window that marks have reduced is not reduced again by a loss in it, as in Linux.
 *
 * A connection carries data one way: ns-3 has one state for the marks that came and for those that
 * were echoed.
 */
#pragma once

#include "host/socket.h"
#include "ns3/tcp-dctcp.h"

namespace sim {

/* What came with the segment that TCP is being given. */
struct Notice {
    bool marked = false;       // CE in its IP header
    bool path_changed = false; // it acknowledges another path than the flow's present one: PCN
};

class Dctcp final : public ns3::TcpDctcp {
  public:
    static ns3::TypeId GetTypeId();

    /* A loss halves the window (RFC 8257, section 3.5); two segments are left at least. */
    uint32_t GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> state, uint32_t in_flight) override;
    void CongestionStateSet(ns3::Ptr<ns3::TcpSocketState> state,
                            ns3::TcpSocketState::TcpCongState_t now) override;
    void PktsAcked(ns3::Ptr<ns3::TcpSocketState> state, uint32_t segments,
                   const ns3::Time &rtt) override;
    void IncreaseWindow(ns3::Ptr<ns3::TcpSocketState> state, uint32_t segments) override;
    ns3::Ptr<ns3::TcpCongestionOps> Fork() override;

    /* Whether the next threshold is for a loss; so it is by itself in fast recovery. */
    void expect_loss(bool loss) {
        loss_ = loss;
    }

    /* Whether what is acknowledged counts for nothing: neither for the share of marks nor for the
     * window. */
    void ignore(bool ignored) {
        ignored_ = ignored;
    }

  private:
    bool loss_ = false;
    bool ignored_ = false;
};

class DctcpSocket final : public TcpSocket {
  public:
    static ns3::TypeId GetTypeId();

    /* notice: of the host, outlives the socket. What ns-3 is told of marks by the IP header must be
     * that there are none. */
    explicit DctcpSocket(const Notice &notice) : notice_(notice) {
    }

  protected:
    void DoForwardUp(ns3::Ptr<ns3::Packet> packet, const ns3::Address &from,
                     const ns3::Address &to) override;
    void ReceivedAck(ns3::Ptr<ns3::Packet> packet, const ns3::TcpHeader &header) override;
    void ReTxTimeout() override;
    ns3::Ptr<ns3::TcpSocketBase> Fork() override;

  private:
    void take_mark(bool marked);
    Dctcp &control();

    const Notice &notice_;
    bool marked_ = false; // the latest segment of data
};

} // namespace sim
