/* Sizes drawn from a distribution, and summaries of completion times. */
#include <cmath>
#include <cstring>
#include <random>
#include <sstream>

#include "cases.h"
#include "result/summary.h"
#include "workload/sizes.h"

using namespace sim;

namespace {

void draws_lie_on_the_lines_between_points(void ** /*state*/) {
    Sizes sizes({{100, 0.5}, {200, 0.5}, {300, 1}});
    assert_int_equal(sizes.draw(0), 100);
    assert_int_equal(sizes.draw(0.5), 200);
    assert_int_equal(sizes.draw(0.75), 250);
    assert_int_equal(Sizes({{0, 0}, {10, 1}}).draw(0), 1);
}

void draws_have_the_mean(void ** /*state*/) {
    Sizes sizes({{0, 0}, {10'000, 0.15}, {1'000'000, 0.7}, {30'000'000, 1}});
    std::mt19937_64 random(1);
    double sum = 0;
    constexpr int draws = 200'000;
    for (int i = 0; i < draws; i++)
        sum += static_cast<double>(sizes.draw(static_cast<double>(random() >> 11) * 0x1p-53));
    assert_true(std::abs(sum / draws / sizes.mean() - 1) < 0.01);
}

void points_must_rise_to_one(void ** /*state*/) {
    const std::vector<std::vector<Sizes::Point>> wrong = {
        {{1, 1}}, {{0, 0}, {1, 0.9}}, {{1, 0}, {1, 1}}, {{0, 0.5}, {1, 0.4}, {2, 1}}};
    for (const auto &points : wrong) {
        bool refused = false;
        try {
            Sizes sizes(points);
        } catch (const std::invalid_argument &) {
            refused = true;
        }
        assert_true(refused);
    }
}

void percentiles_are_by_nearest_rank(void ** /*state*/) {
    std::vector<uint64_t> ns;
    for (uint64_t i = 200; i > 0; i--)
        ns.push_back(i);
    Times times = times_of(ns);
    assert_int_equal(times.count, 200);
    assert_true(times.mean_ns == 100.5);
    assert_true(times.percent_ns == std::vector<uint64_t>({10, 20, 50, 100, 150, 180, 190, 198}));
    assert_int_equal(times.percentile_ns(90), 180);
    assert_int_equal(times_of({7}).percentile_ns(99), 7);
    assert_int_equal(times_of({}).count, 0);
}

void a_summary_tells_small_from_large(void ** /*state*/) {
    Result result;
    result.flows = {{99'999, 1}, {100'000, 2}, {10'000'000, 3}, {10'000'001, 4}};
    result.bytes = 1000;
    result.simulated_ns = 1'000'000 + 2000; // the first job arrives after 1 ms
    std::ostringstream out;
    write_summary(out, result);
    auto has = [&](const char *text) { return strstr(out.str().c_str(), text) != nullptr; };
    assert_true(
        has("\"all\":{\"count\":4,\"meanNs\":2.5,\"p5Ns\":1,\"p10Ns\":1,\"p25Ns\":1,"
            "\"p50Ns\":2,\"p75Ns\":3,\"p90Ns\":4,\"p95Ns\":4,\"p99Ns\":4}"));
    assert_true(has("\"small\":{\"count\":1,\"meanNs\":1.0,\"p5Ns\":1,"));
    assert_true(has("\"large\":{\"count\":1,\"meanNs\":4.0,\"p5Ns\":4,"));
    assert_true(has("\"goodputBps\":4000000000.0"));
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(draws_lie_on_the_lines_between_points),
        cmocka_unit_test(draws_have_the_mean),
        cmocka_unit_test(points_must_rise_to_one),
        cmocka_unit_test(percentiles_are_by_nearest_rank),
        cmocka_unit_test(a_summary_tells_small_from_large),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
