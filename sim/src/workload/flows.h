/*
 * Flows that arrive as a Poisson process of rate
 *
 *     load * bisection / (8 * mean size)
 *
 * Clients are the hosts of the first leaf, each with its own server under the last leaf, drawn by
 * the seed. A flow arrives at a uniformly drawn persistent connection. Arrivals are an open loop,
 * so a flow may have to wait for earlier ones on its connection. Without persistent connections
 * each flow opens its own, and the handshake is part of its completion time.
 *
 * Gaps may be lognormal instead, with the same mean (Benson et al., IMC 2010).
 *
 * With anyPair, a flow goes between two uniformly drawn hosts under different leaves on its own
 * connection.
 */
#pragma once

#include <vector>

#include "fabric/fabric.h"
#include "workload/connection.h"
#include "workload/source.h"

namespace sim {

class Flows final : public Source {
  public:
    Flows(const FlowSettings &settings, const Case &input, Fabric &fabric, Connection::Done done);

    uint64_t jobs() const override {
        return settings_.flows;
    }

  private:
    void draw_servers();
    Connection &open(uint32_t client, uint32_t server);
    Connection &open_any();
    double draw_gap_ns();
    void next();
    void arrive();

    const FlowSettings &settings_;
    const TcpSettings &tcp_;
    Fabric &fabric_;
    Connection::Done done_;
    std::mt19937_64 random_;
    uint32_t hosts_per_leaf_;
    std::vector<uint32_t> servers_;    // of each client
    std::vector<uint16_t> last_ports_; // of each host
    std::vector<std::unique_ptr<Connection>> connections_;
    double mean_gap_ns_;
    double at_ns_ = static_cast<double>(first_job_ns);
    uint32_t arrived_ = 0;
};

} // namespace sim
