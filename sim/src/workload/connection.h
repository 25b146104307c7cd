/*
 * A connection that carries jobs one after another, from a client to a server.
 */
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

#include "host/host.h"
#include "ns3/inet-socket-address.h"

namespace sim {

struct Job {
    uint64_t bytes;
    uint64_t arrived_ns; // when the client was given it
};

class Connection {
  public:
    /* done: called when the server has a job's last byte. */
    using Done = std::function<void(const Job &job)>;

    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;
    virtual ~Connection() = default;

    /* Gives the client a job now. */
    void push(uint64_t bytes);

    /* The client closes when it has sent the jobs it was given. */
    virtual void close() = 0;

    /* The client closes; what no socket was given yet is not sent any more. */
    virtual void abandon() = 0;

    /* Payload that the server has received, in order. */
    uint64_t received_bytes() const {
        return received_;
    }

  protected:
    explicit Connection(Done done) : done_(std::move(done)) {
    }

    /* There is so much more to send. */
    virtual void send(uint64_t bytes) = 0;

    /* The server has so much more, in order. */
    void receive(uint64_t bytes);

  private:
    Done done_;
    uint64_t received_ = 0;
    uint64_t finished_ = 0; // bytes of all jobs done
    std::deque<Job> jobs_;  // not done yet
};

/* Over one TCP connection. */
class TcpConnection final : public Connection {
  public:
    /* Opens it now. port: of the server, its own for each open connection. */
    TcpConnection(Host &client, Host &server, uint16_t port, Done done);

    /* The same over two sockets of one's own, the listener's being to have this address. */
    TcpConnection(ns3::Ptr<ns3::Socket> client, ns3::Ptr<ns3::Socket> listener,
                  const ns3::InetSocketAddress &server, Done done);

    void close() override;
    void abandon() override;

  private:
    void send(uint64_t bytes) override;
    void fill();
    void accept(ns3::Ptr<ns3::Socket> socket);
    void drain(ns3::Ptr<ns3::Socket> socket);

    ns3::Ptr<ns3::Socket> listener_;
    ns3::Ptr<ns3::Socket> client_;
    bool connected_ = false;
    bool closing_ = false;
    uint64_t unsent_ = 0;
};

/* Opens a connection of the transport that the case has: TCP, or MPTCP. */
std::unique_ptr<Connection> open_connection(const TcpSettings &settings, Host &client, Host &server,
                                            uint16_t port, Connection::Done done);

} // namespace sim
