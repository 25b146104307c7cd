#include "workload/long_flows.h"

#include <numeric>

#include "ns3/simulator.h"
#include "workload/transport.h"

namespace sim {

namespace {

/* More than any link carries in the longest run. */
constexpr uint64_t endless_bytes = UINT64_C(1) << 60;

/* Draws each host's receiver: every host has one sender under another leaf. If a host would send
 * under its own leaf, its receiver is exchanged with another host's. */
std::vector<uint32_t> draw_permutation(uint32_t hosts, uint32_t hosts_per_leaf,
                                       std::mt19937_64 &random) {
    auto draw = [&](uint32_t below) { return static_cast<uint32_t>(uniform(random) * below); };
    auto leaf = [&](uint32_t host) { return host / hosts_per_leaf; };
    std::vector<uint32_t> to(hosts);
    std::iota(to.begin(), to.end(), 0);
    for (uint32_t i = hosts - 1; i > 0; i--)
        std::swap(to[i], to[draw(i + 1)]);
    for (uint32_t i = 0; i < hosts; i++)
        while (leaf(to[i]) == leaf(i)) {
            uint32_t other = draw(hosts);
            if (leaf(to[other]) != leaf(i) && leaf(to[i]) != leaf(other))
                std::swap(to[i], to[other]);
        }
    return to;
}

} // namespace

std::vector<std::pair<uint32_t, uint32_t>>
draw_pairs(Pairs pairs, uint32_t hosts, uint32_t hosts_per_leaf, std::mt19937_64 &random) {
    std::vector<std::pair<uint32_t, uint32_t>> drawn;
    if (pairs == Pairs::one_to_one) {
        for (uint32_t i = 0; i < hosts_per_leaf; i++)
            drawn.emplace_back(i, hosts - hosts_per_leaf + i);
    } else if (pairs == Pairs::all_to_all) {
        for (uint32_t from = 0; from < hosts; from++)
            for (uint32_t to = 0; to < hosts; to++)
                if (from / hosts_per_leaf != to / hosts_per_leaf)
                    drawn.emplace_back(from, to);
    } else {
        auto to = draw_permutation(hosts, hosts_per_leaf, random);
        for (uint32_t from = 0; from < hosts; from++)
            drawn.emplace_back(from, to[from]);
    }
    return drawn;
}

LongFlows::LongFlows(const LongFlowSettings &settings, const Case &input, Fabric &fabric)
    : settings_(settings), tcp_(input.tcp), fabric_(fabric) {
    std::mt19937_64 random(input.seed);
    auto pairs = draw_pairs(settings.pairs, static_cast<uint32_t>(fabric.hosts().size()),
                            input.fabric.hosts_per_leaf, random);
    std::vector<uint16_t> ports(fabric.hosts().size(), first_port);
    for (uint32_t i = 0; i < settings.flows; i++) {
        auto [client, server] = pairs[i % pairs.size()];
        flows_.push_back(
            {.client = client, .server = server, .port = ports[server]++, .connection = nullptr});
    }
    for (Flow &flow : flows_) {
        double after = uniform(random) * static_cast<double>(settings.starts_within_ns);
        ns3::Simulator::Schedule(ns3::NanoSeconds(first_job_ns + static_cast<uint64_t>(after)),
                                 [this, &flow] { start(flow); });
    }
}

void LongFlows::start(Flow &flow) {
    flow.connection = open_connection(tcp_, fabric_.host(flow.client), fabric_.host(flow.server),
                                      flow.port, [](const Job & /*job*/) {});
    flow.connection->push(endless_bytes);
    ns3::Simulator::Schedule(ns3::NanoSeconds(settings_.warm_up_ns),
                             [&flow] { flow.before_window = flow.connection->received_bytes(); });
    ns3::Simulator::Schedule(ns3::NanoSeconds(settings_.warm_up_ns + settings_.window_ns),
                             [this, &flow] { end_window(flow); });
}

void LongFlows::end_window(Flow &flow) {
    flow.in_window = flow.connection->received_bytes() - flow.before_window;
    if (settings_.stop)
        flow.connection->abandon();
    if (++measured_ == flows_.size())
        ns3::Simulator::Stop();
}

void LongFlows::report(Result &result) const {
    for (const Flow &flow : flows_) {
        result.rates_bps.push_back(8e9 * static_cast<double>(flow.in_window) /
                                   static_cast<double>(settings_.window_ns));
        result.bytes += flow.connection->received_bytes();
    }
    result.simulated_ns = now_ns();
}

} // namespace sim
