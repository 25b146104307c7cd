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
        << ",\"p50Ns\":" << times.p50_ns << ",\"p90Ns\":" << times.p90_ns
        << ",\"p99Ns\":" << times.p99_ns << '}';
}

/* How often flows changed their paths, by their size. */
void write_reroutes(std::ostream &out, const Result &result) {
    uint64_t small = 0, medium = 0, large = 0;
    for (const Reroutes &flow : result.reroutes)
        (flow.bytes() < small_below_bytes   ? small
         : flow.bytes() > large_above_bytes ? large
                                            : medium) += flow.count();
    out << "\"reroutes\":{\"small\":" << small << ",\"medium\":" << medium << ",\"large\":" << large
        << '}';
}

void write_counts(std::ostream &out, const LinkCounts &counts) {
    out << "{\"frames\":" << counts.frames << ",\"bytes\":" << counts.bytes
        << ",\"drops\":" << counts.drops << ",\"marks\":" << counts.marks
        << ",\"lost\":" << counts.lost << '}';
}

} // namespace

Times times_of(std::vector<uint64_t> ns) {
    if (ns.empty())
        return {};
    std::sort(ns.begin(), ns.end());
    double sum = std::accumulate(ns.begin(), ns.end(), 0.0);
    auto percentile = [&](size_t percent) { return ns[(ns.size() * percent + 99) / 100 - 1]; };
    return {ns.size(), sum / static_cast<double>(ns.size()), percentile(50), percentile(90),
            percentile(99)};
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
    out << "},\"links\":";
    write_counts(out, result.links);
    out << ",\"between\":{";
    const char *separator = "";
    for (const auto &[name, counts] : result.between) {
        out << separator << '"' << name << "\":";
        write_counts(out, counts);
        separator = ",";
    }
    out << "},\"tcp\":{\"recoveries\":" << result.tcp.recoveries
        << ",\"timeouts\":" << result.tcp.timeouts << "},";
    write_reroutes(out, result);
    out << ",\"flowlets\":" << result.flowlets << ",\"goodputBps\":" << result.goodput_bps()
        << ",\"probes\":" << result.probes << ",\"simulatedNs\":" << result.simulated_ns << "}\n";
}

} // namespace sim
