#include "cases.h"

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

Case small_case(const std::string &scheme, Plan plan, uint32_t hosts) {
    return {
        .scheme = scheme,
        .seed = 1,
        .edge = {.gap_rtts = 1, .guests = {true, scheme == "clove-ecn", scheme == "alb"}},
        .fabric = {.hosts_per_leaf = hosts,
                   .host_bps = 10'000'000'000,
                   .delay_ns = 5000,
                   .buffer_bytes = 400'000,
                   .mark_bytes = 30'000},
        .tcp = {.congestion = Congestion::newreno,
                .segment_bytes = 1460,
                .initial_window = 10,
                .least_rto_ns = 5'000'000,
                .buffer_bytes = 524'288,
                .ack_every = 2},
        .workload =
            FlowSettings{.sizes = Sizes({{0, 0}, {10'000, 0.15}, {1'000'000, 0.7}, {3'000'000, 1}}),
                         .load = 0.5,
                         .any_pair = false,
                         .bisection_bps = hosts * UINT64_C(10'000'000'000),
                         .connections = 2,
                         .flows = 40},
        .plan = std::move(plan),
    };
}

FlowSettings &flows_of(Case &input) {
    return std::get<FlowSettings>(input.workload);
}

} // namespace sim
