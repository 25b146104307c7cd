/*
 * What both networks of the benchmark carry: one fabric, one set of flows, drawn before anything
 * runs.
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
    uint16_t port; // of the server, its own for each flow
    uint64_t bytes;
};

/* A leaf-spine fabric with a link between each pair, all links of one rate. */
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
 * Flows arrive as a Poisson process, each between two hosts under different leaves, drawn evenly;
 * the load is a share of all leaves' uplinks. Throws InputError.
 */
Traffic read_traffic(const Json &json);

} // namespace sim::bench
