#include "host/recovery.h"

#include "ns3/tcp-socket-state.h"

namespace sim {

ns3::TypeId Recovery::GetTypeId() {
    static ns3::TypeId type =
        ns3::TypeId("sim::Recovery").SetParent<ns3::TcpPrrRecovery>().AddConstructor<Recovery>();
    return type;
}

void Recovery::DoRecovery(ns3::Ptr<ns3::TcpSocketState> state, uint32_t delivered_bytes,
                          bool is_dup_ack) {
    TcpPrrRecovery::DoRecovery(state, delivered_bytes, is_dup_ack);
    if (state->m_cWnd < state->m_segmentSize) {
        state->m_cWnd = state->m_segmentSize;
        state->m_cWndInfl = state->m_segmentSize;
    }
}

ns3::Ptr<ns3::TcpRecoveryOps> Recovery::Fork() {
    return ns3::CopyObject<Recovery>(this);
}

} // namespace sim
