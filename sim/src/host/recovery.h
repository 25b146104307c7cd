/*
 * ns-3's proportional rate reduction (RFC 6937), with a window of one segment at
 * least, as in Linux.
 *
 * ns-3 makes the window what is in flight when more was sent during the reduction
 * than was delivered. With nothing in flight it is 0 then: nothing more is sent, no
 * timer runs, and the connection stands still for ever.
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
