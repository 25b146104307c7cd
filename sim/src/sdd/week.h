/*
 * A week: who may send to whom when, as `./evenweave schedule` answers. Days are
 * matchings of hosts; circuits are up a guard before and after each day.
 */
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "input/json.h"

namespace sim {

/* The destination of a host that has none. */
constexpr uint32_t idle = UINT32_MAX;

struct Day {
    uint64_t start_ns; // from the week's start
    uint64_t duration_ns;
    std::vector<uint32_t> to; // of each host; idle: none

    uint64_t end_ns() const {
        return start_ns + duration_ns;
    }
};

struct Week {
    uint64_t length_ns;
    uint64_t guard_ns;
    std::vector<Day> days; // in order of time, two guards apart at least
};

/*
 * names: the hosts, in the order of their numbers. Throws InputError if a circuit
 * names a host that is not there, a host has two circuits in one direction in a
 * day, or days overlap or leave the week.
 */
Week read_week(const Json &json, const std::vector<std::string> &names);

} // namespace sim
