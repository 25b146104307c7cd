/* A connection that carries successive jobs from a client to a server. */
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
    uint64_t arrived_ns; // when the job arrived at the client
};

class Connection {
  public:
    /* done: called when the server has received a job's last byte. */
    using Done = std::function<void(const Job &job)>;

    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;
    virtual ~Connection() = default;

    /* Adds a job at the client now. */
    void push(uint64_t bytes);

    /* Closes the client after it has sent all jobs. */
    virtual void close() = 0;

    /* Closes the client; data that no socket has yet is not sent. */
    virtual void abandon() = 0;

    /* Payload that the server has received, in order. */
    uint64_t received_bytes() const {
        return received_;
    }

  protected:
    explicit Connection(Done done) : done_(std::move(done)) {
    }

    /* Adds this many bytes to send. */
    virtual void send(uint64_t bytes) = 0;

    /* Records this many more bytes that the server has received in order. */
    void receive(uint64_t bytes);

  private:
    Done done_;
    uint64_t received_ = 0;
    uint64_t finished_ = 0; // bytes of all completed jobs
    std::deque<Job> jobs_;  // not completed yet
};

/* Uses one TCP connection. */
class TcpConnection final : public Connection {
  public:
    /* Opens the connection now. port: of the server, unique among open connections. */
    TcpConnection(Host &client, Host &server, uint16_t port, Done done);

    /* The same with given sockets; the listener gets this address. */
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

} // namespace sim
