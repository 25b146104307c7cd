/* What a run measures. */
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fabric/port.h"
#include "fabric/reroutes.h"
#include "host/tcp.h"

namespace sim {

struct Completion {
    uint64_t bytes;
    uint64_t ns;
    uint64_t arrived_ns = 0;
};

/* The recording around a failure: the number of intervals of a millisecond before and after it. */
constexpr uint64_t bin_ns = 1'000'000, bins_before = 10, bins_after = 60;

/* Flows that arrive within this time after a failure are also summarised separately. */
constexpr uint64_t soon_ns = 50'000'000;

struct Result {
    std::vector<Completion> flows;
    LinkCounts links;                          // sums over all links
    std::map<std::string, LinkCounts> between; // switches: by sender and port, "l1/2"
    TcpCounts tcp;                             // of all clients
    uint64_t flowlets = 0;                     // flowlets with data that hosts began
    std::vector<Reroutes> reroutes;            // of each flow
    uint64_t sent = 0;                         // frames that hosts gave to their links
    uint64_t delivered = 0;                    // frames that reached their hosts
    uint64_t probes = 0;
    uint64_t bytes = 0;            // of all jobs
    uint64_t simulated_ns = 0;     // until the last job completed
    std::vector<double> rates_bps; // payload rate of each long-lived flow in its window

    uint64_t failed_ns = 0;             // when links failed; 0: no failure
    std::vector<double> lighter_shares; // share, in each bin around that, of the first leaf's
                                        // traffic on uplinks whose share the new plan reduces
};

} // namespace sim
