/*
 * A TCP connection that carries jobs one after another, from a client to a
 * server.
 */
#pragma once

#include <cstdint>
#include <deque>
#include <functional>

#include "host/host.h"

namespace sim {

struct Job {
    uint64_t bytes;
    uint64_t arrived_ns; // when the client was given it
};

class Connection {
  public:
    /* done: called when the server has a job's last byte. */
    using Done = std::function<void(const Job &job)>;

    /* Opens it now. port: of the server, its own for each open connection. */
    Connection(Host &client, Host &server, uint16_t port, Done done);
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;

    /* Gives the client a job now. */
    void push(uint64_t bytes);

    /* The client closes when it has sent the jobs it was given. */
    void close();

    /* Payload that the server has received. */
    uint64_t received_bytes() const {
        return received_;
    }

  private:
    void fill();
    void accept(ns3::Ptr<ns3::Socket> socket);
    void drain(ns3::Ptr<ns3::Socket> socket);

    Done done_;
    ns3::Ptr<ns3::Socket> listener_;
    ns3::Ptr<ns3::Socket> client_;
    bool connected_ = false;
    bool closing_ = false;
    uint64_t unsent_ = 0;
    uint64_t received_ = 0;
    uint64_t finished_ = 0; // bytes of all jobs done
    std::deque<Job> jobs_;  // not done yet
};

} // namespace sim
