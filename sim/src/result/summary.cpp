#include "result/summary.h"

#include <algorithm>
#include <iomanip>
#include <numeric>
#include <ostream>

namespace sim {

namespace {

template <typename Keep> Times times_where(const Result &result, Keep keep) {
    std::vector<uint64_t> ns;
    for (const Completion &flow : result.flows)
        if (keep(flow.bytes))
            ns.push_back(flow.ns);
    return times_of(std::move(ns));
}

void write_times(std::ostream &out, const char *name, const Times &times) {
    out << '"' << name << "\":{\"count\":" << times.count << ",\"meanNs\":" << times.mean_ns
        << ",\"p99Ns\":" << times.p99_ns << '}';
}

} // namespace

Times times_of(std::vector<uint64_t> ns) {
    if (ns.empty())
        return {};
    std::sort(ns.begin(), ns.end());
    double sum = std::accumulate(ns.begin(), ns.end(), 0.0);
    size_t rank = (ns.size() * 99 + 99) / 100;
    return {ns.size(), sum / static_cast<double>(ns.size()), ns[rank - 1]};
}

void write_summary(std::ostream &out, const Result &result) {
    out << std::fixed << std::setprecision(1) << "{\"fct\":{";
    write_times(out, "all", times_where(result, [](uint64_t) { return true; }));
    out << ',';
    write_times(out, "small",
                times_where(result, [](uint64_t b) { return b < small_below_bytes; }));
    out << ',';
    write_times(out, "large",
                times_where(result, [](uint64_t b) { return b > large_above_bytes; }));
    const LinkCounts &links = result.links;
    out << "},\"links\":{\"frames\":" << links.frames << ",\"drops\":" << links.drops
        << ",\"marks\":" << links.marks << "},\"probes\":" << result.probes
        << ",\"simulatedNs\":" << result.simulated_ns << "}\n";
}

} // namespace sim
