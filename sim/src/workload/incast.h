/*
 * Incast (Clove, section 5.3): a client, the first host, requests a file that is split among
 * servers under the last leaf, which are drawn uniformly for each request. When it has received the
 * whole file, it sends the next request. Connections are persistent. A request takes its packet's
 * time over the idle fabric, but is not simulated as a packet.
 */
#pragma once

#include <vector>

#include "fabric/fabric.h"
#include "workload/connection.h"
#include "workload/source.h"

namespace sim {

class Incast final : public Source {
  public:
    Incast(const IncastSettings &settings, const Case &input, Fabric &fabric,
           Connection::Done done);

    uint64_t jobs() const override {
        return uint64_t{settings_.requests} * settings_.fanout;
    }

  private:
    void ask_after(uint64_t ns);
    void ask();
    void answered(const Job &job);

    const IncastSettings &settings_;
    Connection::Done done_;
    std::mt19937_64 random_;
    uint64_t request_ns_;
    std::vector<std::unique_ptr<Connection>> servers_;
    std::vector<uint32_t> order_; // of servers; requests go to the first ones
    uint32_t requests_ = 0;
    uint32_t waiting_for_ = 0;
};

} // namespace sim
