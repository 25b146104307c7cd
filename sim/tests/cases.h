/* cmocka, and small cases for tests. */
#pragma once

#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <string>

extern "C" {
#include <cmocka.h>
#undef fail // a macro, and a function of the standard library's streams
}

#include "input/case.h"

namespace sim {

/*
 * Leaves "l0", "l1", ... with a prefix each, spines "s0", ..., and `parallel`
 * links between each pair. Leaf ports are numbered spine by spine from 1, spine
 * ports leaf by leaf. Every switch has one slot for each port towards a prefix.
 */
Plan leaf_spine(uint32_t leaves, uint32_t spines, uint32_t parallel, uint64_t bps);

/* Two leaves with `hosts` hosts each at 10 Gb/s, links of 5 us, windows that
 * fill them; web search at half the load. */
Case small_case(const std::string &scheme, Plan plan, uint32_t hosts);

/* The flows of such a case. */
FlowSettings &flows_of(Case &input);

} // namespace sim
