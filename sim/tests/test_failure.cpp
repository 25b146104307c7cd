/* The controller's weights as prior of hosts' paths, and links that fail in the middle of a run. */
#include <numeric>

#include "cases.h"
#include "fabric/fabric.h"
#include "ns3/simulator.h"
#include "workload/run.h"

using namespace sim;

namespace {

constexpr uint64_t bps = 10'000'000'000;

/* Returns the fabric of a case after the second link between its second spine and its last leaf
 * failed: two of the four uplinks lead to that spine, which has half the capacity of the other. */
Plan without_a_link(Plan plan) {
    auto down = [](const PlanLink &link) { return link.a == "l1" && link.a_port == 4; };
    std::erase_if(plan.links, down);
    plan.slots["l0"]["10.0.1.0/24"] = {1, 1, 2, 2, 3, 4};
    plan.slots["l1"]["10.0.0.0/24"] = {1, 2, 3};
    plan.slots["s1"]["10.0.1.0/24"] = {3};
    return plan;
}

Case failing(const std::string &scheme, uint64_t at_ns) {
    Case input = small_case(scheme, leaf_spine(2, 2, 2, bps), 4);
    flows_of(input).flows = 300;
    flows_of(input).connections = 0;
    input.failure = Failure{at_ns, 1'000'000, without_a_link(input.plan)};
    return input;
}

/* Returns the priors of the ways from the first host to the last, by uplink. */
std::vector<uint32_t> priors(Fabric &fabric) {
    const edge_paths &paths = fabric.host(0).edge().paths(7);
    std::vector<uint32_t> found(paths.count);
    for (uint32_t i = 0; i < paths.count; i++)
        found.at(paths.port[i]) = paths.prior[i];
    return found;
}

void assert_shares(const std::vector<uint32_t> &found, const std::vector<double> &shares) {
    assert_int_equal(found.size(), shares.size());
    /* A prior differs by at most one unit for each path. */
    for (size_t i = 0; i < shares.size(); i++)
        assert_true(std::abs(found[i] - shares[i] * EDGE_WEIGHT_ONE) <= 4);
}

void paths_have_the_plans_shares_as_prior_if_the_case_says_so(void ** /*state*/) {
    for (const char *scheme : {"clove-ecn", "alb"}) {
        Case input = failing(scheme, 5'000'000);
        input.plan.slots["l0"]["10.0.1.0/24"] = {1, 2, 2, 3, 3, 4, 4, 4};
        set_tcp_defaults(input.tcp);
        assert_shares(priors(*std::make_unique<Fabric>(input)), {0.25, 0.25, 0.25, 0.25});
        input.edge.prior = true;
        Fabric fabric(input);
        assert_shares(priors(fabric), {0.125, 0.25, 0.25, 0.375});
        fabric.fail();
        assert_shares(priors(fabric), {0.125, 0.25, 0.25, 0.375});
        fabric.follow_plan();
        assert_shares(priors(fabric), {1.0 / 3, 1.0 / 3, 1.0 / 6, 1.0 / 6});
        ns3::Simulator::Destroy();
    }
}

void all_flows_survive_a_link_that_fails(void ** /*state*/) {
    const std::vector<const char *> all = {"ecmp", "wcmp",    "presto", "clove-ecn",
                                           "alb",  "letflow", "conga"};
    for (const char *scheme : some_of(all)) {
        Result result = run(failing(scheme, 5'000'000));
        assert_int_equal(result.flows.size(), 300);
        assert_int_equal(result.sent, result.delivered + result.links.drops);
        assert_true(result.between.at("s1/4").frames > 0);
    }
}

/* Presto follows the weights only: half of the flowcells go to the second spine before, and a third
 * afterwards, each a mean over thousands of frames. */
void traffic_follows_the_plan_after_the_failure(void ** /*state*/) {
    Case input = failing("presto", 11'000'000);
    flows_of(input).flows = 600;
    Result result = run(input);
    const auto &shares = result.lighter_shares;
    assert_int_equal(shares.size(), bins_before + bins_after);
    auto mean = [&](size_t from, size_t count) {
        auto begin = shares.begin() + static_cast<std::ptrdiff_t>(from);
        return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(count), 0.0) /
               static_cast<double>(count);
    };
    assert_true(std::abs(mean(2, bins_before - 2) - 0.5) < 0.03);
    assert_true(std::abs(mean(bins_before + 3, 20) - 1.0 / 3) < 0.03);
}

void a_failure_of_nothing_changes_nothing(void ** /*state*/) {
    const std::vector<const char *> all = {"ecmp", "wcmp", "clove-ecn", "alb"};
    for (const char *scheme : some_of(all)) {
        Case input = failing(scheme, 5'000'000);
        input.failure->after = input.plan;
        Result failed = run(input);
        input.failure.reset();
        Result whole = run(input);
        assert_int_equal(failed.flows.size(), whole.flows.size());
        for (size_t i = 0; i < whole.flows.size(); i++)
            assert_int_equal(failed.flows[i].ns, whole.flows[i].ns);
    }
}

/* A third of the capacity and of the slots leads to the first spine. */
void source_ports_are_hashed_over_the_plans_slots(void ** /*state*/) {
    Case input = small_case("presto", leaf_spine(2, 2, 1, bps), 16);
    input.plan.slots["l0"]["10.0.1.0/24"] = {1, 2, 2};
    input.edge.ports = 64;
    flows_of(input).flows = 200;
    Result result = run(input);
    auto first = static_cast<double>(result.between.at("l0/1").bytes);
    auto second = static_cast<double>(result.between.at("l0/2").bytes);
    /* 16 hosts with 64 ports each: a share's standard deviation is 0.015. */
    assert_true(std::abs(first / (first + second) - 1.0 / 3) < 0.06);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(paths_have_the_plans_shares_as_prior_if_the_case_says_so),
        cmocka_unit_test(all_flows_survive_a_link_that_fails),
        cmocka_unit_test(traffic_follows_the_plan_after_the_failure),
        cmocka_unit_test(a_failure_of_nothing_changes_nothing),
        cmocka_unit_test(source_ports_are_hashed_over_the_plans_slots),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
