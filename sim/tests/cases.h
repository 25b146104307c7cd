/* cmocka, and small cases for tests. */
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

/* How many of so many repetitions to run: the percentage that EVENWEAVE_TRIES_PERCENT says, all
 * without it; at least one. */
size_t tries(size_t all);

/* As many of a list's elements, the first among them, evenly spread. */
template <typename List> auto some_of(const List &list) {
    std::vector<std::remove_cvref_t<decltype(*std::begin(list))>> found;
    size_t all = std::size(list), kept = tries(all);
    for (size_t i = 0; i < kept; i++)
        found.push_back(*(std::begin(list) + static_cast<std::ptrdiff_t>(i * all / kept)));
    return found;
}

} // namespace sim
