/* The choices of switches. */
#include <algorithm>
#include <cmath>
#include <map>

#include "cases.h"
#include "host/host.h"
#include "switch/choice.h"

using namespace sim;

namespace {

constexpr uint32_t flows = 40'000;

/* Returns a flow between few hosts, with consecutive addresses and ports. */
Frame flow(uint32_t number) {
    Frame frame;
    frame.hash = flow_hash(number % 16, 16 + number / 16 % 16, 49152 + number / 256, 5000);
    return frame;
}

void equal_slots_share_flows_evenly(void ** /*state*/) {
    TableChoice choice(equal_tables({{1, 2, 3, 4}}), 1);
    std::map<uint32_t, double> count;
    for (uint32_t i = 0; i < flows; i++) {
        Frame frame = flow(i);
        count[choice.port(frame, 0, 0, 0)]++;
    }
    assert_int_equal(count.size(), 4);
    double chi_square = 0;
    for (const auto &[port, n] : count)
        chi_square += (n - flows / 4.0) * (n - flows / 4.0) / (flows / 4.0);
    assert_true(chi_square < 11.34); // 3 degrees of freedom, 1 %
}

void slots_of_a_plan_share_flows_by_weight(void ** /*state*/) {
    edge_multipath table{.slots = 6, .port = {1, 1, 2, 2, 3, 4}};
    TableChoice choice({table}, 1);
    std::map<uint32_t, double> count;
    for (uint32_t i = 0; i < flows; i++) {
        Frame frame = flow(i);
        count[choice.port(frame, 0, 0, 0)]++;
    }
    const double share[] = {0, 2, 2, 1, 1};
    double chi_square = 0;
    for (uint32_t port = 1; port <= 4; port++) {
        double wanted = flows * share[port] / 6;
        chi_square += (count[port] - wanted) * (count[port] - wanted) / wanted;
    }
    assert_true(chi_square < 11.34);
}

/* For any number of flows, each port has its share of them, rounded up or down. */
void dealt_slots_share_flows_perfectly(void ** /*state*/) {
    DealtChoice choice({edge_multipath{.slots = 6, .port = {1, 1, 2, 2, 3, 4}}});
    const double share[] = {0, 2, 2, 1, 1};
    std::map<uint32_t, double> count;
    std::map<uint32_t, uint32_t> of;
    for (uint32_t i = 0; i < 600; i++) {
        Frame frame = flow(i);
        of[i] = choice.port(frame, 0, 0, 0);
        count[of[i]]++;
        for (uint32_t port = 1; port <= 4; port++)
            assert_true(std::abs(count[port] - (i + 1) * share[port] / 6) <= 1);
    }
    for (uint32_t i = 0; i < 600; i++) {
        Frame frame = flow(i);
        assert_int_equal(choice.port(frame, 0, 0, 0), of[i]);
    }
}

void tiers_choose_independently(void ** /*state*/) {
    TableChoice first(equal_tables({{1, 2, 3, 4}}), 1);
    TableChoice second(equal_tables({{1, 2, 3, 4}}), 2);
    std::map<std::pair<uint32_t, uint32_t>, int> count;
    for (uint32_t i = 0; i < flows; i++) {
        Frame frame = flow(i);
        count[{first.port(frame, 0, 0, 0), second.port(frame, 0, 0, 0)}]++;
    }
    assert_int_equal(count.size(), 16);
    for (const auto &[pair, n] : count)
        assert_in_range(n, flows / 16 * 8 / 10, flows / 16 * 12 / 10);
}

void a_path_is_an_uplink(void ** /*state*/) {
    PathChoice choice({{}, {3, 5, 6}});
    const uint32_t uplinks[] = {3, 5, 6};
    for (uint32_t path = 0; path < 3; path++) {
        Frame frame;
        frame.path = path;
        assert_int_equal(choice.port(frame, 1, 0, 0), uplinks[path]);
    }
}

void a_spine_keeps_links_aligned_and_shares_what_is_left(void ** /*state*/) {
    Frame frame;
    AlignedChoice whole({{1, 2}, {3, 4}});
    assert_int_equal(whole.port(frame, 1, 1, 0), 3);
    assert_int_equal(whole.port(frame, 1, 2, 0), 4);
    assert_int_equal(whole.port(frame, 0, 4, 0), 2);
    AlignedChoice failed({{1, 2}, {3}});
    assert_int_equal(failed.port(frame, 1, 1, 0), 3);
    assert_int_equal(failed.port(frame, 1, 2, 0), 3);
    assert_int_equal(failed.port(frame, 0, 3, 0), 1);
}

void conga_leaves_the_uplink_that_another_leaf_reports_loaded(void ** /*state*/) {
    const uint64_t bps = 10'000'000'000;
    LeafChoice leaf(EDGE_LEAF_CONGA, 50'000, {1, 2}, {bps, bps}, 1);
    edge_option option{};
    std::map<uint32_t, int> count;
    for (uint32_t i = 0; i < 1000; i++) {
        uint64_t now = 1'000'000 + i * UINT64_C(1'000'000); // the leaf's own loads have decayed
        Frame reply;
        reply.tag.feedback_uplink = 0;
        reply.tag.feedback_level = 5;
        leaf.arrived(reply, 1, now);
        Frame frame = flow(i);
        frame.bytes = 100;
        edge_option_write(frame.option.data(), &option);
        count[leaf.port(frame, 1, 0, now)]++;
    }
    assert_int_equal(count[2], 1000);
}

void a_leaf_counts_how_often_a_flow_with_data_changes_its_path(void ** /*state*/) {
    const uint64_t bps = 10'000'000'000;
    LeafChoice leaf(EDGE_LEAF_LETFLOW, 50'000, {1, 2}, {bps, bps}, 1);
    edge_option option{};
    uint32_t before = 0, changes = 0;
    for (uint32_t i = 0; i < 100; i++) {
        Frame frame = flow(7);
        frame.fields.payload = 1000;
        edge_option_write(frame.option.data(), &option);
        uint32_t now_on = leaf.port(frame, 1, 0, 1'000'000 + i * UINT64_C(100'000));
        changes += i > 0 && now_on != before;
        before = now_on;
        Frame ack = flow(8);
        edge_option_write(ack.option.data(), &option);
        leaf.port(ack, 1, 0, 1'000'000 + i * UINT64_C(100'000));
    }
    std::vector<Reroutes> found;
    leaf.collect(found);
    assert_int_equal(found.size(), 1);
    assert_int_equal(found[0].count(), changes);
    assert_int_equal(found[0].bytes(), 100'000);
    assert_true(changes > 0);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(equal_slots_share_flows_evenly),
        cmocka_unit_test(slots_of_a_plan_share_flows_by_weight),
        cmocka_unit_test(dealt_slots_share_flows_perfectly),
        cmocka_unit_test(tiers_choose_independently),
        cmocka_unit_test(a_path_is_an_uplink),
        cmocka_unit_test(a_spine_keeps_links_aligned_and_shares_what_is_left),
        cmocka_unit_test(a_leaf_counts_how_often_a_flow_with_data_changes_its_path),
        cmocka_unit_test(conga_leaves_the_uplink_that_another_leaf_reports_loaded),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
