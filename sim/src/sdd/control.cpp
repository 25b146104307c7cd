#include "sdd/control.h"

#include <algorithm>
#include <cmath>

#include "ns3/simulator.h"
#include "workload/source.h"

namespace sim {

ControlLoop::ControlLoop(const ControlSettings &settings, Planner &planner, HybridSwitch &at,
                         std::vector<Egress *> hosts, uint64_t seed)
    : settings_(settings), planner_(planner), switch_(at), hosts_(std::move(hosts)), random_(seed),
      received_(hosts_.size() * hosts_.size()), acted_ns_(hosts_.size()) {
}

void ControlLoop::begin() {
    begin_week();
}

void ControlLoop::begin_week() {
    Week next = planner_.plan(reports());
    if (next.length_ns != settings_.week_ns)
        throw InputError("schedule.weekNs: must be config.periodNs, " +
                         std::to_string(settings_.week_ns));
    uint64_t start_ns = now_ns() + settings_.week_ns;
    switch_.order(start_ns, next);
    announce(next, start_ns);
    weeks_++;
    if (planned_)
        planned_(next, start_ns);
    ns3::Simulator::Schedule(ns3::NanoSeconds(settings_.week_ns), [this] { begin_week(); });
}

/* Returns the reports of pairs with queued or arrived bytes. */
std::vector<Report> ControlLoop::reports() {
    std::vector<Report> reports;
    auto hosts = static_cast<uint32_t>(hosts_.size());
    for (uint32_t from = 0; from < hosts; from++)
        for (uint32_t to = 0; to < hosts; to++) {
            const sdd_queue_stats &queue = hosts_[from]->queue(to);
            int64_t &before = received_[from * hosts + to];
            Report report = {from, to, queue.bytes, queue.received_bytes - before};
            before = queue.received_bytes;
            if (report.queued_bytes > 0 || report.arrived_bytes > 0)
                reports.push_back(report);
        }
    return reports;
}

void ControlLoop::announce(const Week &week, uint64_t start_ns) {
    for (const Day &day : week.days)
        for (uint32_t from = 0; from < hosts_.size(); from++) {
            uint32_t to = day.to[from];
            if (to == idle)
                continue;
            Egress &host = *hosts_[from];
            uint64_t open_ns = start_ns + day.start_ns, close_ns = start_ns + day.end_ns();
            if (settings_.tight) {
                signal(from, open_ns, [&host, to] { host.start(to); });
                signal(from, close_ns, [&host, to] { host.stop(to); });
            } else {
                host.add_slot(to, open_ns, close_ns);
            }
        }
}

void ControlLoop::signal(uint32_t host, uint64_t at_ns, std::function<void()> act) {
    double late_ns = settings_.delay_ns - std::log1p(-uniform(random_)) * settings_.spread_ns;
    acted_ns_[host] = std::max(acted_ns_[host], at_ns + static_cast<uint64_t>(late_ns));
    ns3::Simulator::Schedule(ns3::NanoSeconds(acted_ns_[host] - now_ns()), std::move(act));
}

} // namespace sim
