/*
 * What hosts have to send: opens connections and gives them jobs.
 */
#pragma once

#include <memory>
#include <random>

#include "fabric/fabric.h"
#include "workload/connection.h"

namespace sim {

struct Result;

class Source {
  public:
    virtual ~Source() = default;

    /* The jobs that are done at the end. */
    virtual uint64_t jobs() const = 0;

    /* Adds what is known only of this kind of job, when the run has ended. */
    virtual void report(Result & /*result*/) const {
    }
};

/* As the case's workload says. done: called for each job. */
std::unique_ptr<Source> make_source(const Case &input, Fabric &fabric, Connection::Done done);

/* Of simulated time: a million seconds. A run that takes longer has none of its rates right, and
 * ns-3's clock ends at 300 years. */
constexpr uint64_t most_run_ns = 1'000'000'000'000'000;

/* By then persistent connections are open. */
constexpr uint64_t first_job_ns = 1'000'000;
constexpr uint16_t first_port = 5000;

/* From 0, below 1. The same on every machine: the standard's distributions are
 * not. */
inline double uniform(std::mt19937_64 &random) {
    return static_cast<double>(random() >> 11) * 0x1p-53;
}

} // namespace sim
