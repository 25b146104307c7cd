/*
 * A week, as `./evenweave schedule` prints it: which host may send to which other host at which
 * time. Days are matchings of hosts; circuits are up from a guard before to a guard after each day.
 */
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "input/json.h"

namespace sim {

/* The destination of a host without a circuit. */
constexpr uint32_t idle = UINT32_MAX;

struct Day {
    uint64_t start_ns; // relative to the week's start
    uint64_t duration_ns;
    std::vector<uint32_t> to; // of each host; idle: none

    uint64_t end_ns() const {
        return start_ns + duration_ns;
    }
};

struct Week {
    uint64_t length_ns;
    uint64_t guard_ns;
    std::vector<Day> days; // in order of time, at least two guards apart
};

/*
 * names: the hosts in the order of their numbers. Throws InputError if a circuit names an unknown
 * host, a host has two circuits in the same direction in a day, or days overlap or exceed the week.
 */
Week read_week(const Json &json, const std::vector<std::string> &names);

} // namespace sim
