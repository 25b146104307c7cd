/* A source of traffic: opens connections and adds jobs to them. */
#pragma once

#include <cstdint>
#include <random>

#include "workload/result.h"

namespace sim {

class Source {
  public:
    virtual ~Source() = default;

    /* The number of jobs that must be completed at the end. */
    virtual uint64_t jobs() const = 0;

    /* Adds results that are specific to this source, after the run. */
    virtual void report(Result & /*result*/) const {
    }
};

/* The limit of simulated time: a million seconds. The rates of a longer run must be wrong, and
 * ns-3's clock ends at 300 years. */
constexpr uint64_t most_run_ns = 1'000'000'000'000'000;

/* By this time persistent connections are open. */
constexpr uint64_t first_job_ns = 1'000'000;
constexpr uint16_t first_port = 5000;

/* Returns a number in [0, 1). Unlike the standard's distributions, the result is the same on every
 * machine. */
inline double uniform(std::mt19937_64 &random) {
    return static_cast<double>(random() >> 11) * 0x1p-53;
}

} // namespace sim
