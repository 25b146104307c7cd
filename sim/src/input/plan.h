/* The output of `./evenweave plan`: the fabric, and every switch's groups and flows. */
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sim {

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

} // namespace sim
