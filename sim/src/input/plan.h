/*
 * An answer of `./evenweave plan`: the fabric, and every switch's groups and
 * flows.
 */
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "input/json.h"

namespace sim {

/* Of links, hosts and offered load: a frame takes 12 ms. */
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
    std::vector<Leaf> leaves; // switches with a prefix, one each, in the order of the fabric
    /* The slots towards a prefix, each a port number: by switch and prefix. */
    std::map<std::string, std::map<std::string, std::vector<uint32_t>>> slots;
};

/*
 * Throws InputError if anything names a switch, port or group that is not
 * there, or has two of what there may be one of, if a table has more slots than
 * libedge's, if a switch has no way to a prefix, or ways make a loop.
 */
Plan read_plan(const Json &json);

} // namespace sim
