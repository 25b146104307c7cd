#include "input/case.h"

#include "fabric/scheme.h"

namespace sim {

namespace {

constexpr uint64_t most_bytes = 1'000'000'000;
constexpr uint64_t most_ns = 1'000'000'000;
constexpr uint64_t most_bps = 1'000'000'000'000;

uint32_t small(const Json &json, uint32_t least, uint32_t most) {
    return static_cast<uint32_t>(json.whole(least, most));
}

bool truth_or(const Json &json, const char *name, bool otherwise) {
    return json.has(name) ? json[name].truth() : otherwise;
}

/* Without a word on it, what the scheme's paper has. */
Guests read_guests(const Json &edge, const std::string &scheme) {
    return {.see_marks = edge["guestsSeeMarks"].truth(),
            .masked = truth_or(edge, "masksMarks", scheme == "clove-ecn"),
            .ack_correction = truth_or(edge, "ackCorrection", scheme == "alb")};
}

Congestion read_congestion(const Json &tcp) {
    if (!tcp.has("congestion"))
        return Congestion::newreno;
    Json name = tcp["congestion"];
    if (name.text() != "newreno" && name.text() != "dctcp")
        name.refuse("must be \"newreno\" or \"dctcp\"");
    return name.text() == "dctcp" ? Congestion::dctcp : Congestion::newreno;
}

uint32_t read_subflows(const Json &tcp) {
    if (!tcp.has("subflows"))
        return 0;
    if (read_congestion(tcp) == Congestion::dctcp)
        tcp["subflows"].refuse("must not be there with \"dctcp\": MPTCP couples NewReno's windows");
    return small(tcp["subflows"], 1, 64);
}

std::variant<FlowSettings, IncastSettings> read_workload(const Json &json, uint32_t hosts) {
    if (json.has("fanout"))
        return IncastSettings{.bytes = json["bytes"].whole(hosts, most_bytes),
                              .fanout = small(json["fanout"], 1, hosts),
                              .requests = small(json["requests"], 1, 100'000'000)};
    bool any_pair = truth_or(json, "anyPair", false);
    auto connections = small(json["connections"], 0, 100);
    if (any_pair && connections > 0)
        json["connections"].refuse("must be 0 where pairs are drawn for each flow");
    return FlowSettings{.sizes = read_sizes(json["sizes"]),
                        .load = json["load"].number(0.01, 1),
                        .any_pair = any_pair,
                        .bisection_bps = json["bisectionBps"].whole(1, 1'000'000'000'000'000),
                        .connections = connections,
                        .flows = small(json["flows"], 1, 100'000'000)};
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
    return {.congestion = read_congestion(tcp),
            .segment_bytes = small(tcp["segmentBytes"], 1, 1460),
            .initial_window = small(tcp["initialWindow"], 1, 1000),
            .least_rto_ns = tcp["leastRtoNs"].whole(1, most_ns),
            .buffer_bytes = small(tcp["bufferBytes"], 1, most_bytes),
            .ack_every = small(tcp["ackEvery"], 1, 100),
            .duplicate_acks =
                tcp.has("duplicateAcks") ? small(tcp["duplicateAcks"], 1, 100'000) : 3,
            .subflows = read_subflows(tcp)};
}

Case read_case(const Json &json) {
    Json fabric = json["fabric"];
    Json edge = json["edge"];
    uint32_t hosts = small(fabric["hostsPerLeaf"], 1, 4096);
    if (!find_scheme(json["scheme"].text()))
        json["scheme"].refuse("no scheme \"" + json["scheme"].text() + "\"");
    return {
        .scheme = json["scheme"].text(),
        .seed = json["seed"].whole(0, INT64_MAX),
        .edge = {.gap_rtts = edge["gapRtts"].number(0.01, 1000),
                 .guests = read_guests(edge, json["scheme"].text())},
        .fabric = {.hosts_per_leaf = hosts,
                   .host_bps = fabric["hostBps"].whole(1, most_bps),
                   .delay_ns = fabric["delayNs"].whole(0, most_ns),
                   .buffer_bytes = fabric["bufferBytes"].whole(1, most_bytes),
                   .mark_bytes = fabric["markBytes"].whole(0, most_bytes)},
        .tcp = read_tcp(json["tcp"]),
        .workload = read_workload(json["workload"], hosts),
        .plan = read_plan(json["plan"]),
    };
}

} // namespace sim
