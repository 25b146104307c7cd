/*
 * An MPTCP connection (RFC 8684): subflows of TCP, each with a five-tuple of its own that switches
 * hash, carry one stream of data, which the server puts back in order.
 *
 * The first subflow opens the connection, the others join when it is established. A subflow takes
 * data when its window has room; where several have, the one with the least round-trip time does
 * first, as in Linux. What a subflow had under way when it timed out is sent on the others as well,
 * once. Each subflow has a receive buffer of its own. Sequence numbers and acknowledgements of the
 * data are not in packets: the client knows at once what the server has.
 */
#pragma once

#include <map>

#include "host/subflow.h"
#include "workload/connection.h"

namespace sim {

class MptcpConnection final : public Connection {
  public:
    /* Opens it now. port: of the server, its own for each open connection. subflows: 1 or more. */
    MptcpConnection(Host &client, Host &server, uint16_t port, uint32_t subflows, Done done);

    void close() override;
    void abandon() override;

    /* Payload that the server received over a subflow. */
    uint64_t received_bytes_over(uint32_t subflow) const {
        return subflows_[subflow].received;
    }

  private:
    /* Of the stream of data. */
    struct Range {
        uint64_t begin;
        uint64_t end;
        bool again; // is sent on other subflows too
    };
    struct Subflow {
        ns3::Ptr<SubflowSocket> socket;
        bool connected = false;
        uint64_t received = 0;
        std::deque<Range> under_way; // in the order of its own sequence numbers
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
    uint64_t given_ = 0;                 // bytes of data
    uint64_t taken_ = 0;                 // by subflows
    std::deque<Range> lost_;             // to be sent again
    std::map<uint64_t, uint64_t> early_; // ends by beginnings of what came out of order
};

} // namespace sim
