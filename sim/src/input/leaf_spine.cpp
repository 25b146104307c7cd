#include "input/leaf_spine.h"

namespace sim {

Plan leaf_spine(uint32_t leaves, uint32_t spines, uint32_t parallel, uint64_t bps) {
    Plan plan;
    auto prefix = [](uint32_t leaf) { return "10.0." + std::to_string(leaf) + ".0/24"; };
    for (uint32_t l = 0; l < leaves; l++) {
        plan.switches.push_back({"l" + std::to_string(l), 1});
        plan.leaves.push_back({"l" + std::to_string(l), prefix(l)});
    }
    for (uint32_t s = 0; s < spines; s++)
        plan.switches.push_back({"s" + std::to_string(s), 2});
    for (uint32_t l = 0; l < leaves; l++)
        for (uint32_t s = 0; s < spines; s++)
            for (uint32_t i = 0; i < parallel; i++) {
                uint32_t up = s * parallel + i + 1;
                uint32_t down = l * parallel + i + 1;
                std::string leaf = "l" + std::to_string(l);
                std::string spine = "s" + std::to_string(s);
                plan.links.push_back({leaf, up, spine, down, bps});
                plan.slots[spine][prefix(l)].push_back(down);
                for (uint32_t to = 0; to < leaves; to++)
                    if (to != l)
                        plan.slots[leaf][prefix(to)].push_back(up);
            }
    return plan;
}

} // namespace sim
