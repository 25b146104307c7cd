/* Hosts with libsdd: when their queues transmit, and which frames circuits carry. */
#include "cases.h"
#include "fabric/fabric.h"
#include "ns3/simulator.h"
#include "sdd/bursts.h"
#include "sdd/network.h"
#include "sdd/run.h"
#include "workload/transport.h"

using namespace sim;

namespace {

constexpr uint64_t ten_gigabit = 10'000'000'000;
constexpr uint64_t week_ns = 1'000'000;
constexpr uint64_t guard_ns = 2000;

class Sink final : public Receiver {
  public:
    void receive(FramePtr frame, uint32_t /*port*/) override {
        at_ns.push_back(now_ns());
        bytes += frame->bytes;
    }
    std::vector<uint64_t> at_ns;
    uint64_t bytes = 0;
};

int teardown(void ** /*state*/) {
    ns3::Simulator::Destroy();
    return 0;
}

EgressSettings three_hosts(bool scheduled) {
    return {
        .hosts = 3, .scheduled = scheduled, .circuit_bps = 0, .packet_bps = 0, .queue_bytes = 0};
}

LinkSettings wire() {
    return {ten_gigabit, 500, 100'000, no_marks, false};
}

void at(uint64_t ns, std::function<void()> act) {
    ns3::Simulator::Schedule(ns3::NanoSeconds(ns), std::move(act));
}

void a_queue_without_a_condition_that_holds_sends_nothing(void ** /*state*/) {
    Sink sink;
    Port nic(wire(), sink, 0);
    Egress egress(three_hosts(true), nic);
    for (uint32_t i = 0; i < 100; i++)
        egress.send(make_datagram(0, 1 + i % 2, most_payload));
    ns3::Simulator::Run();
    assert_int_equal(sink.at_ns.size(), 0);
    assert_int_equal(egress.queue(1).packets + egress.queue(2).packets, 100);
    assert_int_equal(egress.queued_bytes(), 100 * 1538);
}

/* Each slot opens one queue; between slots the wire is idle although both have frames. */
void a_queue_sends_in_its_slots_only(void ** /*state*/) {
    Sink sink;
    Port nic(wire(), sink, 0);
    Egress egress(three_hosts(true), nic);
    std::vector<uint64_t> starts[3];
    egress.on_sent([&](const Frame &frame, uint64_t ns) { starts[frame.to].push_back(ns); });
    for (uint32_t i = 0; i < 1000; i++)
        egress.send(make_datagram(0, 1 + i % 2, most_payload));
    egress.add_slot(1, 10'000, 20'000);
    egress.add_slot(2, 30'000, 42'000);
    ns3::Simulator::Run();
    assert_int_equal(starts[1].size(), 9); // of 1230.4 ns each; the last one begins before the end
    assert_int_equal(starts[1].front(), 10'000);
    assert_true(starts[1].back() < 20'000);
    assert_int_equal(starts[2].size(), 10);
    assert_int_equal(starts[2].front(), 30'000);
    assert_true(starts[2].back() < 42'000);
}

void start_opens_a_queue_until_stop(void ** /*state*/) {
    Sink sink;
    Port nic(wire(), sink, 0);
    Egress egress(three_hosts(true), nic);
    for (uint32_t i = 0; i < 100; i++)
        egress.send(make_datagram(0, 1, most_payload));
    at(5000, [&] { egress.start(1); });
    at(17'000, [&] { egress.stop(1); });
    ns3::Simulator::Run();
    assert_int_equal(sink.at_ns.size(), 10);
    assert_int_equal(egress.queue(1).packets, 90);
}

/* Returns completion times of jobs on one TCP connection over an idle leaf-spine fabric. */
std::vector<uint64_t> lone(bool with_libsdd) {
    Case input = small_case("ecmp", leaf_spine(2, 2, 2, 40'000'000'000), 2);
    input.fabric.mark_bytes =
        2'000'000; // not reached, because libsdd holds its frames before the NIC
    std::vector<uint64_t> times;
    set_tcp_defaults(input.tcp);
    {
        Fabric fabric(input);
        std::vector<std::unique_ptr<Egress>> egress;
        EgressSettings open = {4, false, 0, 0, 0};
        for (uint32_t host = 0; with_libsdd && host < 4; host++) {
            egress.push_back(std::make_unique<Egress>(open, fabric.nic(host)));
            fabric.host(host).attach(*egress.back());
        }
        auto connection =
            open_connection(input.tcp, fabric.host(0), fabric.host(2), 5000,
                            [&](const Job &job) { times.push_back(now_ns() - job.arrived_ns); });
        for (uint64_t i = 0; i < 4; i++)
            at((1 + 100 * i) * 1'000'000, [&, i] {
                const uint64_t bytes[] = {1460, 5 * 1460, 10 * 1460, 3'000'001};
                connection->push(bytes[i]);
            });
        ns3::Simulator::Run();
    }
    ns3::Simulator::Destroy();
    return times;
}

void through_open_queues_a_lone_flow_takes_as_long_as_without_libsdd(void ** /*state*/) {
    auto wanted = lone(false);
    assert_int_equal(wanted.size(), 4);
    assert_true(lone(true) == wanted);
}

/* Returns a week with successive days, one for each stride between hosts. */
Week strides(uint32_t hosts, uint64_t duration_ns, uint64_t night_ns) {
    Week week = {week_ns, guard_ns, {}};
    uint64_t at_ns = night_ns;
    for (uint32_t stride = 1; at_ns + duration_ns <= week_ns; stride = stride % (hosts - 1) + 1) {
        Day day = {at_ns, duration_ns, {}};
        for (uint32_t host = 0; host < hosts; host++)
            day.to.push_back((host + stride) % hosts);
        week.days.push_back(day);
        at_ns += duration_ns + night_ns;
    }
    return week;
}

SddCase small_sdd_case() {
    return {
        .seed = 1,
        .names = {"h0", "h1", "h2", "h3"},
        .config = "",
        .scheduled = true,
        .network = {true, ten_gigabit, 1'000'000'000, 500, no_limit},
        .egress = {4, true, 9'000'000'000, 1'000'000'000, 0},
        .control = {week_ns, false, 0, 0},
        .slot_ns = 100'000,
        .workload = MessageSettings{Sizes({{0, 0}, {10'000, 0.5}, {500'000, 1}}), 0.4, 200},
        .tcp = std::nullopt,
        .weeks = {strides(4, 100'000, 24'000)},
    };
}

SddResult run_with_its_weeks(const SddCase &input) {
    auto planner = make_planner(input, "");
    return run_sdd(input, planner.get());
}

void all_frames_leave_in_their_slots_and_circuits_lose_none(void ** /*state*/) {
    SddCase input = small_sdd_case();
    uint64_t checked = 0;
    {
        SddNetwork network(input);
        FixedWeeks planner(input.weeks);
        ControlLoop loop(input.control, planner, network.hybrid(), network.egress_of_all(), 1);
        const Week &week = input.weeks.front();
        for (uint32_t from = 0; from < 4; from++)
            network.egress(from).on_sent([&, from](const Frame &frame, uint64_t start_ns) {
                bool inside = false;
                for (const Day &day : week.days)
                    inside =
                        inside || (day.to[from] == frame.to && start_ns % week_ns >= day.start_ns &&
                                   start_ns % week_ns < day.end_ns());
                assert_true(inside);
                checked++;
            });
        for (uint32_t i = 0; i < 3000; i++)
            at(i * 1000, [&, i] {
                network.egress(i % 4).send(make_datagram(i % 4, (i + 1 + i / 7 % 3) % 4, i % 1400));
            });
        loop.begin();
        ns3::Simulator::Stop(ns3::MilliSeconds(20));
        ns3::Simulator::Run();
        assert_int_equal(network.hybrid().counts().dark, 0);
        assert_int_equal(network.hybrid().counts().carried, 3000);
        assert_int_equal(network.delivered(), 3000);
    }
    assert_int_equal(checked, 3000);
}

/* The last bit of a frame of 1538 bytes arrives 1230 ns after its first. */
void circuits_carry_what_comes_by_day_and_nothing_else(void ** /*state*/) {
    Sink sinks[2];
    HybridSwitch hybrid({true, ten_gigabit, 1'000'000'000, 500, no_limit}, {&sinks[0], &sinks[1]});
    hybrid.order(0, {week_ns, guard_ns, {{10'000, 20'000, {1, 0}}}});
    auto circuit = [&](uint64_t last_bit_ns) {
        at(last_bit_ns, [&] {
            FramePtr frame = make_datagram(0, 1, most_payload);
            frame->circuit = true;
            hybrid.receive(std::move(frame), 0);
        });
    };
    circuit(8000 + 1229); // its first bit arrived before the circuit was up
    circuit(8000 + 1230);
    circuit(32'000);
    circuit(32'001); // its last bit arrived after the circuit went down
    at(40'000, [&] { hybrid.receive(make_datagram(0, 1, most_payload), 0); }); // by packet switch
    ns3::Simulator::Run();
    assert_int_equal(hybrid.counts().carried, 2);
    assert_int_equal(hybrid.counts().dark, 2);
    assert_int_equal(sinks[1].at_ns.size(), 3);
    assert_int_equal(sinks[1].at_ns[0], 8000 + 1230 + 500);
    assert_int_equal(sinks[1].at_ns[2], 40'000 + 12'304 + 500);
}

void assert_conserved(const SddResult &result) {
    assert_int_equal(result.sent, result.delivered + result.circuits.dark + result.packet_drops +
                                      result.under_way);
}

TcpSettings newreno() {
    return small_case("ecmp", leaf_spine(2, 1, 1, ten_gigabit), 1).tcp;
}

void frames_are_delivered_or_lost_or_under_way(void ** /*state*/) {
    SddCase input = small_sdd_case();
    SddResult messages = run_with_its_weeks(input);
    assert_int_equal(messages.messages.size(), 200);
    assert_int_equal(messages.circuits.dark, 0);
    assert_conserved(messages);

    input.tcp = newreno();
    SddResult tcp = run_with_its_weeks(input);
    assert_int_equal(tcp.messages.size(), 200);
    assert_int_equal(tcp.payload, messages.payload);
    assert_conserved(tcp);

    input.tcp.reset();
    input.control = {week_ns, true, 10'000, 10'000};
    input.workload =
        StreamSettings{5'000'000'000, 20, 10, {{1, 2}, {0}, {}, {2}}, {{3}, {}, {1}, {0}}};
    SddResult late = run_with_its_weeks(input);
    assert_true(late.circuits.dark > 0);
    assert_true(late.delivered > 0);
    assert_conserved(late);
}

void a_seed_gives_the_same_result(void ** /*state*/) {
    SddCase input = small_sdd_case();
    SddResult first = run_with_its_weeks(input), again = run_with_its_weeks(input);
    input.seed = 2;
    SddResult other = run_with_its_weeks(input);
    auto sum = [](const SddResult &result) {
        uint64_t ns = 0;
        for (const Completion &message : result.messages)
            ns += message.ns;
        return ns;
    };
    assert_int_equal(sum(first), sum(again));
    assert_int_equal(first.sent, again.sent);
    assert_true(sum(first) != sum(other));
}

/* With open queues no frame waits for a slot: the time is that at the NIC and at the packet
 * switch. */
void a_message_without_a_schedule_takes_its_closed_form(void ** /*state*/) {
    SddCase input = small_sdd_case();
    input.scheduled = input.network.circuits = input.egress.scheduled = false;
    input.egress.circuit_bps = 0;
    input.weeks.clear();
    input.workload =
        MessageSettings{Sizes({{10 * most_payload - 1, 0}, {10 * most_payload, 1}}), 0.01, 1};
    SddResult result = run_sdd(input, nullptr);
    double wanted = 11 * 1230.4 + 2 * 500;
    double got = static_cast<double>(result.messages.at(0).ns);
    assert_true(got >= wanted && got < wanted + 2); // a nanosecond of rounding per hop
}

void bursts_are_told_by_the_gaps_between_them(void ** /*state*/) {
    Bursts bursts(100);
    for (uint64_t begin : {1000u, 3000u, 5200u, 8000u})
        for (uint64_t i = 0; i < 4; i++)
            bursts.add(begin + 150 * i, 100);
    /* ON for 550 ns each, OFF for 1450, 1650 and 2250 ns. */
    assert_true(bursts.on_deviation_ns().value() == 0);
    assert_true(std::abs(bursts.off_deviation_ns().value() - 416.33) < 0.01);
}

void refused(const char *text, const char *why) {
    json_t *document = json_loads(text, 0, nullptr);
    assert_non_null(document);
    std::string what;
    try {
        read_week(Json(document, "week"), {"h0", "h1", "h2"});
    } catch (const InputError &error) {
        what = error.what();
    }
    json_decref(document);
    assert_string_equal(what.c_str(), why);
}

void weeks_that_cannot_be_are_refused(void ** /*state*/) {
    refused(R"({"weekNs":1000,"guardNs":0,"days":[{"startNs":0,"durationNs":10,"circuits":)"
            R"([{"from":"h0","to":"h7"}]}]})",
            "week.days[0].circuits[0].to: no host \"h7\"");
    refused(R"({"weekNs":1000,"guardNs":5,"days":[{"startNs":10,"durationNs":10,"circuits":[]},)"
            R"({"startNs":29,"durationNs":10,"circuits":[]}]})",
            "week.days[1].startNs: the day overlaps the one before, guards included");
    refused(R"({"weekNs":1000,"guardNs":0,"days":[{"startNs":991,"durationNs":10,"circuits":[]}]})",
            "week.days[0].durationNs: the day ends after its week");
    refused(R"({"weekNs":1000,"guardNs":5,"days":[{"startNs":4,"durationNs":10,"circuits":[]}]})",
            "week.days[0].startNs: must leave the guard time to the week's start");
    refused(R"({"weekNs":1000,"guardNs":0,"days":[{"startNs":0,"durationNs":10,"circuits":)"
            R"([{"from":"h0","to":"h2"},{"from":"h1","to":"h2"}]}]})",
            "week.days[0].circuits[1].to: \"h2\" has another circuit in this day");
    refused(R"({"weekNs":1000,"guardNs":0,"days":[{"startNs":0,"durationNs":10,"circuits":)"
            R"([{"from":"h0","to":"h2"},{"from":"h0","to":"h1"}]}]})",
            "week.days[0].circuits[1].from: \"h0\" has another circuit in this day");
}

void what_a_planner_process_answers_is_a_week_or_an_error(void ** /*state*/) {
    std::vector<std::string> names = {"h0", "h1"};
    PlannerProcess good("sed -u 's/.*/{\"weekNs\":9,\"guardNs\":0,\"days\":[]}/'", "{}", names);
    assert_int_equal(good.plan({{0, 1, 5, 5}}).length_ns, 9);
    assert_int_equal(good.plan({}).length_ns, 9);
    auto error_of = [&](const char *command) {
        PlannerProcess planner(command, "{}", names);
        try {
            planner.plan({});
        } catch (const std::runtime_error &error) {
            return std::string(error.what());
        }
        return std::string();
    };
    assert_string_equal(error_of("sed -u 's/.*/{\"error\":\"config: is wrong\"}/'").c_str(),
                        "schedule: config: is wrong");
    assert_string_equal(error_of("true").c_str(), "the planner gave no answer");
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_queue_without_a_condition_that_holds_sends_nothing, teardown),
        cmocka_unit_test_teardown(a_queue_sends_in_its_slots_only, teardown),
        cmocka_unit_test_teardown(start_opens_a_queue_until_stop, teardown),
        cmocka_unit_test(through_open_queues_a_lone_flow_takes_as_long_as_without_libsdd),
        cmocka_unit_test_teardown(all_frames_leave_in_their_slots_and_circuits_lose_none, teardown),
        cmocka_unit_test_teardown(circuits_carry_what_comes_by_day_and_nothing_else, teardown),
        cmocka_unit_test(frames_are_delivered_or_lost_or_under_way),
        cmocka_unit_test(a_seed_gives_the_same_result),
        cmocka_unit_test(a_message_without_a_schedule_takes_its_closed_form),
        cmocka_unit_test(bursts_are_told_by_the_gaps_between_them),
        cmocka_unit_test(weeks_that_cannot_be_are_refused),
        cmocka_unit_test(what_a_planner_process_answers_is_a_week_or_an_error),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
