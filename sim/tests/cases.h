/* Includes cmocka, and creates small cases for tests. */
#pragma once

#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

extern "C" {
#include <cmocka.h>
#undef fail // a macro that conflicts with a function of the standard library's streams
}

#include "input/case.h"
#include "input/leaf_spine.h"

namespace sim {

/* Returns a case of two leaves with `hosts` hosts each at 10 Gb/s, links of 5 us, windows that fill
 * them, and the web search workload at a load of 0.5. */
Case small_case(const std::string &scheme, Plan plan, uint32_t hosts);

/* Returns the flow settings of such a case. */
FlowSettings &flows_of(Case &input);

/* Returns the number of repetitions to run: the percentage EVENWEAVE_TRIES_PERCENT of all, or all
 * without that variable; at least one. */
size_t tries(size_t all);

/* Returns that many elements of a list, evenly spread, including the first. */
template <typename List> auto some_of(const List &list) {
    std::vector<std::remove_cvref_t<decltype(*std::begin(list))>> found;
    size_t all = std::size(list), kept = tries(all);
    for (size_t i = 0; i < kept; i++)
        found.push_back(*(std::begin(list) + static_cast<std::ptrdiff_t>(i * all / kept)));
    return found;
}

} // namespace sim
