/*
 * What is printed of a run: completion times of all flows, of small and of
 * large ones.
 */
#pragma once

#include <iosfwd>
#include <vector>

#include "workload/run.h"

namespace sim {

/* Small: under 100 KB; large: over 10 MB (Clove, section 5.2). */
constexpr uint64_t small_below_bytes = 100'000;
constexpr uint64_t large_above_bytes = 10'000'000;

struct Times {
    uint64_t count = 0;
    double mean_ns = 0;
    uint64_t p50_ns = 0; // percentiles by nearest rank; 0 of none
    uint64_t p90_ns = 0;
    uint64_t p99_ns = 0;
};

Times times_of(std::vector<uint64_t> ns);

/* One line of JSON. */
void write_summary(std::ostream &out, const Result &result);

} // namespace sim
