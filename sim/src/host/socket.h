/*
 * ns-3's TCP socket with two corrections. With reordered acknowledgements, which flowlets cause,
 * ns-3's socket aborts the simulation in two states:
 *
 * - It reads an acknowledgement's SACK blocks before it checks whether the acknowledgement is old,
 *   and accesses the first segment in flight even if there is none (TcpTxBuffer::Update).
 * - When a window that marks had reduced ends, its duplicate ACKs still count. The next one is then
 *   not the first, which an assertion requires (TcpSocketBase::DupAck), and retransmission begins
 *   after fewer than three.
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
