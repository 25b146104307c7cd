#include "workload/run.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>

#include "fabric/fabric.h"
#include "ns3/simulator.h"
#include "workload/connection.h"

namespace sim {

namespace {

/* By then connections are open. */
constexpr uint64_t first_job_ns = 1'000'000;
constexpr uint16_t first_port = 5000;

/* The same on every machine: the standard's distributions are not. */
double uniform(std::mt19937_64 &random) {
    return static_cast<double>(random() >> 11) * 0x1p-53;
}

class Run {
  public:
    explicit Run(const Case &input) : input_(input), fabric_(input), random_(input.seed) {
        connect();
        const auto &workload = input.workload;
        mean_gap_ns_ = 8e9 * workload.sizes.mean() /
                       (input.load * static_cast<double>(workload.bisection_bps));
        at_ns_ = static_cast<double>(first_job_ns);
        next();
    }

    Result finish() {
        ns3::Simulator::Run();
        if (result_.flows.size() < input_.workload.flows)
            throw std::runtime_error(std::to_string(input_.workload.flows - result_.flows.size()) +
                                     " flows did not complete");
        result_.links = fabric_.counts();
        for (const auto &host : fabric_.hosts()) {
            result_.sent += fabric_.nic(host->number()).counts().frames;
            result_.delivered += host->received();
            result_.probes += host->probes();
        }
        return std::move(result_);
    }

  private:
    void connect() {
        uint32_t hosts = input_.fabric.hosts_per_leaf;
        auto all = static_cast<uint32_t>(fabric_.hosts().size());
        std::vector<uint32_t> servers(hosts);
        std::iota(servers.begin(), servers.end(), all - hosts);
        for (uint32_t i = hosts - 1; i > 0; i--)
            std::swap(servers[i], servers[static_cast<uint32_t>(uniform(random_) * (i + 1))]);
        for (uint32_t client = 0; client < hosts; client++)
            for (uint32_t i = 0; i < input_.workload.connections; i++)
                connections_.push_back(std::make_unique<Connection>(
                    fabric_.host(client), fabric_.host(servers[client]),
                    static_cast<uint16_t>(first_port + i), [this](const Job &job) { done(job); }));
    }

    /* Schedules the next job. */
    void next() {
        at_ns_ -= std::log1p(-uniform(random_)) * mean_gap_ns_;
        auto at = static_cast<uint64_t>(at_ns_);
        ns3::Simulator::Schedule(ns3::NanoSeconds(at - now_ns()), [this] { arrive(); });
    }

    void arrive() {
        auto place =
            static_cast<size_t>(uniform(random_) * static_cast<double>(connections_.size()));
        connections_[place]->push(input_.workload.sizes.draw(uniform(random_)));
        if (++arrived_ < input_.workload.flows)
            next();
    }

    void done(const Job &job) {
        result_.flows.push_back({job.bytes, now_ns() - job.arrived_ns});
        result_.simulated_ns = now_ns();
    }

    const Case &input_;
    Fabric fabric_;
    std::mt19937_64 random_;
    std::vector<std::unique_ptr<Connection>> connections_;
    double mean_gap_ns_ = 0;
    double at_ns_ = 0;
    uint32_t arrived_ = 0;
    Result result_;
};

/* Leaves nothing of a run in ns-3's globals, however it ends. */
struct Cleanup {
    ~Cleanup() {
        ns3::Simulator::Destroy();
    }
};

} // namespace

Result run(const Case &input) {
    Cleanup cleanup;
    set_tcp_defaults(input.tcp);
    return Run(input).finish();
}

} // namespace sim
