/* The output of `./evenweave plan`: the fabric, and every switch's groups and flows. */
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "input/json.h"

namespace sim {

/* Minimum rate of links, hosts and offered load, at which a frame takes 12 ms. */
constexpr uint64_t least_bps = 1'000'000;

struct PlanLink {
    std::string a;
    uint32_t a_port;
    std::string b;
    uint32_t b_port;
    uint64_t bps;
};

struct Plan {
    struct Switch {
        std::string id;
        uint32_t stage;
    };
    struct Leaf {
        std::string id;
        std::string prefix;
    };

    std::vector<Switch> switches;
    std::vector<PlanLink> links;
    std::vector<Leaf> leaves; // switches with a prefix each, in the order of the fabric
    /* The slots by switch and prefix; a slot is a port number. */
    std::map<std::string, std::map<std::string, std::vector<uint32_t>>> slots;
};

/*
 * Throws InputError if the plan names an unknown switch, port or group, has duplicates, has a table
 * with more slots than libedge supports, or if a switch has no way to a prefix or ways form a loop.
 */
Plan read_plan(const Json &json);

} // namespace sim
