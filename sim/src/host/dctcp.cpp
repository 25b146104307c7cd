#include "host/dctcp.h"

#include <algorithm>
#include <utility>

#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-state.h"

namespace sim {

using ns3::TcpSocketState;

ns3::TypeId Dctcp::GetTypeId() {
    static ns3::TypeId type =
        ns3::TypeId("sim::Dctcp").SetParent<ns3::TcpDctcp>().AddConstructor<Dctcp>();
    return type;
}

uint32_t Dctcp::GetSsThresh(ns3::Ptr<const TcpSocketState> state, uint32_t in_flight) {
    if (std::exchange(loss_, false))
        return TcpLinuxReno::GetSsThresh(state, in_flight);
    return std::max(2 * state->m_segmentSize, TcpDctcp::GetSsThresh(state, in_flight));
}

void Dctcp::CongestionStateSet(ns3::Ptr<TcpSocketState> state, TcpSocketState::TcpCongState_t now) {
    if (now == TcpSocketState::CA_RECOVERY)
        loss_ = true;
    TcpDctcp::CongestionStateSet(state, now);
}

void Dctcp::PktsAcked(ns3::Ptr<TcpSocketState> state, uint32_t segments, const ns3::Time &rtt) {
    if (!ignored_)
        TcpDctcp::PktsAcked(state, segments, rtt);
}

void Dctcp::IncreaseWindow(ns3::Ptr<TcpSocketState> state, uint32_t segments) {
    if (!ignored_)
        TcpDctcp::IncreaseWindow(state, segments);
}

ns3::Ptr<ns3::TcpCongestionOps> Dctcp::Fork() {
    return ns3::CopyObject<Dctcp>(this);
}

ns3::TypeId DctcpSocket::GetTypeId() {
    static ns3::TypeId type = ns3::TypeId("sim::DctcpSocket").SetParent<TcpSocket>();
    return type;
}

Dctcp &DctcpSocket::control() {
    return static_cast<Dctcp &>(*m_congestionControl);
}

void DctcpSocket::DoForwardUp(ns3::Ptr<ns3::Packet> packet, const ns3::Address &from,
                              const ns3::Address &to) {
    ns3::TcpHeader header;
    uint32_t header_bytes = packet->PeekHeader(header);
    bool has_data = packet->GetSize() > header_bytes;
    if (has_data && m_tcb->m_ecnState != TcpSocketState::ECN_DISABLED)
        take_mark(notice_.marked);
    TcpSocketBase::DoForwardUp(packet, from, to);
}

/* RFC 8257, section 3.2: the ECN-echo of a delayed ACK applies to its own segments. */
void DctcpSocket::take_mark(bool marked) {
    if (marked != marked_ && m_delAckCount > 0)
        SendEmptyPacket(ns3::TcpHeader::ACK | (marked_ ? ns3::TcpHeader::ECE : 0));
    marked_ = marked;
    m_tcb->m_ecnState = marked ? TcpSocketState::ECN_CE_RCVD : TcpSocketState::ECN_IDLE;
}

void DctcpSocket::ReceivedAck(ns3::Ptr<ns3::Packet> packet, const ns3::TcpHeader &header) {
    control().ignore(notice_.path_changed);
    TcpSocket::ReceivedAck(packet, header);
    control().ignore(false);
}

void DctcpSocket::ReTxTimeout() {
    control().expect_loss(true);
    TcpSocketBase::ReTxTimeout();
    control().expect_loss(false);
}

ns3::Ptr<ns3::TcpSocketBase> DctcpSocket::Fork() {
    return ns3::CopyObject<DctcpSocket>(this);
}

} // namespace sim
