/*
 * Where a plan's groups and flows lead: to each prefix from every switch, and in
 * no loop, or a frame would go round for ever.
 */
#pragma once

#include "input/json.h"
#include "input/plan.h"

namespace sim {

/* json: the plan's, for the error. Throws InputError. */
void check_ways(const Plan &plan, const Json &json);

} // namespace sim
