/* Reads and checks a plan. */
#pragma once

#include "input/json.h"
#include "input/plan.h"

namespace sim {

/* Minimum rate of links, hosts and offered load, at which a frame takes 12 ms. */
constexpr uint64_t least_bps = 1'000'000;

/*
 * Throws InputError if the plan names an unknown switch, port or group, has duplicates, has a table
 * with more slots than libedge supports, or if a switch has no way to a prefix or ways form a loop.
 */
Plan read_plan(const Json &json);

} // namespace sim
