/*
 * Runs a case: jobs arrive at connections (source.h), and each job's completion
 * time is noted, from its arrival to its last byte at the receiver.
 */
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fabric/port.h"
#include "fabric/reroutes.h"
#include "host/tcp.h"
#include "input/case.h"

namespace sim {

struct Completion {
    uint64_t bytes;
    uint64_t ns;
};

struct Result {
    std::vector<Completion> flows;
    LinkCounts links;                          // sums over all links
    std::map<std::string, LinkCounts> between; // switches: by the sender and its port, "l1/2"
    TcpCounts tcp;                             // of all clients
    uint64_t flowlets = 0;                     // that hosts began, of data
    std::vector<Reroutes> reroutes;            // of each flow
    uint64_t sent = 0;                         // frames that hosts gave to their links
    uint64_t delivered = 0;                    // frames that reached their hosts
    uint64_t probes = 0;
    uint64_t bytes = 0;        // of all jobs
    uint64_t simulated_ns = 0; // until the last job was done

    /* Payload from the first job on, in bit/s. */
    double goodput_bps() const;
};

/*
 * One run per process at a time: ns-3's simulator is global. Throws InputError
 * as Fabric does, and std::runtime_error if a job is not done when nothing
 * happens any more.
 */
Result run(const Case &input);

/* Throws InputError if run() would. */
void check(const Case &input);

} // namespace sim
