/*
 * ns-3's TCP socket with two corrections. With reordered acknowledgements, which flowlets cause,
 * ns-3's socket aborts the simulation in two states:
 *
 * - It reads the SACK blocks of an acknowledgement before it looks whether that is an old one, and
 *   looks at the first segment on its way even if there is none (TcpTxBuffer::Update).
 * - When a window that marks had reduced is over, the duplicate ACKs that came in it still count;
 * so the next one is not the first, as an assertion demands (TcpSocketBase::DupAck), and
 * retransmission begins after fewer than three.
 */
#pragma once

#include "ns3/tcp-socket-base.h"

namespace sim {

class TcpSocket : public ns3::TcpSocketBase {
  public:
    static ns3::TypeId GetTypeId();

  protected:
    void ReceivedAck(ns3::Ptr<ns3::Packet> packet, const ns3::TcpHeader &header) override;
    ns3::Ptr<ns3::TcpSocketBase> Fork() override;
};

} // namespace sim
