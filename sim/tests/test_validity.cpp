/* Whole runs: invariants of all simulations of these networks, with any scheme. */
#include <algorithm>

#include "cases.h"
#include "fabric/fabric.h"
#include "ns3/simulator.h"
#include "result/summary.h"
#include "workload/run.h"
#include "workload/transport.h"

using namespace sim;

namespace {

constexpr uint64_t fabric_bps = 40'000'000'000;

/* Returns the completion times of jobs on one connection over an idle fabric. */
std::vector<uint64_t> lone(const Case &input, const std::vector<uint64_t> &jobs) {
    std::vector<uint64_t> times;
    set_tcp_defaults(input.tcp);
    {
        Fabric fabric(input);
        auto connection = open_connection(
            input.tcp, fabric.host(0), fabric.host(input.fabric.hosts_per_leaf), 5000,
            [&](const Job &job) { times.push_back(now_ns() - job.arrived_ns); });
        for (size_t i = 0; i < jobs.size(); i++)
            ns3::Simulator::Schedule(ns3::MilliSeconds(1 + 100 * i),
                                     [&, i] { connection->push(jobs[i]); });
        ns3::Simulator::Run();
    }
    ns3::Simulator::Destroy();
    return times;
}

/*
 * Returns the time of `segments` full segments within the initial window: the host's link is the
 * slowest on the way and is crossed twice; each other link adds the transmission of the last
 * segment.
 */
double closed_form_ns(const Case &input, double segments) {
    double bits = 8.0 * (input.tcp.segment_bytes + header_bytes + framing_bytes);
    double host = bits * 1e9 / static_cast<double>(input.fabric.host_bps);
    double fabric = bits * 1e9 / static_cast<double>(fabric_bps);
    return segments * host + 2 * fabric + host + 4.0 * static_cast<double>(input.fabric.delay_ns);
}

/* A frame may wait for a round of Hermes's probes at the host and at each switch. */
double probes_ns(const Scheme &scheme) {
    double probe_bits = 8.0 * (64 + framing_bytes);
    return scheme.is_hermes ? 3 * probe_bits / 10 + 3 * 3 * probe_bits / 40 : 0;
}

void a_lone_flow_takes_its_closed_form(void ** /*state*/) {
    for (const Scheme &scheme : some_of(schemes)) {
        Case input = small_case(std::string(scheme.name), leaf_spine(2, 2, 2, fabric_bps), 2);
        auto times = lone(input, {1460, 5 * 1460, 10 * 1460});
        assert_int_equal(times.size(), 3);
        const double segments[] = {1, 5, 10};
        for (size_t i = 0; i < 3; i++) {
            double wanted = closed_form_ns(input, segments[i]);
            double got = static_cast<double>(times[i]);
            double rounding = 8; // one nanosecond per hop
            assert_true(got >= wanted && got < wanted + rounding + probes_ns(scheme));
        }
    }
}

void goodput_reaches_the_access_link_and_not_more(void ** /*state*/) {
    constexpr uint64_t bytes = 50'000'000;
    for (const Scheme &scheme : some_of(schemes)) {
        Case input = small_case(std::string(scheme.name), leaf_spine(2, 2, 2, fabric_bps), 2);
        input.fabric.mark_bytes = 1'000'000'000;
        double seconds = static_cast<double>(lone(input, {bytes}).at(0)) / 1e9;
        double share = static_cast<double>(bytes) * 8 / seconds / 1e10;
        double most = 1460.0 / (1460 + header_bytes + framing_bytes);
        assert_true(share < most);
        assert_true(share > 0.98 * most);
    }
}

/* Runs on a fabric with small buffers, so that queues overflow. */
void all_frames_are_delivered_or_dropped(Congestion congestion, uint32_t buffer_bytes) {
    uint64_t losses = 0;
    for (const Scheme &scheme : some_of(schemes)) {
        Case input = small_case(std::string(scheme.name), leaf_spine(2, 2, 1, 5'000'000'000), 4);
        input.fabric.buffer_bytes = buffer_bytes;
        input.tcp.congestion = congestion;
        flows_of(input).load = 0.9;
        Result result = run(input);
        assert_int_equal(result.flows.size(), flows_of(input).flows);
        assert_true(result.links.drops > 0);
        losses += result.tcp.recoveries + result.tcp.timeouts; // a dropped ACK is not a loss to TCP
        assert_int_equal(result.links.frames, result.links.arrived);
        /* Each frame that a host sent took four links, or fewer if it was dropped
         * on its way. */
        uint64_t least = 4 * result.sent - 4 * result.links.drops;
        assert_in_range(result.links.frames, least, 4 * result.sent);
        assert_int_equal(result.sent, result.delivered + result.links.drops);
    }
    assert_true(losses > 0);
}

void frames_are_delivered_or_dropped(void ** /*state*/) {
    all_frames_are_delivered_or_dropped(Congestion::newreno, 50'000);
    /* Cubic leaves slow start before queues are full (HyStart). */
    all_frames_are_delivered_or_dropped(Congestion::cubic, 15'000);
    all_frames_are_delivered_or_dropped(Congestion::dctcp, 50'000);
}

/* A spine loses one frame in twenty (data, ACKs and probes), and all flows still complete. */
void frames_that_a_switch_loses_are_accounted_for(void ** /*state*/) {
    for (const Scheme &scheme : some_of(schemes)) {
        Case input = small_case(std::string(scheme.name), leaf_spine(2, 2, 1, fabric_bps), 4);
        input.fabric.drops = {"s1", 0.05};
        Result result = run(input);
        assert_int_equal(result.flows.size(), flows_of(input).flows);
        assert_true(result.links.lost > 0);
        assert_int_equal(result.links.frames, result.links.arrived + result.links.lost);
        assert_int_equal(result.sent, result.delivered + result.links.drops + result.links.lost);
        for (const auto &[name, counts] : result.between)
            assert_true(counts.lost == 0 || name.starts_with("s1/"));
    }
}

/* Each frame of a flow between leaves takes one link up and one down. */
void links_between_switches_are_counted_one_by_one(void ** /*state*/) {
    Result result = run(small_case("edge-flowlet", leaf_spine(2, 2, 2, fabric_bps), 4));
    assert_int_equal(result.between.size(), 16);
    uint64_t up = 0, down = 0;
    for (const auto &[name, counts] : result.between)
        (name[0] == 'l' ? up : down) += counts.frames;
    assert_int_equal(up, result.sent);
    assert_int_equal(down, result.sent);
    assert_true(result.flowlets >= 4);
}

/* Each packet of a flow, data or ACK, takes the next path. */
void drb_shares_packets_evenly(void ** /*state*/) {
    Result result = run(small_case("drb", leaf_spine(2, 4, 1, fabric_bps), 4));
    uint64_t total = 0;
    for (uint32_t up = 1; up <= 4; up++)
        total += result.between["l0/" + std::to_string(up)].frames;
    for (uint32_t up = 1; up <= 4; up++) {
        uint64_t frames = result.between["l0/" + std::to_string(up)].frames;
        assert_in_range(4 * frames, total - 4 * 4, total + 4 * 4); // four pairs of hosts
    }
}

/* The handshake is two small packets and an ACK, which data follows at once. */
void a_flow_on_a_connection_of_its_own_waits_for_the_handshake(void ** /*state*/) {
    Case input = small_case("ecmp", leaf_spine(2, 2, 2, fabric_bps), 2);
    flows_of(input).sizes = Sizes({{5 * 1460 - 1, 0}, {5 * 1460, 1}});
    flows_of(input).flows = 1;
    flows_of(input).connections = 0;
    double alone = closed_form_ns(input, 5);
    double handshake = static_cast<double>(run(input).flows.at(0).ns) - alone;
    auto packet_ns = [](double bytes) {
        return 8 * (bytes + framing_bytes) * (2 / 10.0 + 2 / 40.0) + 4 * 5000;
    };
    double with_options = 40; // maximum beyond the header
    assert_true(handshake >= 2 * packet_ns(header_bytes));
    assert_true(handshake <= 2 * packet_ns(header_bytes + with_options) + 16);
}

/* Each leaf sends and receives, and every frame crosses a spine. */
void flows_between_any_pair_go_from_leaf_to_leaf(void ** /*state*/) {
    Case input = small_case("edge-flowlet", leaf_spine(3, 2, 1, fabric_bps), 2);
    flows_of(input).connections = 0;
    flows_of(input).any_pair = true;
    Result result = run(input);
    assert_int_equal(result.flows.size(), 40);
    std::map<char, uint64_t> frames;
    std::map<std::string, uint64_t> of_leaf;
    for (const auto &[name, counts] : result.between) {
        frames[name[0]] += counts.frames;
        of_leaf[name.substr(0, 2)] += counts.frames;
    }
    assert_int_equal(frames['l'], result.sent);
    assert_int_equal(frames['s'], result.sent);
    for (const char *leaf : {"l0", "l1", "l2"})
        assert_in_range(of_leaf[leaf], 1, result.sent / 2);
}

/* For any number of flows, closed connections leave no incomplete flow behind. */
void flows_on_connections_of_their_own_all_complete(void ** /*state*/) {
    for (const Scheme &scheme : some_of(schemes)) {
        Case input = small_case(std::string(scheme.name), leaf_spine(2, 2, 2, fabric_bps), 4);
        flows_of(input).connections = 0;
        Result result = run(input);
        assert_int_equal(result.flows.size(), 40);
        assert_int_equal(result.links.frames, result.links.arrived);
    }
}

/* The client's link is the bottleneck, and the file crosses it once. */
void incast_fills_the_clients_link_and_not_more(void ** /*state*/) {
    for (uint32_t fanout : {1u, 4u}) {
        Case input = small_case("clove-ecn", leaf_spine(2, 2, 2, fabric_bps), 4);
        input.workload = IncastSettings{.bytes = 10'000'000, .fanout = fanout, .requests = 5};
        Result result = run(input);
        assert_int_equal(result.flows.size(), 5 * fanout);
        assert_int_equal(result.bytes, 5 * 10'000'000);
        double share = goodput_bps(result) / 1e10;
        assert_true(share < 1460.0 / (1460 + header_bytes + framing_bytes));
        assert_true(share > 0.5);
    }
}

void same(const Result &a, const Result &b) {
    assert_int_equal(a.flows.size(), b.flows.size());
    for (size_t i = 0; i < a.flows.size(); i++) {
        assert_int_equal(a.flows[i].bytes, b.flows[i].bytes);
        assert_int_equal(a.flows[i].ns, b.flows[i].ns);
    }
    assert_int_equal(a.links.frames, b.links.frames);
}

void a_seed_gives_the_same_result_and_another_seed_another_one(void ** /*state*/) {
    for (const Scheme &scheme : some_of(schemes)) {
        Case input = small_case(std::string(scheme.name), leaf_spine(2, 2, 2, fabric_bps), 4);
        Result first = run(input);
        same(first, run(input));
        input.seed = 2;
        assert_true(run(input).flows.front().ns != first.flows.front().ns);
    }
}

void schemes_are_offered_the_same_jobs(void ** /*state*/) {
    std::vector<uint64_t> wanted;
    for (const Scheme &scheme : some_of(schemes)) {
        Result result =
            run(small_case(std::string(scheme.name), leaf_spine(2, 2, 2, fabric_bps), 4));
        std::vector<uint64_t> bytes;
        for (const Completion &flow : result.flows)
            bytes.push_back(flow.bytes);
        std::sort(bytes.begin(), bytes.end());
        if (wanted.empty())
            wanted = bytes;
        assert_true(bytes == wanted);
    }
}

/*
 * Queues build up at the only link between the leaves, and no frame is lost. Two schemes do more
 * than choose: Clove-ECN echoes marks at its own rate, so nothing is marked for it here, and ALB
 * sends probes. Hermes sends none, because there is no other path.
 */
void with_one_path_every_scheme_is_ecmp_bit_for_bit(void ** /*state*/) {
    Case input = small_case("ecmp", leaf_spine(2, 1, 1, 20'000'000'000), 4);
    flows_of(input).load = 0.45;
    input.fabric.buffer_bytes = 100'000'000;
    Case unmarked = input;
    unmarked.fabric.mark_bytes = 1'000'000'000;
    Result wanted = run(input);
    Result wanted_unmarked = run(unmarked);
    assert_true(wanted.links.marks > 0);
    for (const Scheme &scheme : some_of(schemes)) {
        if (scheme.name == "alb")
            continue;
        bool is_clove_ecn = scheme.name == "clove-ecn";
        Case other = is_clove_ecn ? unmarked : input;
        other.scheme = scheme.name;
        same(run(other), is_clove_ecn ? wanted_unmarked : wanted);
    }
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(a_lone_flow_takes_its_closed_form),
        cmocka_unit_test(goodput_reaches_the_access_link_and_not_more),
        cmocka_unit_test(frames_are_delivered_or_dropped),
        cmocka_unit_test(frames_that_a_switch_loses_are_accounted_for),
        cmocka_unit_test(links_between_switches_are_counted_one_by_one),
        cmocka_unit_test(drb_shares_packets_evenly),
        cmocka_unit_test(a_flow_on_a_connection_of_its_own_waits_for_the_handshake),
        cmocka_unit_test(flows_between_any_pair_go_from_leaf_to_leaf),
        cmocka_unit_test(flows_on_connections_of_their_own_all_complete),
        cmocka_unit_test(incast_fills_the_clients_link_and_not_more),
        cmocka_unit_test(a_seed_gives_the_same_result_and_another_seed_another_one),
        cmocka_unit_test(schemes_are_offered_the_same_jobs),
        cmocka_unit_test(with_one_path_every_scheme_is_ecmp_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
