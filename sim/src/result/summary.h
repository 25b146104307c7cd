/* The printed results of a run: completion times of all, small and large flows. */
#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "workload/result.h"

namespace sim {

/* Small: under 100 KB; large: over 10 MB (Clove, section 5.2). */
constexpr uint64_t small_below_bytes = 100'000;
constexpr uint64_t large_above_bytes = 10'000'000;

constexpr uint32_t fct_percents[] = {5, 10, 25, 50, 75, 90, 95, 99};

struct Times {
    uint64_t count = 0;
    double mean_ns = 0;
    std::vector<uint64_t> percent_ns; // at fct_percents, by nearest rank; 0 without flows

    /* percent: one of fct_percents */
    uint64_t percentile_ns(uint32_t percent) const;
};

Times times_of(std::vector<uint64_t> ns);

/* Statistics of long-lived flows' goodput. */
struct Rates {
    double mean_bps = 0;
    double variance = 0;             // of all flows, in (bit/s)^2
    std::vector<double> percent_bps; // at rate_percents, by nearest rank; the 0th is the minimum
};

constexpr uint32_t rate_percents[] = {0, 5, 10, 25, 50, 75, 90, 95, 100};

/* rates: at least one. */
Rates rates_of(std::vector<double> rates_bps);

/* Statistics of flows in a decade of sizes: more than `above` bytes, up to 10 * above. */
struct OfSize {
    uint64_t above;
    uint64_t count = 0;
    double mean_bps = 0;   // of flows' goodput: size divided by completion time
    double std_bps = 0;    // standard deviation of goodput
    double std_fct_ns = 0; // standard deviation of completion times
};

/* Returns the decades from 1 KB to 100 MB that have a flow. */
std::vector<OfSize> by_size(const std::vector<Completion> &flows);

/* Payload rate from the first job on, in bit/s. */
double goodput_bps(const Result &result);

/* Writes one line of JSON. */
void write_summary(std::ostream &out, const Result &result);

} // namespace sim
