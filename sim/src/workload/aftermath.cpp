#include "workload/aftermath.h"

#include <algorithm>

#include "ns3/simulator.h"

namespace sim {

Aftermath::Aftermath(const Case &input, Fabric &fabric) : fabric_(fabric) {
    if (!input.failure)
        return;
    const Failure &failure = *input.failure;
    lighter_ = fabric.lighter_uplinks();
    auto at = [](uint64_t ns, auto what) { ns3::Simulator::Schedule(ns3::NanoSeconds(ns), what); };
    at(failure.at_ns, [&fabric] { fabric.fail(); });
    at(failure.at_ns + failure.planned_ns, [&fabric] { fabric.follow_plan(); });
    /* From the start of the bins or of the run. */
    uint64_t first_ns = failure.at_ns - std::min(failure.at_ns, bins_before * bin_ns);
    for (uint64_t ns = first_ns; ns <= failure.at_ns + bins_after * bin_ns; ns += bin_ns)
        at(ns, [this] { count(); });
}

void Aftermath::count() {
    uint64_t on_lighter = 0, on_all = 0;
    const Switch &leaf = fabric_.first_leaf();
    for (const auto &[number, port] : leaf.ports()) {
        bool is_lighter = std::find(lighter_.begin(), lighter_.end(), number) != lighter_.end();
        on_all += port->counts().bytes;
        on_lighter += is_lighter ? port->counts().bytes : 0;
    }
    sent_.emplace_back(on_lighter, on_all);
}

void Aftermath::report(Result &result) const {
    for (size_t bin = 1; bin < sent_.size(); bin++) {
        auto on_lighter = static_cast<double>(sent_[bin].first - sent_[bin - 1].first);
        auto on_all = static_cast<double>(sent_[bin].second - sent_[bin - 1].second);
        result.lighter_shares.push_back(on_all > 0 ? on_lighter / on_all : 0);
    }
}

} // namespace sim
