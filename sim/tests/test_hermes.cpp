/* Hermes: its decisions compared with a simple model, and the effect of each rule. */
#include "cases.h"
#include "fabric/port.h"
#include "host/hermes.h"
#include "host/probing.h"
#include "ns3/simulator.h"
#include "plain_hermes.h"

using namespace sim;

namespace {

constexpr uint32_t rtt_ns = 50'000;
constexpr uint64_t link_bps = 10'000'000'000;
constexpr uint32_t us = 1000;
constexpr uint64_t ms = 1'000'000;

HermesParams params() {
    return hermes_defaults(edge_defaults(EDGE_ECMP, rtt_ns, link_bps));
}

/* Two leaves with two hosts each; paths differ, and become better and worse. */
void it_decides_as_a_plain_model_does(void ** /*state*/) {
    const std::vector<uint32_t> leaf_of = {0, 0, 1, 1};
    int placed = 0, moved = 0, stayed = 0, failed = 0;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        std::mt19937 random(seed);
        auto below = [&](uint32_t end) { return static_cast<uint32_t>(random() % end); };
        Hermes hermes(params(), link_bps, seed);
        PlainHermes plain(params(), 4, leaf_of);
        for (uint32_t to = 0; to < 4; to++)
            hermes.set_paths(to, leaf_of[to], 4);
        std::map<uint32_t, uint32_t> next; // by flow
        uint64_t now = 1 * ms;
        for (int event = 0; event < 1500; event++) {
            bool is_pause = below(100) == 0;
            now += is_pause ? 6 * ms : below(40 * us);
            uint32_t path = below(4);
            uint32_t load = (path + static_cast<uint32_t>(now / (20 * ms))) % 4;
            uint32_t delay = 25 * us + load * 70 * us + below(20 * us);
            bool marked = below(4) < load;
            uint32_t to = below(4);
            switch (below(3)) {
            case 0:
                hermes.acknowledged(to, path, delay, marked, now);
                plain.acknowledged(to, path);
                plain.heard(leaf_of[to], path, delay, marked, now);
                break;
            case 1:
                hermes.probed(leaf_of[to], path, delay, marked, now);
                plain.heard(leaf_of[to], path, delay, marked, now);
                break;
            default:
                uint32_t flow = below(6);
                uint32_t payload = below(10) == 0 ? 0 : 20'000;
                bool again = below(seed % 2 ? 40 : 200) == 0 && next[flow] > payload;
                uint32_t sequence = again ? next[flow] - payload : next[flow];
                HermesPacket packet = {flow % 4, flow + 100, sequence, payload, payload + 40};
                next[flow] = std::max(next[flow], sequence + payload);
                auto allowed = plain.may_take(packet, now);
                uint32_t taken = hermes.choose(packet, now);
                assert_true(allowed.contains(taken));
                plain.took(packet, taken);
            }
        }
        placed += plain.placed;
        moved += plain.moved;
        stayed += plain.stayed;
        failed += plain.failed;
    }
    /* Every rule was applied. */
    assert_true(placed > 0 && moved > 0 && stayed > 0 && failed > 0);
}

/* One host with two paths, whose state the test sets. */
struct Two {
    Hermes hermes{params(), link_bps, 1};
    uint64_t now = 100 * ms;

    Two() {
        hermes.set_paths(9, 1, 2);
    }

    void say(uint32_t path, uint32_t delay_ns, bool marked) {
        for (int i = 0; i < 40; i++)
            hermes.acknowledged(9, path, delay_ns, marked, now);
    }

    uint32_t send(uint32_t sequence, uint32_t payload) {
        return hermes.choose({9, 7, sequence, payload, payload + 40}, now);
    }

    /* Creates a flow that has sent `bytes` on a good path, with `gap_ns` between segments. */
    uint32_t flow(uint32_t bytes, uint64_t gap_ns) {
        say(0, rtt_ns / 2, false);
        say(1, rtt_ns * 4, true);
        assert_int_equal(send(0, 10'000), 0);
        for (uint32_t sent = 10'000; sent < bytes; sent += 10'000) {
            now += gap_ns;
            assert_int_equal(send(sent, 10'000), 0);
            say(0, rtt_ns / 2, false);
        }
        now += gap_ns;
        return bytes;
    }
};

constexpr uint64_t slow_ns = 40 * us; // 10 KB per gap: 2 Gb/s, below 30 % of the link
constexpr uint64_t fast_ns = 10 * us; // 8 Gb/s

void a_path_is_good_or_congested_by_both_signals(void ** /*state*/) {
    Two two;
    assert_int_equal(two.hermes.type(9, 0, two.now), PathType::gray); // unknown path
    two.say(0, rtt_ns / 2 + 10 * us, false);
    assert_int_equal(two.hermes.type(9, 0, two.now), PathType::good);
    two.say(0, rtt_ns / 2 + 10 * us, true);
    assert_int_equal(two.hermes.type(9, 0, two.now), PathType::gray);
    two.say(0, 300 * us, true);
    assert_int_equal(two.hermes.type(9, 0, two.now), PathType::congested);
    two.say(0, 300 * us, false);
    assert_int_equal(two.hermes.type(9, 0, two.now), PathType::gray);
    two.say(0, 300 * us, true);
    assert_int_equal(two.hermes.type(9, 0, two.now + params().age_ns), PathType::gray);
}

void a_flow_moves_only_if_it_has_sent_much_is_slow_and_gains_notably(void ** /*state*/) {
    struct {
        uint32_t bytes;
        uint64_t gap_ns;
        uint32_t other_ns; // delay of the other path
        bool moves;
    } const cases[] = {
        {700'000, slow_ns, 30 * us, true},
        {500'000, slow_ns, 30 * us, false},  // small so far
        {700'000, fast_ns, 30 * us, false},  // fast
        {700'000, slow_ns, 250 * us, false}, // not notably better
    };
    for (const auto &one : cases) {
        Two two;
        uint32_t sequence = two.flow(one.bytes, one.gap_ns);
        two.say(0, 300 * us, true);
        two.say(1, one.other_ns, false);
        assert_int_equal(two.send(sequence, 10'000), one.moves ? 1 : 0);
    }
}

void a_path_on_which_too_much_is_sent_again_has_failed(void ** /*state*/) {
    for (uint32_t again : {1u, 4u}) {
        Two two;
        two.say(0, rtt_ns / 2, false);
        two.say(1, rtt_ns, true);
        uint32_t sequence = 0;
        for (uint32_t i = 0; i < 202; i++, two.now += 50 * us) {
            two.say(0, rtt_ns / 2, false);
            bool resent = i >= 100 && i < 100 + again;
            uint32_t path = two.send(resent ? sequence - 1000 : sequence, 1000);
            sequence += resent ? 0 : 1000;
            assert_true(again > 1 || path == 0);
        }
        bool failed = two.hermes.type(9, 0, two.now) == PathType::failed;
        assert_int_equal(failed, again == 4);
        if (failed) {
            assert_int_equal(two.send(sequence, 1000), 1);
            two.now += params().failed_ns;
            assert_true(two.hermes.type(9, 0, two.now) != PathType::failed);
        }
    }
}

/* They are delayed by the queue of the congested path, not by the new path. */
void what_was_sent_before_a_flow_moved_does_not_count_against_its_new_path(void ** /*state*/) {
    Two two;
    uint32_t end = two.flow(700'000, slow_ns);
    two.say(0, 300 * us, true);
    two.say(1, 30 * us, false);
    assert_int_equal(two.send(end, 1000), 1);
    for (uint32_t i = 0; i < 300; i++, two.now += 50 * us) {
        two.say(1, 30 * us, false);
        bool again = i % 3 == 0;
        assert_int_equal(two.send(again ? end - 200'000 + i * 500 : end + 1000 * i, 1000), 1);
        assert_int_equal(two.hermes.type(9, 1, two.now), PathType::good);
    }
}

/* A packet blackhole, for one pair of hosts only. */
void three_timeouts_without_an_ack_fail_the_path_of_that_pair(void ** /*state*/) {
    Two two;
    two.hermes.set_paths(8, 1, 2);
    uint32_t path = two.send(0, 1000);
    uint32_t timeouts[2] = {};
    for (int i = 0; i < 6; i++) {
        two.now += params().timeout_ns;
        timeouts[path]++;
        path = two.send(0, 1000);
        for (uint32_t p = 0; p < 2; p++) {
            bool failed = two.hermes.type(9, p, two.now) == PathType::failed;
            assert_int_equal(failed, timeouts[p] >= params().timeouts);
            assert_true(two.hermes.type(8, p, two.now) != PathType::failed);
        }
    }
}

void an_ack_between_timeouts_clears_the_path(void ** /*state*/) {
    Two two;
    uint32_t path = two.send(0, 1000);
    for (int i = 0; i < 12; i++) {
        two.now += params().timeout_ns;
        two.hermes.acknowledged(9, path, rtt_ns / 2, false, two.now);
        path = two.send(0, 1000);
        assert_true(two.hermes.type(9, 0, two.now) != PathType::failed);
        assert_true(two.hermes.type(9, 1, two.now) != PathType::failed);
    }
}

/* The test answers probes, and one path is better than the others. */
void a_rack_probes_the_best_path_and_two_at_random_until_nothing_is_sent(void ** /*state*/) {
    constexpr uint32_t paths = 8, best = 5;
    const std::vector<uint32_t> leaf_of = {0, 0, 1, 1};
    HermesParams limits = params();
    std::vector<std::pair<uint64_t, uint32_t>> sent;
    Prober *rack = nullptr;
    Prober prober(
        0, leaf_of, limits,
        [&](FramePtr probe) {
            assert_int_equal(probe->to, 2);
            sent.emplace_back(now_ns(), probe->path);
            uint64_t delay = probe->path == best ? 30 * us : 300 * us;
            FramePtr back = Prober::answer(*probe, now_ns() + delay);
            auto *frame = back.release();
            ns3::Simulator::Schedule(ns3::NanoSeconds(2 * delay), [&rack, frame] {
                rack->take(*frame);
                delete frame;
            });
        },
        1);
    rack = &prober;
    Hermes first(limits, link_bps, 1), second(limits, link_bps, 2);
    for (Hermes *hermes : {&first, &second}) {
        for (uint32_t to = 0; to < 4; to++)
            hermes->set_paths(to, leaf_of[to], paths);
        prober.add(*hermes);
    }
    prober.add_leaf(1, 2, paths);
    ns3::Simulator::Schedule(ns3::MilliSeconds(1), [&] {
        prober.sent_to(1); // in the same rack
        assert_int_equal(sent.size(), 0);
        prober.sent_to(3);
    });
    ns3::Simulator::Schedule(ns3::MilliSeconds(40), [&] {
        assert_int_equal(first.type(3, best, now_ns()), PathType::good);
        assert_int_equal(second.type(2, best, now_ns()), PathType::good);
    });
    ns3::Simulator::Run();
    uint64_t rounds = limits.probe_idle_ns / limits.probe_ns + 1;
    assert_int_equal(sent.size(), 3 * rounds);
    std::map<uint32_t, uint32_t> count;
    for (const auto &[at, path] : sent) {
        assert_int_equal((at - 1 * ms) % limits.probe_ns, 0);
        count[path]++;
    }
    /* Once found, the best path is probed in each round. The probability that two draws of eight
     * miss it for 40 rounds is (7/8)^80 < 3e-5. */
    assert_in_range(count[best], rounds - 40, 3 * rounds);
    for (uint32_t path = 0; path < paths; path++)
        assert_true(count[path] > 0);
    ns3::Simulator::Destroy();
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(it_decides_as_a_plain_model_does),
        cmocka_unit_test(a_path_is_good_or_congested_by_both_signals),
        cmocka_unit_test(a_flow_moves_only_if_it_has_sent_much_is_slow_and_gains_notably),
        cmocka_unit_test(a_path_on_which_too_much_is_sent_again_has_failed),
        cmocka_unit_test(what_was_sent_before_a_flow_moved_does_not_count_against_its_new_path),
        cmocka_unit_test(three_timeouts_without_an_ack_fail_the_path_of_that_pair),
        cmocka_unit_test(an_ack_between_timeouts_clears_the_path),
        cmocka_unit_test(a_rack_probes_the_best_path_and_two_at_random_until_nothing_is_sent),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
