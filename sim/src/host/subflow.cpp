#include "host/subflow.h"

#include <algorithm>

#include "ns3/simulator.h"
#include "ns3/tcp-tx-buffer.h"

namespace sim {

double Coupling::bytes_a_segment() const {
    double sum = 0, most = 0;
    for (const auto &subflow : subflows_) {
        double rtt = subflow->m_srtt.Get().GetSeconds();
        if (rtt <= 0)
            continue;
        double window = subflow->m_cWnd.Get();
        sum += window / rtt;
        most = std::max(most, window / (rtt * rtt));
    }
    return most > 0 ? sum * sum / most : 0;
}

ns3::TypeId LinkedIncreases::GetTypeId() {
    static ns3::TypeId type = ns3::TypeId("sim::LinkedIncreases").SetParent<ns3::TcpLinuxReno>();
    return type;
}

/* The credit is counted as in TCP: credit gained while the window grew more slowly is used at once,
 * as one segment. */
void LinkedIncreases::CongestionAvoidance(ns3::Ptr<ns3::TcpSocketState> state,
                                          uint32_t acknowledged) {
    uint32_t segment = state->m_segmentSize;
    uint32_t own = std::max(1u, state->m_cWnd.Get() / segment);
    uint32_t wanted = std::max(own, static_cast<uint32_t>(coupling_->bytes_a_segment() / segment));
    if (credit_ >= wanted) {
        credit_ = 0;
        state->m_cWnd += segment;
    }
    credit_ += acknowledged;
    state->m_cWnd += credit_ / wanted * segment;
    credit_ %= wanted;
}

ns3::Ptr<ns3::TcpCongestionOps> LinkedIncreases::Fork() {
    return ns3::CopyObject<LinkedIncreases>(this);
}

ns3::TypeId SubflowSocket::GetTypeId() {
    static ns3::TypeId type = ns3::TypeId("sim::SubflowSocket").SetParent<TcpSocket>();
    return type;
}

void SubflowSocket::set_callbacks(Pull pull, TimedOut timed_out) {
    pull_ = std::move(pull);
    timed_out_ = std::move(timed_out);
}

void SubflowSocket::offer() {
    if (!m_sendPendingDataEvent.IsPending())
        m_sendPendingDataEvent =
            ns3::Simulator::Schedule(ns3::TimeStep(1), &SubflowSocket::take, this);
}

/* Takes whole segments until the window is full. */
void SubflowSocket::take() {
    if (m_state != ESTABLISHED)
        return;
    while (m_txBuffer->SizeFromSequence(m_tcb->m_nextTxSequence) < AvailableWindow()) {
        uint32_t bytes = pull_(std::min(m_tcb->m_segmentSize, m_txBuffer->Available()));
        if (bytes == 0)
            break;
        m_txBuffer->Add(ns3::Create<ns3::Packet>(bytes));
    }
    SendPendingData(m_connected);
}

void SubflowSocket::ReceivedAck(ns3::Ptr<ns3::Packet> packet, const ns3::TcpHeader &header) {
    TcpSocket::ReceivedAck(packet, header);
    take();
}

void SubflowSocket::ReTxTimeout() {
    TcpSocketBase::ReTxTimeout();
    timed_out_();
}

} // namespace sim
