/*
 * Runs a case: jobs arrive at clients' connections, and each job's completion
 * time is noted.
 *
 * Clients are the hosts of the first leaf, each with a server of its own under
 * the last leaf, drawn by the seed. Jobs arrive as a Poisson process of rate
 *
 *     load * bisection / (8 * mean size)
 *
 * at a connection each, drawn evenly: an open loop, so that a job may have to
 * wait for those before it on its connection. Its completion time counts from
 * its arrival to its last byte at the server.
 */
#pragma once

#include <cstdint>
#include <vector>

#include "fabric/port.h"
#include "input/case.h"

namespace sim {

struct Completion {
    uint64_t bytes;
    uint64_t ns;
};

struct Result {
    std::vector<Completion> flows;
    LinkCounts links;       // sums over all links
    uint64_t sent = 0;      // frames that hosts gave to their links
    uint64_t delivered = 0; // frames that reached their hosts
    uint64_t probes = 0;
    uint64_t simulated_ns = 0; // until the last job was done
};

/*
 * One run per process at a time: ns-3's simulator is global. Throws InputError
 * as Fabric does, and std::runtime_error if a job is not done when nothing
 * happens any more.
 */
Result run(const Case &input);

} // namespace sim
