/*
 * The traffic of both networks of the benchmark: one fabric and one set of flows, drawn before the
 * simulation.
 */
#pragma once

#include <cstdint>
#include <vector>

#include "input/case.h"

namespace sim::bench {

struct Flow {
    uint64_t at_ns;
    uint32_t client; // host numbers, under different leaves
    uint32_t server;
    uint16_t port; // of the server, unique for each flow
    uint64_t bytes;
};

/* A leaf-spine fabric with one link between each leaf and spine; all links have the same rate. */
struct Traffic {
    uint32_t leaves;
    uint32_t spines;
    FabricSettings fabric;
    TcpSettings tcp;
    std::vector<Flow> flows;

    uint32_t hosts() const {
        return leaves * fabric.hosts_per_leaf;
    }
    uint32_t leaf_of(uint32_t host) const {
        return host / fabric.hosts_per_leaf;
    }
};

/*
 * Draws flows that arrive as a Poisson process, each between two uniformly drawn hosts under
 * different leaves. The load is a share of the capacity of all leaves' uplinks. Throws InputError.
 */
Traffic read_traffic(const Json &json);

} // namespace sim::bench
