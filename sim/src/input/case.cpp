#include "input/case.h"

#include <algorithm>

#include "fabric/scheme.h"
#include "input/plan_reader.h"

namespace sim {

namespace {

constexpr uint64_t most_bytes = 1'000'000'000;
constexpr uint64_t most_ns = 1'000'000'000;
constexpr uint64_t most_bps = 1'000'000'000'000;
constexpr uint32_t most_hosts = 4096; // hosts per leaf
constexpr uint32_t least_segment_bytes = 100;

uint32_t small(const Json &json, uint32_t least, uint32_t most) {
    return static_cast<uint32_t>(json.whole(least, most));
}

bool truth_or(const Json &json, const char *name, bool otherwise) {
    return json.has(name) ? json[name].truth() : otherwise;
}

/* The default is that of the scheme's paper. */
Guests read_guests(const Json &edge, const Scheme &scheme) {
    return {.see_marks = edge["guestsSeeMarks"].truth(),
            .masked = truth_or(edge, "masksMarks", edge_wants_marks(scheme.host)),
            .ack_correction = truth_or(edge, "ackCorrection", scheme.host == EDGE_ALB)};
}

SilentDrops read_drops(const Json &fabric, const Json &plan) {
    if (!fabric.has("silentDrops"))
        return {};
    Json drops = fabric["silentDrops"];
    std::string at = drops["switch"].text();
    auto switches = plan["fabric"]["switches"].items();
    if (std::none_of(switches.begin(), switches.end(),
                     [&](const Json &s) { return s["id"].text() == at; }))
        drops["switch"].refuse("the fabric has no switch \"" + at + "\"");
    return {at, drops["share"].number(0, 0.5)};
}

Congestion read_congestion(const Json &tcp) {
    if (!tcp.has("congestion"))
        return Congestion::newreno;
    Json name = tcp["congestion"];
    if (name.text() == "newreno")
        return Congestion::newreno;
    if (name.text() == "cubic")
        return Congestion::cubic;
    if (name.text() != "dctcp")
        name.refuse("must be \"newreno\", \"cubic\" or \"dctcp\"");
    return Congestion::dctcp;
}

uint32_t read_subflows(const Json &tcp) {
    if (!tcp.has("subflows"))
        return 0;
    if (read_congestion(tcp) == Congestion::dctcp)
        tcp["subflows"].refuse("is not allowed with \"dctcp\": MPTCP couples NewReno's windows");
    return small(tcp["subflows"], 1, 64);
}

Pairs read_pairs(const Json &name) {
    if (name.text() == "one-to-one")
        return Pairs::one_to_one;
    if (name.text() == "all-to-all")
        return Pairs::all_to_all;
    if (name.text() != "permutation")
        name.refuse("must be \"one-to-one\", \"all-to-all\" or \"permutation\"");
    return Pairs::permutation;
}

LongFlowSettings read_long_flows(const Json &json) {
    return {.pairs = read_pairs(json["pairs"]),
            .flows = small(json["flows"], 1, 1'000'000),
            .starts_within_ns = json["startsWithinNs"].whole(0, most_ns),
            .warm_up_ns = json["warmUpNs"].whole(0, most_ns),
            .window_ns = json["windowNs"].whole(1, most_ns),
            .stop = truth_or(json, "stop", false)};
}

void check_long_flows(const Json &json, const LongFlowSettings &flows, uint64_t hosts_per_leaf,
                      uint64_t leaves) {
    uint64_t hosts = hosts_per_leaf * leaves;
    uint64_t pairs = flows.pairs == Pairs::one_to_one   ? hosts_per_leaf
                     : flows.pairs == Pairs::all_to_all ? hosts * (hosts - hosts_per_leaf)
                                                        : hosts;
    if (leaves > 1 && flows.flows % pairs != 0)
        json["flows"].refuse("must be a multiple of the " + std::to_string(pairs) +
                             " pairs of hosts");
}

/* Perfect hashing deals out a plan's slots, which only wcmp's switches have. */
bool read_perfect(const Json &fabric, const std::string &scheme) {
    bool perfect = truth_or(fabric, "perfectHashing", false);
    if (perfect && scheme != "wcmp")
        fabric["perfectHashing"].refuse("is not allowed with \"" + scheme +
                                        "\": it applies to the plan's groups only");
    return perfect;
}

std::variant<FlowSettings, IncastSettings, LongFlowSettings> read_workload(const Json &json,
                                                                           uint32_t hosts) {
    if (json.has("fanout"))
        return IncastSettings{.bytes = json["bytes"].whole(hosts, most_bytes),
                              .fanout = small(json["fanout"], 1, hosts),
                              .requests = small(json["requests"], 1, 100'000'000)};
    if (json.has("pairs"))
        return read_long_flows(json);
    bool any_pair = truth_or(json, "anyPair", false);
    auto connections = small(json["connections"], 0, 100);
    if (any_pair && connections > 0)
        json["connections"].refuse("must be 0 if pairs are drawn for each flow");
    return FlowSettings{.sizes = read_sizes(json["sizes"]),
                        .load = json["load"].number(0.01, 1),
                        .any_pair = any_pair,
                        .bisection_bps =
                            json["bisectionBps"].whole(least_bps, 1'000'000'000'000'000),
                        .connections = connections,
                        .flows = small(json["flows"], 1, 100'000'000),
                        .gap_sigma = json.has("gapSigma") ? json["gapSigma"].number(0.01, 5) : 0};
}

/* If the switch chooses, hosts have no ports to choose from. */
uint32_t read_ports(const Json &edge, const std::string &scheme) {
    if (!edge.has("ports"))
        return 0;
    if (find_scheme(scheme)->chooser != Chooser::edge)
        edge["ports"].refuse("is not allowed with \"" + scheme + "\": hosts choose no path");
    return small(edge["ports"], 1, EDGE_MAX_PATHS);
}

/* By default flowcells are put in order, and flowlets are not. */
InOrder read_in_order(const Json &edge, const Scheme &scheme) {
    if (!edge.has("reassembly"))
        return scheme.host == EDGE_PRESTO ? InOrder::timed : InOrder::no;
    Json name = edge["reassembly"];
    if (name.text() == "none")
        return InOrder::no;
    if (name.text() == "ideal")
        return InOrder::ideal;
    if (name.text() != "timed")
        name.refuse("must be \"none\", \"timed\" or \"ideal\"");
    if (!edge_keeps_flows(scheme.host))
        name.refuse("must not be \"timed\" with \"" + std::string(scheme.name) +
                    "\": its hosts do not number segments");
    return InOrder::timed;
}

/* Hosts know delays of paths only from feedback. */
double read_gap_adapt(const Json &edge, const Scheme &scheme) {
    if (!edge.has("gapAdapt"))
        return 0;
    if (!edge_measures_delays(scheme.host))
        edge["gapAdapt"].refuse("is not allowed with \"" + std::string(scheme.name) +
                                "\": its hosts do not know the paths' delays");
    return edge["gapAdapt"].number(0, 16);
}

/* Measurements of paths age only if hosts choose by them. */
double read_metric_age(const Json &edge, const Scheme &scheme) {
    if (!edge.has("metricAgeRtts"))
        return 0;
    if (!edge_chooses_by_metric(scheme.host))
        edge["metricAgeRtts"].refuse("is not allowed with \"" + std::string(scheme.name) +
                                     "\": its hosts measure no path");
    return edge["metricAgeRtts"].number(0.5, 10000);
}

double read_settle(const Json &edge, const Scheme &scheme) {
    if (!edge.has("settleRtts"))
        return 0;
    if (scheme.host != EDGE_INTFLOW)
        edge["settleRtts"].refuse("is not allowed with \"" + std::string(scheme.name) +
                                  "\": its hosts do not tell leaves to reroute");
    return edge["settleRtts"].number(0, 10000);
}

uint32_t read_flowcell(const Json &edge, const Scheme &scheme) {
    if (!edge.has("flowcellBytes"))
        return 0;
    if (scheme.host != EDGE_PRESTO)
        edge["flowcellBytes"].refuse("is not allowed with \"" + std::string(scheme.name) +
                                     "\": it has no flowcells");
    return small(edge["flowcellBytes"], 1, most_bytes);
}

/* A queue without room for a full segment would drop all of them. */
FabricSettings read_fabric(const Json &fabric, const Json &json, const TcpSettings &tcp) {
    uint64_t frame_bytes = tcp.segment_bytes + header_bytes + framing_bytes;
    return {.perfect_hashing = read_perfect(fabric, json["scheme"].text()),
            .hosts_per_leaf = small(fabric["hostsPerLeaf"], 1, most_hosts),
            .host_bps = fabric["hostBps"].whole(least_bps, most_bps),
            .delay_ns = fabric["delayNs"].whole(0, most_ns),
            .buffer_bytes = fabric["bufferBytes"].whole(frame_bytes, most_bytes),
            .mark_bytes = fabric["markBytes"].whole(0, most_bytes),
            .drops = read_drops(fabric, json["plan"])};
}

std::optional<Failure> read_failure(const Json &json) {
    if (!json.has("failure"))
        return std::nullopt;
    Json failure = json["failure"];
    return Failure{.at_ns = failure["atNs"].whole(1, 1'000 * most_ns),
                   .planned_ns = failure["plannedNs"].whole(0, 1'000 * most_ns),
                   .after = read_plan(failure["plan"])};
}

bool is_same_network(const Plan &one, const Plan &other) {
    auto same_switch = [](const auto &a, const auto &b) { return a.id == b.id; };
    auto same_leaf = [](const auto &a, const auto &b) {
        return a.id == b.id && a.prefix == b.prefix;
    };
    return std::equal(one.switches.begin(), one.switches.end(), other.switches.begin(),
                      other.switches.end(), same_switch) &&
           std::equal(one.leaves.begin(), one.leaves.end(), other.leaves.begin(),
                      other.leaves.end(), same_leaf);
}

} // namespace

Sizes read_sizes(const Json &json) {
    std::vector<Sizes::Point> points;
    for (const Json &point : json.items()) {
        auto pair = point.items();
        if (pair.size() != 2)
            point.refuse("must be [bytes, probability]");
        points.push_back({pair[0].number(0, 1e12), pair[1].number(0, 1)});
    }
    try {
        return Sizes(points);
    } catch (const std::invalid_argument &error) {
        json.refuse(error.what());
    }
}

TcpSettings read_tcp(const Json &tcp) {
    uint32_t segment_bytes = small(tcp["segmentBytes"], least_segment_bytes, 1460);
    return {.congestion = read_congestion(tcp),
            .segment_bytes = segment_bytes,
            .initial_window = small(tcp["initialWindow"], 1, 1000),
            .least_rto_ns = tcp["leastRtoNs"].whole(1, most_ns),
            .buffer_bytes = small(tcp["bufferBytes"], 2 * segment_bytes, most_bytes),
            .ack_every = small(tcp["ackEvery"], 1, 100),
            .duplicate_acks =
                tcp.has("duplicateAcks") ? small(tcp["duplicateAcks"], 1, 100'000) : 3,
            .subflows = read_subflows(tcp)};
}

/* Only for schemes whose hosts receive reports on paths. */
uint32_t read_bound(const Json &edge, const char *field, const Scheme &scheme) {
    if (!edge.has(field))
        return 0;
    if (!edge_wants_reports(scheme.host))
        edge[field].refuse("is not allowed with \"" + std::string(scheme.name) +
                           "\": its hosts receive no reports on paths");
    return small(edge[field], 1, 10000);
}

Case read_case(const Json &json) {
    Json edge = json["edge"];
    if (!find_scheme(json["scheme"].text()))
        json["scheme"].refuse("no scheme \"" + json["scheme"].text() + "\"");
    Scheme scheme = *find_scheme(json["scheme"].text());
    TcpSettings tcp = read_tcp(json["tcp"]);
    FabricSettings fabric = read_fabric(json["fabric"], json, tcp);
    uint32_t hosts = fabric.hosts_per_leaf;
    Case read = {
        .scheme = std::string(scheme.name),
        .seed = json["seed"].whole(0, INT64_MAX),
        .edge = {.gap_rtts = edge["gapRtts"].number(0.01, 1000),
                 .guests = read_guests(edge, scheme),
                 .prior = truth_or(edge, "prior", false),
                 .ports = read_ports(edge, json["scheme"].text()),
                 .gap_adapt = read_gap_adapt(edge, scheme),
                 .metric_age_rtts = read_metric_age(edge, scheme),
                 .explore = read_bound(edge, "explore", scheme),
                 .answer_rtts = read_bound(edge, "answerRtts", scheme),
                 .settle_rtts = read_settle(edge, scheme),
                 .flowcell_bytes = read_flowcell(edge, scheme),
                 .in_order = read_in_order(edge, scheme)},
        .fabric = fabric,
        .tcp = tcp,
        .workload = read_workload(json["workload"], hosts),
        .plan = read_plan(json["plan"]),
        .failure = read_failure(json),
    };
    if (read.failure && !is_same_network(read.plan, read.failure->after))
        json["failure"]["plan"].refuse("must have the switches and prefixes of the case's plan");
    if (const auto *flows = std::get_if<LongFlowSettings>(&read.workload))
        check_long_flows(json["workload"], *flows, hosts, read.plan.leaves.size());
    json.refuse_unasked();
    return read;
}

} // namespace sim
