/* A host's edge and the feedback that it receives. */
#include <array>
#include <cmath>
#include <vector>

#include "cases.h"
#include "host/edge.h"

using namespace sim;

namespace {

constexpr uint32_t rtt_ns = 50'000;
constexpr uint32_t us = 1000;
constexpr uint32_t here = 0;
constexpr uint32_t there = 1;
constexpr Segment data = {.hash = 11, .reverse_hash = 22, .sequence = 1, .payload = 1460};
constexpr Segment ack = {.hash = 22, .reverse_hash = 11, .sequence = 1, .payload = 0};

/* Two hosts between which the test carries frames. */
struct Pair {
    Edge client;
    Edge server;

    explicit Pair(edge_scheme scheme, bool guests_see_marks = true)
        : Pair(scheme, {guests_see_marks, scheme == EDGE_CLOVE_ECN, scheme == EDGE_ALB}) {
    }

    Pair(edge_scheme scheme, const Guests &guests, InOrder in_order = InOrder::no)
        : client(edge_defaults(scheme, rtt_ns, 10'000'000'000), guests, in_order, 1),
          server(edge_defaults(scheme, rtt_ns, 10'000'000'000), guests, in_order, 2) {
        const uint32_t weights[] = {1, 1};
        client.set_paths(there, there, weights);
        server.set_paths(here, here, weights);
    }

    Frame send(uint64_t now_ns) {
        Frame frame;
        frame.segment = ns3::Create<ns3::Packet>(data.payload);
        frame.from = here;
        frame.to = there;
        frame.bytes = 1500;
        frame.inner_capable = true;
        client.send(frame, data, now_ns);
        return frame;
    }

    Frame acknowledge(uint64_t now_ns) {
        Frame frame;
        frame.segment = ns3::Create<ns3::Packet>(0);
        frame.from = there;
        frame.to = here;
        frame.bytes = header_bytes;
        server.send(frame, ack, now_ns);
        return frame;
    }

    /* Carries a segment that is marked on its way, and its ACK. path: the client's number of the
     * segment's path. */
    Verdict marked_round(uint64_t now_ns, uint32_t &path) {
        Frame frame = send(now_ns);
        path = frame.option[2];
        frame.marked = true;
        server.receive(frame, data, now_ns + 20 * us);
        return client.receive(acknowledge(now_ns + 20 * us), ack, now_ns + 40 * us);
    }
};

void clove_hides_marks_until_all_paths_are_congested(void ** /*state*/) {
    Pair pair(EDGE_CLOVE_ECN);
    uint32_t first = 0;
    assert_false(pair.marked_round(1000 * us, first).add_echo);
    assert_true(pair.client.paths(there).weight[first] <
                pair.client.paths(there).weight[1 - first]);
    /* Both paths are marked within the 2 RTT for which a path counts as congested. */
    bool echo = false;
    for (uint32_t path = 0; path < 2; path++) {
        Frame frame = pair.send(2000 * us);
        frame.option[2] = static_cast<uint8_t>(path);
        frame.marked = true;
        pair.server.receive(frame, data, 2020 * us);
        echo = pair.client.receive(pair.acknowledge(2020 * us), ack, 2040 * us).add_echo;
        assert_int_equal(echo, path == 1);
    }
}

void clove_masks_the_underlays_marks_but_not_the_hosts_own(void ** /*state*/) {
    Pair pair(EDGE_CLOVE_ECN);
    Frame frame = pair.send(1000 * us);
    assert_true(frame.ecn_capable);
    frame.marked = true;
    assert_false(pair.server.receive(frame, data, 1020 * us).marked);
    frame.inner_marked = true;
    assert_true(pair.server.receive(frame, data, 1020 * us).marked);
}

void guests_that_do_not_know_the_underlay_have_no_packets_marked(void ** /*state*/) {
    Pair seeing(EDGE_FLOWLET, true);
    Pair blind(EDGE_FLOWLET, false);
    Frame frame = seeing.send(1000 * us);
    assert_true(frame.ecn_capable);
    frame.marked = true;
    assert_true(seeing.server.receive(frame, data, 1020 * us).marked);
    assert_false(blind.send(1000 * us).ecn_capable);
}

void hermes_sees_marks_whether_or_not_guests_do(void ** /*state*/) {
    for (bool guests_see : {true, false}) {
        Pair pair(EDGE_ECMP, {guests_see, false, false});
        auto limits = hermes_defaults(pair.client.params());
        auto hermes = std::make_unique<Hermes>(limits, 10'000'000'000, 1);
        hermes->set_paths(there, there, 2);
        pair.client.set_hermes(std::move(hermes));
        auto back = std::make_unique<Hermes>(limits, 10'000'000'000, 2);
        back->set_paths(here, here, 2);
        pair.server.set_hermes(std::move(back));
        uint32_t path = 0;
        for (int i = 0; i < 40; i++) {
            Frame frame = pair.send(1000 * us);
            path = frame.path;
            assert_true(frame.ecn_capable);
            frame.marked = true;
            assert_int_equal(pair.server.receive(frame, data, 1300 * us).marked, guests_see);
            pair.client.receive(pair.acknowledge(1300 * us), ack, 1320 * us);
        }
        PathType congested = PathType::congested;
        assert_int_equal(pair.client.hermes()->type(there, path, 1320 * us), congested);
        PathType unknown = PathType::gray;
        assert_int_equal(pair.client.hermes()->type(there, 1 - path, 1320 * us), unknown);
    }
}

void clove_int_takes_the_path_that_is_reported_least_utilised(void ** /*state*/) {
    Pair pair(EDGE_CLOVE_INT);
    uint64_t now = 1000 * us;
    for (uint32_t path = 0; path < 2; path++) {
        Frame frame = pair.send(now);
        frame.path = path;
        frame.option[2] = static_cast<uint8_t>(path);
        frame.utilisation = path == 0 ? 60'000 : 10'000;
        pair.server.receive(frame, data, now);
        pair.client.receive(pair.acknowledge(now), ack, now);
    }
    assert_int_equal(pair.client.paths(there).metric[0], 60'000);
    for (uint32_t i = 1; i < 10; i++)
        assert_int_equal(pair.send(now + i * 300 * us).path, 1);
}

void alb_ignores_the_echo_of_a_path_that_the_flow_has_left(void ** /*state*/) {
    Pair pair(EDGE_ALB);
    Frame frame = pair.send(1000 * us);
    pair.server.receive(frame, data, 1020 * us);
    Frame back = pair.acknowledge(1020 * us);
    assert_false(pair.client.receive(back, ack, 1040 * us).path_changed);
    back.stamps.path = 1 - frame.path;
    assert_true(pair.client.receive(back, ack, 1040 * us).path_changed);
}

void ack_correction_is_a_setting_of_any_scheme(void ** /*state*/) {
    for (bool corrects : {false, true})
        for (edge_scheme scheme : {EDGE_ALB, EDGE_CLOVE_ECN}) {
            Pair pair(scheme, {true, false, corrects});
            Frame frame = pair.send(1000 * us);
            pair.server.receive(frame, data, 1020 * us);
            Frame back = pair.acknowledge(1020 * us);
            back.stamps.path = 1 - frame.path;
            assert_int_equal(pair.client.receive(back, ack, 1040 * us).path_changed, corrects);
        }
}

void clove_shows_marks_where_it_is_not_to_mask_them(void ** /*state*/) {
    Pair pair(EDGE_CLOVE_ECN, {true, false, false});
    Frame frame = pair.send(1000 * us);
    frame.marked = true;
    assert_true(pair.server.receive(frame, data, 1020 * us).marked);
    assert_false(pair.client.receive(pair.acknowledge(1020 * us), ack, 1040 * us).add_echo);
}

void alb_takes_the_path_whose_delay_is_least_over_its_baseline(void ** /*state*/) {
    Pair pair(EDGE_ALB);
    uint64_t now = 1000 * us;
    const uint32_t delay_us[2][2] = {{20, 90}, {40, 45}}; // first and later, by path
    for (uint32_t round = 0; round < 2; round++, now += 100 * us)
        for (uint32_t path = 0; path < 2; path++) {
            Frame frame = pair.send(now);
            frame.path = path;
            frame.option[2] = static_cast<uint8_t>(path);
            pair.server.receive(frame, data, now + delay_us[path][round] * us);
            Frame back = pair.acknowledge(now + delay_us[path][round] * us);
            back.stamps.known = false; // without round-trip times the baseline stays
            pair.client.receive(back, ack, now + delay_us[path][round] * us);
        }
    assert_int_equal(pair.client.paths(there).metric[0], 70 * us);
    assert_int_equal(pair.client.paths(there).metric[1], 5 * us);
    assert_int_equal(pair.send(now + 300 * us).path, 1);
}

void clove_latency_takes_the_path_of_least_delay(void ** /*state*/) {
    Pair pair(EDGE_CLOVE_LATENCY);
    uint64_t now = 1000 * us;
    const uint32_t delay_us[2] = {90, 45};
    for (uint32_t path = 0; path < 2; path++) {
        Frame frame = pair.send(now);
        frame.path = path;
        frame.option[2] = static_cast<uint8_t>(path);
        pair.server.receive(frame, data, now + delay_us[path] * us);
        pair.client.receive(pair.acknowledge(now + 90 * us), ack, now + 100 * us);
    }
    assert_int_equal(pair.client.paths(there).metric[0], 90 * us);
    assert_int_equal(pair.client.paths(there).metric[1], 45 * us);
    for (uint32_t i = 1; i < 10; i++)
        assert_int_equal(pair.send(now + i * 300 * us).path, 1);
}

void what_is_learned_of_a_host_holds_for_all_that_share_its_table(void ** /*state*/) {
    constexpr uint32_t beside = 2, elsewhere = 3;
    const uint32_t weights[] = {1, 1};
    Pair pair(EDGE_ALB);
    pair.client.set_paths(beside, there, weights);
    pair.client.set_paths(elsewhere, elsewhere, weights);
    for (uint32_t delay_us : {20u, 90u}) {
        pair.server.receive(pair.send(1000 * us), data, (1000 + delay_us) * us);
        Frame back = pair.acknowledge((1000 + delay_us) * us);
        back.stamps.known = false; // without round-trip times the baseline stays
        pair.client.receive(back, ack, 1100 * us);
    }
    uint32_t path = pair.send(1000 * us).path;
    assert_int_equal(pair.client.paths(there).metric[path], 70 * us);
    assert_int_equal(pair.client.paths(beside).metric[path], 70 * us);
    assert_int_equal(pair.client.paths(elsewhere).metric[path], 0);
}

void alb_probes_only_with_reports_that_no_packet_took_back(void ** /*state*/) {
    Pair pair(EDGE_ALB);
    Frame probe;
    pair.server.receive(pair.send(1000 * us), data, 1020 * us);
    assert_false(pair.server.probe(here, probe, 1020 * us + rtt_ns));
    assert_true(pair.server.probe(here, probe, 1020 * us + 2 * rtt_ns));
    assert_false(pair.server.probe(here, probe, 1020 * us + 5 * rtt_ns));
    probe.from = there;
    pair.client.receive(probe, Segment{}, 1200 * us);
    Frame answer;
    assert_false(pair.client.probe(there, answer, 2000 * us));
}

/*
 * If hosts rarely send twice to the same one, almost all flowlets are first ones. If all hosts
 * began with the same way, its link would have all traffic (measured with Clove-ECN: 970 of 1,000
 * flows, and 1.7 times the completion time at a load of 20 %).
 */
void hosts_begin_their_turns_on_different_ways(void ** /*state*/) {
    constexpr uint32_t hosts = 32, ways = 8;
    const std::vector<uint32_t> weights(ways, 1);
    for (edge_scheme scheme : {EDGE_CLOVE_ECN, EDGE_PRESTO}) {
        std::array<uint32_t, ways> first{};
        for (uint32_t host = 0; host < hosts; host++) {
            Edge edge(edge_defaults(scheme, rtt_ns, 10'000'000'000), Guests{}, InOrder::no,
                      0x9e3779b97f4a7c15 * (host + 1));
            for (uint32_t to = 0; to < hosts; to++) {
                edge.set_paths(to, to, weights);
                Frame frame;
                frame.segment = ns3::Create<ns3::Packet>(data.payload);
                frame.from = host;
                frame.to = to;
                frame.bytes = 1500;
                Segment segment = data;
                segment.hash = 1 + host * hosts + to;
                edge.send(frame, segment, 1000 * us);
                first.at(frame.path)++;
            }
        }
        /* Six standard errors of a binomial draw. */
        const double mean = static_cast<double>(hosts) * hosts / ways;
        for (uint32_t count : first)
            assert_true(std::abs(count - mean) < 6 * std::sqrt(mean * (1 - 1.0 / ways)));
    }
}

void priors_are_those_of_the_ways_wherever_turns_begin(void ** /*state*/) {
    constexpr uint32_t ways = 4;
    const std::vector<uint32_t> before = {1, 2, 4, 8}, after = {8, 4, 2, 1};
    for (uint32_t seed = 0; seed < 16; seed++) {
        Edge edge(edge_defaults(EDGE_PRESTO, rtt_ns, 10'000'000'000), Guests{}, InOrder::no, seed);
        edge.set_paths(there, there, before);
        for (const auto &weights : {before, after}) {
            edge.set_priors(there, weights);
            const edge_paths &paths = edge.paths(there);
            for (uint32_t i = 0; i < paths.count; i++)
                /* A weight differs by at most one unit for each path. */
                assert_int_equal((paths.weight[i] + ways) * 15 / EDGE_WEIGHT_ONE,
                                 weights[paths.port[i]]);
        }
    }
}

void presto_numbers_data_and_changes_path_by_size_only(void ** /*state*/) {
    Pair pair(EDGE_PRESTO, {true, false, false}, InOrder::timed);
    uint32_t changes = 0;
    uint32_t path = 2;
    for (uint16_t i = 0; i < 440; i++) {
        Frame frame = pair.send(1000 * us + i * us);
        Verdict verdict = pair.server.receive(frame, data, 1100 * us + i * us);
        assert_true(verdict.in_order);
        assert_int_equal(verdict.number, i);
        changes += frame.path != path;
        path = frame.path;
    }
    assert_int_equal(changes,
                     11); // 43 packets of 1500 bytes are a flowcell of 64 KiB
    assert_false(pair.client.receive(pair.acknowledge(2000 * us), ack, 2020 * us).in_order);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(clove_hides_marks_until_all_paths_are_congested),
        cmocka_unit_test(clove_masks_the_underlays_marks_but_not_the_hosts_own),
        cmocka_unit_test(guests_that_do_not_know_the_underlay_have_no_packets_marked),
        cmocka_unit_test(hermes_sees_marks_whether_or_not_guests_do),
        cmocka_unit_test(clove_int_takes_the_path_that_is_reported_least_utilised),
        cmocka_unit_test(alb_ignores_the_echo_of_a_path_that_the_flow_has_left),
        cmocka_unit_test(ack_correction_is_a_setting_of_any_scheme),
        cmocka_unit_test(clove_shows_marks_where_it_is_not_to_mask_them),
        cmocka_unit_test(alb_takes_the_path_whose_delay_is_least_over_its_baseline),
        cmocka_unit_test(clove_latency_takes_the_path_of_least_delay),
        cmocka_unit_test(what_is_learned_of_a_host_holds_for_all_that_share_its_table),
        cmocka_unit_test(alb_probes_only_with_reports_that_no_packet_took_back),
        cmocka_unit_test(hosts_begin_their_turns_on_different_ways),
        cmocka_unit_test(priors_are_those_of_the_ways_wherever_turns_begin),
        cmocka_unit_test(presto_numbers_data_and_changes_path_by_size_only),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
