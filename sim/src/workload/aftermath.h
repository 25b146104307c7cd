/*
 * Handles a failure in the middle of a run: applies it to the fabric, then the controller's new
 * plan, and records the traffic around that time.
 */
#pragma once

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"
#include "workload/result.h"

namespace sim {

class Aftermath {
  public:
    /* Does nothing in a run without a failure. Both arguments must outlive the simulation. */
    Aftermath(const Case &input, Fabric &fabric);

    /* Adds the records to the result; a run without a failure has no shares. */
    void report(Result &result) const;

  private:
    void count();

    Fabric &fabric_;
    std::vector<uint32_t> lighter_; // uplinks of the first leaf
    /* Cumulated bytes at the end of each bin: on those uplinks, and on all. */
    std::vector<std::pair<uint64_t, uint64_t>> sent_;
};

} // namespace sim
