#include "workload/flows.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "ns3/simulator.h"
#include "workload/transport.h"

namespace sim {

namespace {
/* Below the ports that ns-3 draws for clients. */
constexpr uint16_t last_port = 49151;
} // namespace

Flows::Flows(const FlowSettings &settings, const Case &input, Fabric &fabric, Connection::Done done)
    : settings_(settings), tcp_(input.tcp), fabric_(fabric), done_(std::move(done)),
      random_(input.seed), hosts_per_leaf_(input.fabric.hosts_per_leaf),
      last_ports_(fabric.hosts().size(), first_port - 1),
      mean_gap_ns_(8e9 * settings.sizes.mean() /
                   (settings.load * static_cast<double>(settings.bisection_bps))) {
    draw_servers();
    for (uint32_t client = 0; client < hosts_per_leaf_; client++)
        for (uint32_t i = 0; i < settings.connections; i++)
            open(client, servers_[client]);
    next();
}

void Flows::draw_servers() {
    servers_.resize(hosts_per_leaf_);
    std::iota(servers_.begin(), servers_.end(),
              static_cast<uint32_t>(fabric_.hosts().size()) - hosts_per_leaf_);
    for (uint32_t i = hosts_per_leaf_ - 1; i > 0; i--)
        std::swap(servers_[i], servers_[static_cast<uint32_t>(uniform(random_) * (i + 1))]);
}

Connection &Flows::open(uint32_t client, uint32_t server) {
    uint16_t &port = last_ports_[server];
    port = port == last_port ? first_port : static_cast<uint16_t>(port + 1);
    connections_.push_back(
        open_connection(tcp_, fabric_.host(client), fabric_.host(server), port, done_));
    return *connections_.back();
}

Connection &Flows::open_any() {
    auto hosts = static_cast<uint32_t>(fabric_.hosts().size());
    auto client = static_cast<uint32_t>(uniform(random_) * hosts);
    auto beyond = static_cast<uint32_t>(uniform(random_) * (hosts - hosts_per_leaf_));
    uint32_t next_leaf = (client / hosts_per_leaf_ + 1) * hosts_per_leaf_;
    return open(client, (next_leaf + beyond) % hosts);
}

/* The logarithm of a lognormal gap is normal (drawn by Box–Muller). If sigma is its standard
 * deviation, the mean is exp(sigma^2 / 2) times the median. */
double Flows::draw_gap_ns() {
    double exponential = -std::log1p(-uniform(random_));
    if (settings_.gap_sigma == 0)
        return exponential * mean_gap_ns_;
    double normal = std::sqrt(2 * exponential) * std::cos(2 * std::numbers::pi * uniform(random_));
    double sigma = settings_.gap_sigma;
    return mean_gap_ns_ * std::exp(sigma * normal - sigma * sigma / 2);
}

/* Schedules the next flow. */
void Flows::next() {
    at_ns_ = std::min(at_ns_ + draw_gap_ns(), 2.0 * most_run_ns);
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
        Connection &own = settings_.any_pair ? open_any() : open(place, servers_[place]);
        own.push(bytes);
        own.close();
    }
    if (++arrived_ < settings_.flows)
        next();
}

} // namespace sim
