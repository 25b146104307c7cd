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
#include "input/leaf_spine.h"

namespace sim {

/* Two leaves with `hosts` hosts each at 10 Gb/s, links of 5 us, windows that
 * fill them; web search at half the load. */
Case small_case(const std::string &scheme, Plan plan, uint32_t hosts);

/* The flows of such a case. */
FlowSettings &flows_of(Case &input);

} // namespace sim
