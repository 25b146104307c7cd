/* Restoring the order of segments that take several paths, before the guest sees them. */
#include <algorithm>
#include <random>
#include <vector>

#include "cases.h"
#include "host/reassembly.h"
#include "workload/run.h"

using namespace sim;

namespace {

FramePtr segment(uint32_t flow, uint64_t order) {
    auto frame = std::make_unique<Frame>();
    frame->hash = flow;
    frame->order = order;
    return frame;
}

/* With any order of segments of several flows, and any losses. */
void the_ideal_delivers_what_is_not_lost_in_order(void ** /*state*/) {
    constexpr uint32_t flows = 3, segments = 200;
    for (uint32_t seed = 1; seed <= 50; seed++) {
        std::mt19937 random(seed);
        std::vector<std::vector<uint64_t>> delivered(flows), expected(flows);
        IdealReassembly ideal(
            [&](FramePtr frame) { delivered[frame->hash].push_back(frame->order); });
        std::vector<std::pair<uint32_t, uint64_t>> events;
        for (uint32_t flow = 0; flow < flows; flow++)
            for (uint64_t order = 1; order <= segments; order++)
                events.emplace_back(flow, order);
        std::shuffle(events.begin(), events.end(), random);
        for (auto [flow, order] : events) {
            bool is_lost = random() % 10 == 0;
            if (is_lost)
                ideal.lost(*segment(flow, order));
            else {
                ideal.arrive(segment(flow, order));
                expected[flow].push_back(order);
            }
        }
        for (auto &orders : expected)
            std::sort(orders.begin(), orders.end());
        if (delivered != expected)
            print_error("seed %u\n", seed);
        assert_true(delivered == expected);
    }
}

/* Segments that are known to be in order are delivered at once. */
void the_ideal_waits_for_nothing_else(void ** /*state*/) {
    std::vector<uint64_t> delivered;
    IdealReassembly ideal([&](FramePtr frame) { delivered.push_back(frame->order); });
    ideal.arrive(segment(7, 1));
    assert_int_equal(delivered.size(), 1);
    ideal.arrive(segment(7, 3));
    assert_int_equal(delivered.size(), 1);
    ideal.lost(*segment(7, 2));
    assert_true(delivered == std::vector<uint64_t>({1, 3}));
}

/* Packets that alternate between paths of 10 and 1 Gb/s constantly overtake each other. */
Case uneven(InOrder in_order) {
    Case input = small_case("drb", leaf_spine(2, 2, 1, 10'000'000'000), 2);
    for (auto &link : input.plan.links)
        if (link.a == "s1" || link.b == "s1")
            link.bps = 1'000'000'000;
    input.edge.in_order = in_order;
    return input;
}

void under_the_ideal_tcp_recovers_from_drops_only(void ** /*state*/) {
    Result as_it_comes = run(uneven(InOrder::no));
    Result ideal = run(uneven(InOrder::ideal));
    assert_true(as_it_comes.tcp.recoveries > ideal.tcp.recoveries);
    assert_true(ideal.tcp.recoveries <= ideal.links.drops);
    assert_int_equal(ideal.bytes, as_it_comes.bytes);
}

/* No flow that switches between paths waits for ever. */
void every_flow_completes_whoever_puts_it_in_order(void ** /*state*/) {
    const std::vector<const char *> all = {"presto",    "drb", "edge-flowlet",
                                           "clove-ecn", "alb", "clove-int"};
    for (const char *scheme : some_of(all))
        for (InOrder in_order : {InOrder::no, InOrder::timed, InOrder::ideal}) {
            Case input = uneven(in_order);
            input.scheme = scheme;
            input.fabric.buffer_bytes = 20'000; // drops
            Result result = run(input);
            assert_int_equal(result.flows.size(), flows_of(input).flows);
        }
}

/* The spread of the paths' delays lengthens the gap, so there are fewer flowlets. */
void an_adaptive_gap_makes_fewer_flowlets(void ** /*state*/) {
    Case input = uneven(InOrder::no);
    input.scheme = "clove-latency";
    uint64_t fixed = run(input).flowlets;
    input.edge.gap_adapt = 1;
    uint64_t adaptive = run(input).flowlets;
    assert_true(adaptive < fixed);
    assert_true(adaptive >= flows_of(input).connections * input.fabric.hosts_per_leaf);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(the_ideal_delivers_what_is_not_lost_in_order),
        cmocka_unit_test(the_ideal_waits_for_nothing_else),
        cmocka_unit_test(under_the_ideal_tcp_recovers_from_drops_only),
        cmocka_unit_test(every_flow_completes_whoever_puts_it_in_order),
        cmocka_unit_test(an_adaptive_gap_makes_fewer_flowlets),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
