/*
 * Runs a case: jobs arrive at connections (source.h), and each job's completion time is recorded,
 * from its arrival to its last byte at the receiver.
 */
#pragma once

#include <cstdint>
#include <string>

#include "host/edge.h"
#include "input/case.h"
#include "switch/choice.h"
#include "workload/result.h"

namespace sim {

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
