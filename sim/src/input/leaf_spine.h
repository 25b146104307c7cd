/*
 * Creates a leaf-spine fabric without the planner, in which every switch has one slot for each port
 * towards a prefix.
 */
#pragma once

#include "input/plan.h"

namespace sim {

/*
 * Leaves are "l0", "l1", ... with a prefix each, spines "s0", ..., with `parallel` links between
 * each pair. Leaf ports are numbered spine by spine from 1, spine ports leaf by leaf.
 */
Plan leaf_spine(uint32_t leaves, uint32_t spines, uint32_t parallel, uint64_t bps);

} // namespace sim
