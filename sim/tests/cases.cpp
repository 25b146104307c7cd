#include "cases.h"

#include <algorithm>
#include <cstdlib>

#include "fabric/scheme.h"

namespace sim {

Case small_case(const std::string &scheme, Plan plan, uint32_t hosts) {
    return {
        .scheme = scheme,
        .seed = 1,
        .edge = {.gap_rtts = 1,
                 .guests = {true, scheme == "clove-ecn", scheme == "alb"},
                 .in_order =
                     find_scheme(scheme)->host == EDGE_PRESTO ? InOrder::timed : InOrder::no},
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

size_t tries(size_t all) {
    const char *percent = std::getenv("EVENWEAVE_TRIES_PERCENT");
    size_t share = percent ? std::strtoul(percent, nullptr, 10) : 100;
    return std::max<size_t>(1, (all * share + 99) / 100);
}

} // namespace sim
