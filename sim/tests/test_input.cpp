/* Invalid input is refused, and the error names the position. */
#include <cstring>
#include <memory>

#include "cases.h"
#include "fabric/fabric.h"
#include "input/plan_reader.h"
#include "ns3/simulator.h"

using namespace sim;

namespace {

const std::string good = R"({
  "fabric": {
    "switches": [{"id": "a", "stage": 1}, {"id": "b", "stage": 1}, {"id": "x", "stage": 2}],
    "links": [{"a": "a/1", "b": "x/1", "bps": 1000000}, {"a": "b/1", "b": "x/2", "bps": 1000000},
              {"a": "a/2", "b": "x/3", "bps": 1000000}],
    "subnets": [{"switch": "a", "prefix": "10.0.0.0/24"}, {"switch": "b", "prefix": "10.0.1.0/24"}]
  },
  "state": {"switches": [
    {"id": "a", "groups": [{"id": 1, "ports": [1, 2], "weights": [2, 1]}],
     "flows": [{"match": "10.0.1.0/24", "action": "dec_ttl,group:1"},
               {"match": "10.0.0.0/24", "action": "controller"}]},
    {"id": "b", "flows": [{"match": "10.0.0.0/24", "action": "dec_ttl,output:1"}]},
    {"id": "x", "flows": [{"match": "10.0.0.0/24", "action": "dec_ttl,output:3"},
                          {"match": "10.0.1.0/24", "action": "dec_ttl,output:2"}]}
  ]}
})";

Plan read(const std::string &text) {
    json_error_t error;
    std::unique_ptr<json_t, void (*)(json_t *)> document(json_loads(text.c_str(), 0, &error),
                                                         json_decref);
    assert_non_null(document.get());
    return read_plan(Json(document.get(), "plan"));
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
    size_t at = text.find(from);
    assert_true(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

void expect_error(const std::string &from, const std::string &to, const std::string &what) {
    std::string error;
    try {
        read(replaced(good, from, to));
    } catch (const InputError &wrong) {
        error = wrong.what();
    }
    assert_string_equal(error.c_str(), what.c_str());
}

void groups_are_taken_slot_by_slot(void ** /*state*/) {
    Plan plan = read(good);
    assert_int_equal(plan.switches.size(), 3);
    assert_int_equal(plan.links.size(), 3);
    assert_true(plan.slots["a"]["10.0.1.0/24"] == std::vector<uint32_t>({1, 1, 2}));
    assert_true(plan.slots["a"]["10.0.0.0/24"].empty());
    assert_true(plan.slots["b"]["10.0.0.0/24"] == std::vector<uint32_t>({1}));
}

void what_a_plan_names_must_be_there(void ** /*state*/) {
    expect_error(R"({"id": "b", "flows")", R"({"id": "y", "flows")",
                 "plan.state.switches[1].id: the fabric has no switch \"y\"");
    expect_error(R"("a": "b/1")", R"("a": "y/1")",
                 "plan.fabric.links[1].a: the fabric has no switch \"y\"");
    expect_error(R"("ports": [1, 2])", R"("ports": [1, 9])",
                 "plan.state.switches[0].groups[0].ports[1]: switch \"a\" has no "
                 "link at port 9");
    expect_error("group:1", "group:3",
                 "plan.state.switches[0].flows[0].action: switch \"a\" has no group 3");
    expect_error("output:1", "output:2",
                 "plan.state.switches[1].flows[0].action: switch \"b\" has no "
                 "link at port 2");
    expect_error(R"("a": "a/2")", R"("a": "a/1")", "plan.fabric.links[2].a: has a link already");
    expect_error(R"("weights": [2, 1])", R"("weights": [2])",
                 "plan.state.switches[0].groups[0]: must have as many weights as ports");
    expect_error(R"("weights": [2, 1])", R"("weights": [200, 100])",
                 "plan.state.switches[0].groups[0]: must have 1 to 256 slots");
    expect_error(R"("stage": 2)", R"("stage": 3)",
                 "plan.fabric.switches[2].stage: must be a whole number from 1 to 2");
    expect_error(R"("state")", R"("stat")", "plan: has no \"state\"");
}

void a_plan_has_one_state_of_a_switch_group_and_flow(void ** /*state*/) {
    expect_error(R"({"id": "b", "flows")", R"({"id": "a", "flows")",
                 "plan.state.switches[1].id: the second state of switch \"a\"");
    expect_error(R"("groups": [)", R"("groups": [{"id": 1, "ports": [2]}, )",
                 "plan.state.switches[0].groups[1].id: the second group 1 of switch \"a\"");
    expect_error(R"("10.0.0.0/24", "action": "controller")",
                 R"("10.0.1.0/24", "action": "dec_ttl,output:1")",
                 "plan.state.switches[0].flows[1].match: the second flow for 10.0.1.0/24 of switch "
                 "\"a\"");
}

void a_plan_leads_to_each_prefix_from_everywhere_and_in_no_loop(void ** /*state*/) {
    expect_error("output:1", "drop", "plan: switch \"b\" has no way to 10.0.0.0/24");
    expect_error(R"({"id": "b", "flows": [{"match": "10.0.0.0/24")",
                 R"({"id": "b", "flows": [{"match": "10.0.9.0/24")",
                 "plan: switch \"b\" has no way to 10.0.0.0/24");
    expect_error("output:2", "output:1", "plan: frames to 10.0.1.0/24 loop: a, x, a");
    /* A loop for some frames suffices, and switches that only lead to it are not named. */
    expect_error(R"("id": "x", "flows": [{"match": "10.0.0.0/24", "action": "dec_ttl,output:3"})",
                 R"("id": "x", "groups": [{"id": 4, "ports": [3, 2], "weights": [9, 1]}],
                    "flows": [{"match": "10.0.0.0/24", "action": "dec_ttl,group:4"})",
                 "plan: frames to 10.0.0.0/24 loop: b, x, b");
}

const std::string good_case = R"({
  "scheme": "alb", "seed": 1,
  "edge": {"gapRtts": 1, "guestsSeeMarks": true},
  "fabric": {"hostsPerLeaf": 2, "hostBps": 1000000, "delayNs": 5, "bufferBytes": 1538, "markBytes": 3},
  "tcp": {"segmentBytes": 1460, "initialWindow": 10, "leastRtoNs": 5, "bufferBytes": 2920,
          "ackEvery": 2},
  "workload": {"sizes": [[0, 0], [9, 1]], "load": 0.5, "bisectionBps": 1000000, "connections": 0,
               "flows": 1},
  "plan": )" + good + "}";

Case read_text(const std::string &text) {
    json_error_t error;
    std::unique_ptr<json_t, void (*)(json_t *)> document(json_loads(text.c_str(), 0, &error),
                                                         json_decref);
    assert_non_null(document.get());
    return read_case(Json(document.get(), ""));
}

std::string error_in(const std::string &text) {
    try {
        read_text(text);
    } catch (const InputError &wrong) {
        return wrong.what();
    }
    return "";
}

std::string case_error(const std::string &from, const std::string &to) {
    return error_in(replaced(good_case, from, to));
}

void guests_and_tcp_are_the_papers_unless_the_case_says_so(void ** /*state*/) {
    Case alb = read_text(good_case);
    assert_true(alb.edge.guests.ack_correction && !alb.edge.guests.masked);
    assert_true(alb.tcp.congestion == Congestion::newreno);
    Case clove = read_text(replaced(good_case, "alb", "clove-ecn"));
    assert_true(!clove.edge.guests.ack_correction && clove.edge.guests.masked);
    Case other =
        read_text(replaced(replaced(good_case, R"("gapRtts")",
                                    R"("ackCorrection": false, "masksMarks": true, "gapRtts")"),
                           R"("segmentBytes")", R"("congestion": "dctcp", "segmentBytes")"));
    assert_true(!other.edge.guests.ack_correction && other.edge.guests.masked);
    assert_true(other.tcp.congestion == Congestion::dctcp);
}

void a_case_that_cannot_be_is_refused(void ** /*state*/) {
    assert_string_equal(
        case_error(R"("segmentBytes")", R"("congestion": "vegas", "segmentBytes")").c_str(),
        "tcp.congestion: must be \"newreno\", \"cubic\" or \"dctcp\"");
    assert_string_equal(
        case_error(R"("segmentBytes")", R"("congestion": "dctcp", "subflows": 2, "segmentBytes")")
            .c_str(),
        "tcp.subflows: is not allowed with \"dctcp\": MPTCP couples NewReno's windows");
    assert_string_equal(
        case_error(R"("connections": 0)", R"("connections": 3, "anyPair": true)").c_str(),
        "workload.connections: must be 0 if pairs are drawn for each flow");
    assert_string_equal(
        case_error(R"("connections": 0)", R"("connections": 0, "anyPair": 1)").c_str(),
        "workload.anyPair: must be true or false");
    assert_string_equal(
        case_error(R"("connections": 0)", R"("connections": 0, "gapSigma": 9)").c_str(),
        "workload.gapSigma: must be a number from 0.010000 to 5.000000");
    assert_string_equal(
        case_error(R"("hostsPerLeaf")", R"("perfectHashing": true, "hostsPerLeaf")").c_str(),
        "fabric.perfectHashing: is not allowed with \"alb\": it applies to the plan's groups only");
    auto drops = [](const std::string &at, const std::string &share) {
        return case_error(R"("hostsPerLeaf")", R"("silentDrops": {"switch": ")" + at +
                                                   R"(", "share": )" + share +
                                                   R"(}, "hostsPerLeaf")");
    };
    assert_string_equal(drops("x", "0.02").c_str(), "");
    assert_string_equal(drops("y", "0.02").c_str(),
                        "fabric.silentDrops.switch: the fabric has no switch \"y\"");
    assert_string_equal(drops("x", "0.9").c_str(),
                        "fabric.silentDrops.share: must be a number from 0.000000 to 0.500000");
}

/* Values that would hang, overflow ns-3's clock, or drop every segment. */
void a_case_whose_traffic_could_not_go_through_is_refused(void ** /*state*/) {
    assert_string_equal(case_error(R"("hostBps": 1000000)", R"("hostBps": 1)").c_str(),
                        "fabric.hostBps: must be a whole number from 1000000 to 1000000000000");
    assert_string_equal(
        case_error(R"("bps": 1000000)", R"("bps": 1)").c_str(),
        "plan.fabric.links[0].bps: must be a whole number from 1000000 to 1000000000000");
    assert_string_equal(
        case_error(R"("bisectionBps": 1000000)", R"("bisectionBps": 1)").c_str(),
        "workload.bisectionBps: must be a whole number from 1000000 to 1000000000000000");
    assert_string_equal(case_error(R"("segmentBytes": 1460)", R"("segmentBytes": 1)").c_str(),
                        "tcp.segmentBytes: must be a whole number from 100 to 1460");
    assert_string_equal(case_error(R"("bufferBytes": 2920)", R"("bufferBytes": 2919)").c_str(),
                        "tcp.bufferBytes: must be a whole number from 2920 to 1000000000");
    assert_string_equal(case_error(R"("bufferBytes": 1538)", R"("bufferBytes": 1537)").c_str(),
                        "fabric.bufferBytes: must be a whole number from 1538 to 1000000000");
}

void a_member_that_nobody_reads_is_refused(void ** /*state*/) {
    assert_string_equal(case_error(R"("seed": 1)", R"("seed": 1, "sead": 2)").c_str(),
                        "input: unknown member \"sead\"");
    assert_string_equal(case_error(R"("gapRtts": 1)", R"("gapRtts": 1, "gapAdept": 1)").c_str(),
                        "edge: unknown member \"gapAdept\"");
    /* Requests belong to the incast workload. */
    assert_string_equal(case_error(R"("load": 0.5)", R"("load": 0.5, "requests": 3)").c_str(),
                        "workload: unknown member \"requests\"");
    /* Plans may have members that the simulator does not need. */
    assert_string_equal(case_error(R"("state")", R"("summary": [], "state")").c_str(), "");
}

void order_and_gap_are_of_schemes_that_have_them(void ** /*state*/) {
    auto read_with = [](const std::string &scheme, const std::string &member) {
        return replaced(replaced(good_case, "alb", scheme), R"("gapRtts")",
                        member + R"("gapRtts")");
    };
    auto error_of = [&](const std::string &scheme, const std::string &member) {
        return error_in(read_with(scheme, member));
    };
    assert_true(read_text(read_with("presto", "")).edge.in_order == InOrder::timed);
    assert_true(read_text(read_with("clove-ecn", "")).edge.in_order == InOrder::no);
    Case ideal = read_text(read_with("drb", R"("reassembly": "ideal", "flowcellBytes": 9, )"));
    assert_true(ideal.edge.in_order == InOrder::ideal);
    assert_int_equal(ideal.edge.flowcell_bytes, 9);
    assert_true(read_text(read_with("clove-latency", R"("gapAdapt": 1, )")).edge.gap_adapt == 1);
    assert_string_equal(error_of("presto", R"("reassembly": "late", )").c_str(),
                        "edge.reassembly: must be \"none\", \"timed\" or \"ideal\"");
    assert_string_equal(error_of("conga", R"("reassembly": "timed", )").c_str(),
                        "edge.reassembly: must not be \"timed\" with \"conga\": its hosts do not "
                        "number segments");
    assert_string_equal(error_of("clove-ecn", R"("gapAdapt": 1, )").c_str(),
                        "edge.gapAdapt: is not allowed with \"clove-ecn\": its hosts do not "
                        "know the paths' delays");
    assert_true(read_text(read_with("clove-int", R"("metricAgeRtts": 2, )")).edge.metric_age_rtts ==
                2);
    assert_string_equal(error_of("clove-ecn", R"("metricAgeRtts": 2, )").c_str(),
                        "edge.metricAgeRtts: is not allowed with \"clove-ecn\": its hosts measure "
                        "no path");
    assert_int_equal(read_text(read_with("alb", R"("explore": 16, )")).edge.explore, 16);
    assert_int_equal(read_text(read_with("clove-ecn", R"("answerRtts": 16, )")).edge.answer_rtts,
                     16);
    assert_string_equal(error_of("presto", R"("answerRtts": 16, )").c_str(),
                        "edge.answerRtts: is not allowed with \"presto\": its hosts receive "
                        "no reports on paths");
    assert_true(read_text(read_with("intflow", R"("settleRtts": 4, )")).edge.settle_rtts == 4);
    assert_string_equal(error_of("conga", R"("settleRtts": 4, )").c_str(),
                        "edge.settleRtts: is not allowed with \"conga\": its hosts do not tell "
                        "leaves to reroute");
    assert_string_equal(error_of("clove-ecn", R"("flowcellBytes": 1, )").c_str(),
                        "edge.flowcellBytes: is not allowed with \"clove-ecn\": it has no "
                        "flowcells");
}

void long_flows_are_laid_on_all_pairs_alike(void ** /*state*/) {
    const std::string workload = R"("workload": {"sizes": [[0, 0], [9, 1]], "load": 0.5, )"
                                 R"("bisectionBps": 1000000, "connections": 0,
               "flows": 1})";
    auto error_of = [&](const std::string &pairs, const std::string &flows,
                        const std::string &window) {
        return case_error(workload, R"("workload": {"pairs": ")" + pairs + R"(", "flows": )" +
                                        flows + R"(, "startsWithinNs": 0, "warmUpNs": 0, )" +
                                        R"("windowNs": )" + window + "}");
    };
    assert_string_equal(error_of("all-to-all", "16", "1").c_str(), "");
    assert_string_equal(error_of("all-to-all", "12", "1").c_str(),
                        "workload.flows: must be a multiple of the 8 pairs of hosts");
    assert_string_equal(error_of("permutation", "6", "1").c_str(),
                        "workload.flows: must be a multiple of the 4 pairs of hosts");
    assert_string_equal(error_of("one-to-one", "3", "1").c_str(),
                        "workload.flows: must be a multiple of the 2 pairs of hosts");
    assert_string_equal(
        error_of("ring", "4", "1").c_str(),
        "workload.pairs: must be \"one-to-one\", \"all-to-all\" or \"permutation\"");
    assert_string_equal(error_of("permutation", "4", "0").c_str(),
                        "workload.windowNs: must be a whole number from 1 to 1000000000");
}

std::string build_error(const Case &input) {
    try {
        set_tcp_defaults(input.tcp);
        Fabric fabric(input);
    } catch (const InputError &wrong) {
        return wrong.what();
    }
    return "";
}

void a_fabric_must_be_one_that_the_scheme_runs_on(void ** /*state*/) {
    Case input = small_case("wcmp", leaf_spine(2, 2, 1, 10'000'000'000), 2);
    input.plan.slots.erase("s1");
    assert_string_equal(build_error(input).c_str(),
                        "plan: switch \"s1\" has no way to 10.0.0.0/24");
    input = small_case("ecmp", leaf_spine(1, 2, 1, 10'000'000'000), 2);
    assert_non_null(strstr(build_error(input).c_str(), "at two switches or more"));
    input = small_case("conga", leaf_spine(2, 20, 1, 10'000'000'000), 2);
    assert_non_null(strstr(build_error(input).c_str(), "at most 16 uplinks"));
    input = small_case("ecmp", leaf_spine(2, 2, 1, 10'000'000'000), 2);
    assert_string_equal(build_error(input).c_str(), "");
    input = small_case("presto", leaf_spine(2, 70, 1, 10'000'000'000), 2);
    assert_string_equal(build_error(input).c_str(), "plan: a leaf must have at most 64 uplinks");
    input.scheme = "wcmp";
    assert_string_equal(build_error(input).c_str(), "");
    input.plan.links.clear();
    assert_string_equal(build_error(input).c_str(),
                        "plan: the fabric has no way from \"l0\" to \"l1\"");
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_taken_slot_by_slot),
        cmocka_unit_test(what_a_plan_names_must_be_there),
        cmocka_unit_test(a_plan_has_one_state_of_a_switch_group_and_flow),
        cmocka_unit_test(a_plan_leads_to_each_prefix_from_everywhere_and_in_no_loop),
        cmocka_unit_test(guests_and_tcp_are_the_papers_unless_the_case_says_so),
        cmocka_unit_test(a_case_that_cannot_be_is_refused),
        cmocka_unit_test(a_case_whose_traffic_could_not_go_through_is_refused),
        cmocka_unit_test(a_member_that_nobody_reads_is_refused),
        cmocka_unit_test(order_and_gap_are_of_schemes_that_have_them),
        cmocka_unit_test(long_flows_are_laid_on_all_pairs_alike),
        cmocka_unit_test(a_fabric_must_be_one_that_the_scheme_runs_on),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
