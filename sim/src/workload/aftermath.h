/*
 * A failure in the middle of a run: makes the fabric fail and the controller's plan follow, and
 * records the traffic around that time.
 */
#pragma once

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"
#include "workload/run.h"

namespace sim {

class Aftermath {
  public:
    /* Does nothing in a run without failure. Both must outlive the simulation. */
    Aftermath(const Case &input, Fabric &fabric);

    /* Writes down what came of it; a run without failure has no shares. */
    void report(Result &result) const;

  private:
    void count();

    Fabric &fabric_;
    std::vector<uint32_t> lighter_; // uplinks of the first leaf
    /* Bytes so far at the end of each bin: on those uplinks, and on all. */
    std::vector<std::pair<uint64_t, uint64_t>> sent_;
};

} // namespace sim
