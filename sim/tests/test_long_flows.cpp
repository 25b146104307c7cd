/* Long-lived flows: their pairs, their rates, and the summary. */
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "cases.h"
#include "result/summary.h"
#include "workload/long_flows.h"
#include "workload/run.h"

using namespace sim;

namespace {

constexpr uint64_t link_bps = 10'000'000'000;
/* The share of payload in a full frame on the wire. */
constexpr double payload = 1460.0 / (1460 + header_bytes + framing_bytes);

Case long_case(const std::string &scheme, Plan plan, uint32_t hosts, Pairs pairs, uint32_t flows) {
    Case input = small_case(scheme, std::move(plan), hosts);
    input.tcp.congestion = Congestion::dctcp; // flows converge soon, and no frame is lost
    input.workload = LongFlowSettings{.pairs = pairs,
                                      .flows = flows,
                                      .starts_within_ns = 500'000,
                                      .warm_up_ns = 10'000'000,
                                      .window_ns = 20'000'000};
    return input;
}

double sum_of(const std::vector<double> &values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/*
 * A group-striped fabric with 6 S2 switches and 9 uplinks: the first three switches have two links
 * to the first leaf and one to the last, the others one and two. Groups have `first` slots for each
 * uplink to the first three switches and `others` for each other uplink; ACKs use equal slots.
 */
Plan imbalanced(uint32_t first, uint32_t others) {
    Plan plan;
    plan.switches = {{"l0", 1}, {"l1", 1}};
    plan.leaves = {{"l0", "10.0.0.0/24"}, {"l1", "10.0.1.0/24"}};
    uint32_t up = 0, down = 0;
    for (uint32_t s = 0; s < 6; s++) {
        std::string spine = "s" + std::to_string(s);
        plan.switches.push_back({spine, 2});
        uint32_t to_first = s < 3 ? 2 : 1;
        for (uint32_t i = 1; i <= to_first; i++) {
            plan.links.push_back({"l0", ++up, spine, i, link_bps});
            plan.slots[spine]["10.0.0.0/24"].push_back(i);
            auto &slots = plan.slots["l0"]["10.0.1.0/24"];
            slots.insert(slots.end(), s < 3 ? first : others, up);
        }
        for (uint32_t i = to_first + 1; i <= 3; i++) {
            plan.links.push_back({"l1", ++down, spine, i, link_bps});
            plan.slots[spine]["10.0.1.0/24"].push_back(i);
            plan.slots["l1"]["10.0.0.0/24"].push_back(down);
        }
    }
    return plan;
}

void equal_flows_share_a_link_and_fill_it(void ** /*state*/) {
    Case input = long_case("ecmp", leaf_spine(2, 1, 1, link_bps), 4, Pairs::one_to_one, 8);
    Result result = run(input);
    assert_int_equal(result.rates_bps.size(), 8);
    double sum = sum_of(result.rates_bps);
    assert_true(sum < payload * link_bps);
    assert_true(sum > 0.99 * payload * link_bps);
    /* Windows of a few tens of segments oscillate over about 200 round-trip times. */
    for (double rate : result.rates_bps)
        assert_true(std::abs(rate - sum / 8) < 0.2 * sum / 8);
}

/*
 * With equal slots each of nine uplinks has four of 36 flows, so that eight share the only downlink
 * of each of the first three switches, and four share the only uplink to each of the others: shares
 * of 1/8 and 1/4. With half as many slots for the switches with two uplinks every path has six
 * flows.
 */
void perfect_hashing_gives_what_the_groups_say(void ** /*state*/) {
    for (bool weighted : {false, true}) {
        Case input = long_case("wcmp", weighted ? imbalanced(1, 2) : imbalanced(1, 1), 9,
                               Pairs::one_to_one, 36);
        input.fabric.perfect_hashing = true;
        std::vector<double> rates = run(input).rates_bps;
        std::sort(rates.begin(), rates.end());
        assert_true(std::abs(sum_of(rates) / (6 * payload * link_bps) - 1) < 0.02);
        for (size_t i = 0; i < rates.size(); i++) {
            double share = weighted ? 1 / 6.0 : i < 24 ? 1 / 8.0 : 1 / 4.0;
            assert_true(std::abs(rates[i] / (payload * link_bps * share) - 1) < 0.25);
        }
        double wanted = weighted ? 0 : std::sqrt(1 / 8.0); // standard deviation over mean
        Rates found = rates_of(rates);
        assert_true(std::abs(std::sqrt(found.variance) / found.mean_bps - wanted) < 0.08);
    }
}

void pairs_are_those_that_the_case_names(void ** /*state*/) {
    using Drawn = std::vector<std::pair<uint32_t, uint32_t>>;
    std::mt19937_64 random(1);
    assert_true(draw_pairs(Pairs::one_to_one, 6, 2, random) == Drawn({{0, 4}, {1, 5}}));
    Drawn all = draw_pairs(Pairs::all_to_all, 6, 2, random);
    assert_int_equal(std::set(all.begin(), all.end()).size(), 6 * 4);
    for (uint32_t leaves : {2u, 3u, 8u})
        for (uint32_t hosts : {1u, 2u, 7u}) {
            Drawn drawn = draw_pairs(Pairs::permutation, leaves * hosts, hosts, random);
            std::set<uint32_t> servers;
            for (auto [from, to] : drawn) {
                assert_true(from / hosts != to / hosts);
                servers.insert(to);
            }
            assert_int_equal(drawn.size(), leaves * hosts);
            assert_int_equal(servers.size(), leaves * hosts);
        }
}

/* The second flow begins long after the end of the first: each has the link alone. */
void flows_that_stop_leave_room_for_others(void ** /*state*/) {
    Case input = long_case("ecmp", leaf_spine(2, 1, 1, link_bps), 2, Pairs::one_to_one, 2);
    auto &flows = std::get<LongFlowSettings>(input.workload);
    flows.warm_up_ns = 2'000'000;
    flows.window_ns = 3'000'000;
    flows.starts_within_ns = 1'000'000'000;
    flows.stop = true;
    input.seed = 2; // with 1 both begin within 3 ms
    for (uint32_t subflows : {0u, 3u}) {
        if (subflows > 0)
            input.tcp.congestion = Congestion::newreno;
        input.fabric.buffer_bytes = 10'000'000; // no losses
        input.fabric.mark_bytes = 1'000'000'000;
        input.tcp.subflows = subflows;
        Result result = run(input);
        for (double rate : result.rates_bps)
            assert_true(rate > 0.97 * payload * link_bps);
        /* 5 ms of the link each, plus buffers. */
        assert_true(result.bytes < 2 * (6'250'000 + 1'000'000));
    }
}

void a_seed_gives_the_same_rates(void ** /*state*/) {
    Case input = long_case("ecmp", leaf_spine(3, 2, 1, link_bps), 2, Pairs::permutation, 12);
    std::get<LongFlowSettings>(input.workload).window_ns = 3'000'000;
    auto rates = run(input).rates_bps;
    assert_true(run(input).rates_bps == rates);
    input.seed = 2;
    assert_true(run(input).rates_bps != rates);
}

/*
 * Gaps with sigma 1 have a standard deviation of 1.31 means: 4,000 gaps take 4,000 means, within
 * three times 2.1 %, and their smallest tenth takes less of the time than that of exponential
 * gaps.
 */
void lognormal_gaps_have_the_mean_that_load_says(void ** /*state*/) {
    Case input = small_case("ecmp", leaf_spine(2, 1, 1, link_bps), 2);
    FlowSettings &flows = flows_of(input);
    flows.flows = 4000;
    flows.sizes = Sizes({{99, 0}, {100, 1}});
    flows.load = 0.01;
    flows.bisection_bps = 1'000'000'000;
    flows.gap_sigma = 1;
    double mean_ns = 8e9 * flows.sizes.mean() / 1e7;
    auto ns = static_cast<double>(run(input).simulated_ns - first_job_ns);
    assert_true(std::abs(ns / (4000 * mean_ns) - 1) < 0.063);
}

void rates_are_summed_up(void ** /*state*/) {
    Rates rates = rates_of({4, 1, 3, 2});
    assert_true(rates.mean_bps == 2.5 && rates.variance == 1.25);
    /* 0, 5, 10, 25, 50, 75, 90, 95 and 100 % */
    assert_true(rates.percent_bps == std::vector<double>({1, 1, 1, 1, 2, 3, 4, 4, 4}));
}

void completion_times_are_summed_up_by_size(void ** /*state*/) {
    auto found = by_size({{1000, 1}, {2000, 1000}, {10'000, 3000}, {20'000, 10'000}});
    assert_int_equal(found.size(), 2); // a flow of 1,000 bytes is in no decade
    assert_int_equal(found[0].above, 1000);
    assert_int_equal(found[0].count, 2);
    assert_true(found[0].std_fct_ns == 1000);
    assert_true(std::abs(found[0].mean_bps / ((16e9 + 80e9 / 3) / 2) - 1) < 1e-9);
    assert_true(std::abs(found[0].std_bps / ((80e9 / 3 - 16e9) / 2) - 1) < 1e-9);
    assert_int_equal(found[1].above, 10'000);
    assert_true(found[1].std_fct_ns == 0 && found[1].mean_bps == 16e9);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(equal_flows_share_a_link_and_fill_it),
        cmocka_unit_test(perfect_hashing_gives_what_the_groups_say),
        cmocka_unit_test(pairs_are_those_that_the_case_names),
        cmocka_unit_test(flows_that_stop_leave_room_for_others),
        cmocka_unit_test(a_seed_gives_the_same_rates),
        cmocka_unit_test(lognormal_gaps_have_the_mean_that_load_says),
        cmocka_unit_test(rates_are_summed_up),
        cmocka_unit_test(completion_times_are_summed_up_by_size),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
