/*
 * An MPTCP connection (RFC 8684): TCP subflows, each with its own five-tuple that switches hash,
 * carry one stream of data, whose order the server restores.
 *
 * The first subflow opens the connection; the others join when it is established. A subflow takes
 * data when its window has room; among several, the one with the least round-trip time goes first,
 * as in Linux. After a time-out, a subflow's data in flight is also sent once on the others. Each
 * subflow has its own receive buffer. Data sequence numbers and acknowledgements are not in
 * packets: the client knows at once what the server has received.
 */
#pragma once

#include <map>

#include "host/subflow.h"
#include "workload/connection.h"

namespace sim {

class MptcpConnection final : public Connection {
  public:
    /* Opens the connection now. port: of the server, unique among open connections. subflows: at
     * least 1. */
    MptcpConnection(Host &client, Host &server, uint16_t port, uint32_t subflows, Done done);

    void close() override;
    void abandon() override;

    /* Payload that the server has received over a subflow. */
    uint64_t received_bytes_over(uint32_t subflow) const {
        return subflows_[subflow].received;
    }

  private:
    /* A range of the data stream. */
    struct Range {
        uint64_t begin;
        uint64_t end;
        bool again; // also sent on other subflows
    };
    struct Subflow {
        ns3::Ptr<SubflowSocket> socket;
        bool connected = false;
        uint64_t received = 0;
        std::deque<Range> under_way; // in the order of the subflow's sequence numbers
    };

    void send(uint64_t bytes) override;
    void connect(Subflow &subflow);
    void connected(Subflow &subflow);
    void accept(ns3::Ptr<ns3::Socket> socket, const ns3::Address &from);
    void offer();
    uint32_t pull(Subflow &subflow, uint32_t most);
    void resend(Subflow &subflow);
    void drain(Subflow &subflow, ns3::Ptr<ns3::Socket> socket);
    void deliver(uint64_t begin, uint64_t end);

    ns3::Address server_;
    ns3::Ptr<ns3::Socket> listener_;
    std::shared_ptr<Coupling> coupling_;
    std::vector<Subflow> subflows_;
    size_t accepted_ = 0;
    bool closing_ = false;
    uint64_t given_ = 0;                 // bytes offered for sending
    uint64_t taken_ = 0;                 // bytes taken by subflows
    std::deque<Range> lost_;             // to be retransmitted
    std::map<uint64_t, uint64_t> early_; // ranges received out of order: end by start
};

} // namespace sim
