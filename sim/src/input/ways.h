/*
 * Checks that a plan's groups and flows lead from every switch to each prefix without a loop, in
 * which a frame would circulate for ever.
 */
#pragma once

#include "input/json.h"
#include "input/plan.h"

namespace sim {

/* json: of the plan, for errors. Throws InputError. */
void check_ways(const Plan &plan, const Json &json);

} // namespace sim
