#include "workload/flows.h"

#include <cmath>
#include <numeric>

#include "ns3/simulator.h"

namespace sim {

namespace {
/* Below those that ns-3 draws for clients. */
constexpr uint16_t last_port = 49151;
} // namespace

Flows::Flows(const FlowSettings &settings, const Case &input, Fabric &fabric, Connection::Done done)
    : settings_(settings), fabric_(fabric), done_(std::move(done)), random_(input.seed),
      servers_(input.fabric.hosts_per_leaf), last_ports_(servers_.size(), first_port - 1),
      mean_gap_ns_(8e9 * settings.sizes.mean() /
                   (settings.load * static_cast<double>(settings.bisection_bps))) {
    auto hosts = static_cast<uint32_t>(servers_.size());
    std::iota(servers_.begin(), servers_.end(),
              static_cast<uint32_t>(fabric.hosts().size()) - hosts);
    for (uint32_t i = hosts - 1; i > 0; i--)
        std::swap(servers_[i], servers_[static_cast<uint32_t>(uniform(random_) * (i + 1))]);
    for (uint32_t client = 0; client < hosts; client++)
        for (uint32_t i = 0; i < settings.connections; i++)
            open(client);
    next();
}

Connection &Flows::open(uint32_t client) {
    uint16_t &port = last_ports_[client];
    port = port == last_port ? first_port : static_cast<uint16_t>(port + 1);
    connections_.push_back(std::make_unique<Connection>(
        fabric_.host(client), fabric_.host(servers_[client]), port, done_));
    return *connections_.back();
}

/* Schedules the next flow. */
void Flows::next() {
    at_ns_ -= std::log1p(-uniform(random_)) * mean_gap_ns_;
    auto at = static_cast<uint64_t>(at_ns_);
    ns3::Simulator::Schedule(ns3::NanoSeconds(at - now_ns()), [this] { arrive(); });
}

void Flows::arrive() {
    size_t places = settings_.connections > 0 ? connections_.size() : servers_.size();
    auto place = static_cast<uint32_t>(uniform(random_) * static_cast<double>(places));
    uint64_t bytes = settings_.sizes.draw(uniform(random_));
    if (settings_.connections > 0) {
        connections_[place]->push(bytes);
    } else {
        Connection &own = open(place);
        own.push(bytes);
        own.close();
    }
    if (++arrived_ < settings_.flows)
        next();
}

} // namespace sim
