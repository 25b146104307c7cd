#include "workload/incast.h"

#include <numeric>

#include "ns3/simulator.h"
#include "workload/transport.h"

namespace sim {

Incast::Incast(const IncastSettings &settings, const Case &input, Fabric &fabric,
               Connection::Done done)
    : settings_(settings), done_(std::move(done)), random_(input.seed),
      request_ns_(Fabric::idle_rtt_ns(input) / 2), order_(input.fabric.hosts_per_leaf) {
    std::iota(order_.begin(), order_.end(), 0);
    auto first = static_cast<uint32_t>(fabric.hosts().size() - order_.size());
    for (uint32_t i = 0; i < order_.size(); i++)
        servers_.push_back(open_connection(input.tcp, fabric.host(first + i), fabric.host(0),
                                           static_cast<uint16_t>(first_port + i),
                                           [this](const Job &job) { answered(job); }));
    ask_after(first_job_ns);
}

void Incast::ask_after(uint64_t ns) {
    ns3::Simulator::Schedule(ns3::NanoSeconds(ns), [this] { ask(); });
}

void Incast::ask() {
    requests_++;
    waiting_for_ = settings_.fanout;
    for (uint32_t i = 0; i < settings_.fanout; i++) {
        double left = static_cast<double>(order_.size() - i);
        std::swap(order_[i], order_[i + static_cast<uint32_t>(uniform(random_) * left)]);
        servers_[order_[i]]->push(settings_.bytes / settings_.fanout);
    }
}

void Incast::answered(const Job &job) {
    done_(job);
    if (--waiting_for_ == 0 && requests_ < settings_.requests)
        ask_after(request_ns_);
}

} // namespace sim
