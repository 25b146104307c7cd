/*
 * Runs a case of hosts with libsdd. Messages: until all are there. Streams: for the
 * weeks that the case says.
 */
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "sdd/case.h"
#include "sdd/gauges.h"
#include "workload/run.h"

namespace sim {

/* What became of streams. */
struct StreamResult {
    uint32_t weeks_to_serve;
    uint32_t weeks_to_optimum;
    double optimal_share;
    uint32_t days_before;
    uint32_t days_after;
    double utilisation;
    std::optional<double> on_deviation; // of the first host that streams, by the slot's length
    std::optional<double> off_deviation;
};

struct SddResult {
    std::vector<Completion> messages;
    std::optional<StreamResult> streams;
    HybridCounts circuits;
    uint64_t packet_drops = 0; // by the packet switch
    uint64_t sent = 0;         // frames that hosts gave to their links
    uint64_t delivered = 0;    // frames that reached their hosts
    uint64_t under_way = 0;    // frames that neither arrived nor were lost, when the run ended
    uint64_t payload = 0;      // bytes of complete messages, or that streams sent
    uint64_t timeouts = 0;     // of TCP
    uint64_t weeks = 0;
    uint64_t simulated_ns = 0; // until the run ended
    Gauge host_queue;          // of each host, by samples: bytes in its SDDQueues
    Gauge switch_queue;        // of each port of the packet switch
};

/*
 * One run per process at a time: ns-3's simulator is global. planner: null where
 * nothing is scheduled. Throws InputError if the planner refuses or its answer is no week.
 */
SddResult run_sdd(const SddCase &input, Planner *planner);

/* The case's own: the command, or the weeks that the case has; null where nothing is scheduled. */
std::unique_ptr<Planner> make_planner(const SddCase &input, const std::string &command);

/* One line of JSON: {"metrics":{...}}, times in ms, queues in KB. */
void write_sdd_summary(std::ostream &out, const SddResult &result);

} // namespace sim
