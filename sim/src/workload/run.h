/*
 * Runs a case: jobs arrive at connections (source.h), and each job's completion time is recorded,
 * from its arrival to its last byte at the receiver.
 */
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fabric/port.h"
#include "fabric/reroutes.h"
#include "host/edge.h"
#include "host/tcp.h"
#include "input/case.h"
#include "switch/choice.h"

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

    /* Payload rate from the first job on, in bit/s. */
    double goodput_bps() const;
};

/*
 * Runs a case. Only one run per process at a time, because ns-3's simulator is global. Throws
 * InputError like Fabric, and std::runtime_error if a job is incomplete when no events remain, or
 * after a million seconds of simulated time.
 */
Result run(const Case &input);

/* Receives the decisions of hosts, for each pair, and of leaves. */
class Explainer {
  public:
    virtual ~Explainer() = default;
    virtual void host(uint32_t from, uint32_t to, const edge_trace &why) = 0;
    virtual void leaf(const std::string &from, const std::string &to, const LeafDecision &why) = 0;
};

/* The same run with explanations, which do not change it. */
Result run(const Case &input, Explainer &explainer);

/* Throws InputError if run() would throw it. */
void check(const Case &input);

} // namespace sim
