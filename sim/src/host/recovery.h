/*
 * ns-3's proportional rate reduction (RFC 6937) with a window of at least one segment, as in Linux.
 *
 * If more was sent during the reduction than was delivered, ns-3 sets the window to the data in
 * flight. Without data in flight this is 0: nothing more is sent, no timer runs, and the connection
 * stalls for ever.
 */
#pragma once

#include "ns3/tcp-prr-recovery.h"

namespace sim {

class Recovery final : public ns3::TcpPrrRecovery {
  public:
    static ns3::TypeId GetTypeId();

    void DoRecovery(ns3::Ptr<ns3::TcpSocketState> state, uint32_t delivered_bytes,
                    bool is_dup_ack) override;
    ns3::Ptr<ns3::TcpRecoveryOps> Fork() override;
};

} // namespace sim
