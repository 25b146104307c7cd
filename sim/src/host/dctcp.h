/*
 * DCTCP (RFC 8257), based on ns-3's with corrections, and MDCTCP (ALB, section II.B d).
 *
 * ns-3's sender reacts to a loss as to marks: hardly at all if few packets are marked. Its receiver
 * treats a marked segment that arrives after one with a higher number as unmarked. When marks begin
 * or end during a delayed ACK, it repeats the previous ACK instead of sending the delayed one. With
 * flowlets, which reorder segments, and delayed ACKs these errors matter.
 *
 * A loss does not reduce a window again that marks have already reduced, as in Linux.
 *
 * A connection carries data in one direction only: ns-3 has a single state for received and for
 * echoed marks.
 */
#pragma once

#include "host/socket.h"
#include "ns3/tcp-dctcp.h"

namespace sim {

/* Information about the segment that TCP receives. */
struct Notice {
    bool marked = false; // CE in its IP header
    bool path_changed =
        false; // it acknowledges data on another path than the flow's current one: PCN
};

class Dctcp final : public ns3::TcpDctcp {
  public:
    static ns3::TypeId GetTypeId();

    /* A loss halves the window (RFC 8257, section 3.5), to at least two segments. */
    uint32_t GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> state, uint32_t in_flight) override;
    void CongestionStateSet(ns3::Ptr<ns3::TcpSocketState> state,
                            ns3::TcpSocketState::TcpCongState_t now) override;
    void PktsAcked(ns3::Ptr<ns3::TcpSocketState> state, uint32_t segments,
                   const ns3::Time &rtt) override;
    void IncreaseWindow(ns3::Ptr<ns3::TcpSocketState> state, uint32_t segments) override;
    ns3::Ptr<ns3::TcpCongestionOps> Fork() override;

    /* Sets whether the next threshold is for a loss; in fast recovery it always is. */
    void expect_loss(bool loss) {
        loss_ = loss;
    }

    /* Sets whether acknowledgements are ignored, both for the share of marks and for the window. */
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

    /* notice: of the host; must outlive the socket. The IP header passed to ns-3 must have no
     * marks. */
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
    bool marked_ = false; // whether the latest segment with data was marked
};

} // namespace sim
