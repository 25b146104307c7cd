#include "host/socket.h"

#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/tcp-tx-buffer.h"

namespace sim {

using ns3::TcpSocketState;

ns3::TypeId TcpSocket::GetTypeId() {
    static ns3::TypeId type =
        ns3::TypeId("sim::TcpSocket").SetParent<ns3::TcpSocketBase>().AddConstructor<TcpSocket>();
    return type;
}

void TcpSocket::ReceivedAck(ns3::Ptr<ns3::Packet> packet, const ns3::TcpHeader &header) {
    ns3::SequenceNumber32 head = m_txBuffer->HeadSequence();
    bool is_any_on_its_way = m_txBuffer->Size() > 0 && m_tcb->m_highTxMark.Get() > head;
    if (header.GetAckNumber() < head && !is_any_on_its_way) {
        if (packet->GetSize() > 0)
            ReceivedData(packet, header);
        return;
    }
    if (m_tcb->m_congState == TcpSocketState::CA_CWR && header.GetAckNumber() > m_recover)
        m_dupAckCount = 0; // first: this acknowledgement may count as the first duplicate
    TcpSocketBase::ReceivedAck(packet, header);
}

ns3::Ptr<ns3::TcpSocketBase> TcpSocket::Fork() {
    return ns3::CopyObject<TcpSocket>(this);
}

} // namespace sim
