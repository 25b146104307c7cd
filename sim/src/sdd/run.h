/*
 * Runs a case of hosts with libsdd: with messages until all have arrived, with streams for the
 * configured number of weeks.
 */
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "sdd/case.h"
#include "sdd/gauges.h"
#include "workload/result.h"

namespace sim {

/* The results of streams. */
struct StreamResult {
    uint32_t weeks_to_serve;
    uint32_t weeks_to_optimum;
    double optimal_share;
    uint32_t days_before;
    uint32_t days_after;
    double utilisation;
    std::optional<double> on_deviation; // of the first streaming host, by the slot's length
    std::optional<double> off_deviation;
};

struct SddResult {
    std::vector<Completion> messages;
    std::optional<StreamResult> streams;
    HybridCounts circuits;
    uint64_t packet_drops = 0; // by the packet switch
    uint64_t sent = 0;         // frames that hosts gave to their links
    uint64_t delivered = 0;    // frames that reached their hosts
    uint64_t under_way = 0; // frames that had neither arrived nor been lost at the end of the run
    uint64_t payload = 0;   // bytes of complete messages, or bytes sent by streams
    uint64_t timeouts = 0;  // of TCP
    uint64_t weeks = 0;
    uint64_t simulated_ns = 0; // duration of the run
    Gauge host_queue;          // samples of bytes in each host's SDDQueues
    Gauge switch_queue;        // samples of each port of the packet switch
};

/*
 * Runs a case. Only one run per process at a time, because ns-3's simulator is global. planner:
 * null if nothing is scheduled. Throws InputError if the planner refuses or its answer is not a
 * week.
 */
SddResult run_sdd(const SddCase &input, Planner *planner);

/* Creates the case's planner: the command, or the case's weeks; null if nothing is scheduled. */
std::unique_ptr<Planner> make_planner(const SddCase &input, const std::string &command);

/* Writes one line of JSON: {"metrics":{...}}, times in ms, queues in KB. */
void write_sdd_summary(std::ostream &out, const SddResult &result);

} // namespace sim
