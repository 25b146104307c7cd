#include "traffic.h"

#include <cmath>

#include "workload/source.h"

namespace sim::bench {

namespace {

constexpr uint16_t last_port = 49151; // below the ports that ns-3 draws for clients

uint32_t small(const Json &json, uint32_t least, uint32_t most) {
    return static_cast<uint32_t>(json.whole(least, most));
}

std::vector<Flow> draw(const Traffic &traffic, const Json &json) {
    Sizes sizes = read_sizes(json["sizes"]);
    double uplinks = static_cast<double>(traffic.leaves) * traffic.spines *
                     static_cast<double>(traffic.fabric.host_bps);
    double mean_gap_ns = 8e9 * sizes.mean() / (json["load"].number(0.01, 1) * uplinks);
    std::mt19937_64 random(json["seed"].whole(0, INT64_MAX));
    std::vector<uint16_t> last_ports(traffic.hosts(), first_port - 1);
    double at_ns = static_cast<double>(first_job_ns);
    std::vector<Flow> flows(json["flows"].whole(1, 100'000));
    uint32_t hosts_per_leaf = traffic.fabric.hosts_per_leaf;
    for (Flow &flow : flows) {
        at_ns -= std::log1p(-uniform(random)) * mean_gap_ns;
        flow.at_ns = static_cast<uint64_t>(at_ns);
        flow.client = static_cast<uint32_t>(uniform(random) * traffic.hosts());
        auto beyond = static_cast<uint32_t>(uniform(random) * (traffic.hosts() - hosts_per_leaf));
        uint32_t next_leaf = (traffic.leaf_of(flow.client) + 1) * hosts_per_leaf;
        flow.server = (next_leaf + beyond) % traffic.hosts();
        uint16_t &port = last_ports[flow.server];
        flow.port = port = port == last_port ? first_port : static_cast<uint16_t>(port + 1);
        flow.bytes = sizes.draw(uniform(random));
    }
    return flows;
}

} // namespace

Traffic read_traffic(const Json &json) {
    bool is_dctcp = json["congestion"].text() == "dctcp";
    Traffic traffic{
        .leaves = small(json["leaves"], 2, 64),
        .spines = small(json["spines"], 1, 64),
        .fabric = {.hosts_per_leaf = small(json["hostsPerLeaf"], 1, 64),
                   .host_bps = json["bps"].whole(1, 1'000'000'000'000),
                   .delay_ns = json["delayNs"].whole(1, 1'000'000),
                   .buffer_bytes = json["bufferBytes"].whole(1, 1'000'000'000),
                   .mark_bytes = is_dctcp ? json["markBytes"].whole(1, 1'000'000'000) : no_marks},
        .tcp = {.congestion = is_dctcp ? Congestion::dctcp : Congestion::newreno,
                .segment_bytes = 1460,
                .initial_window = 10,
                .least_rto_ns = 5'000'000,
                .buffer_bytes = small(json["windowBytes"], 1, 100'000'000),
                .ack_every = 2},
        .flows = {},
    };
    traffic.flows = draw(traffic, json);
    return traffic;
}

} // namespace sim::bench
