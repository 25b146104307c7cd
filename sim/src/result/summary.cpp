#include "result/summary.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <numeric>
#include <ostream>

#include "workload/source.h"

namespace sim {

namespace {

/* Times of the flows for which keep is true. */
template <typename Keep> Times times_of_flows(const Result &result, Keep keep) {
    std::vector<uint64_t> ns;
    for (const Completion &flow : result.flows)
        if (keep(flow))
            ns.push_back(flow.ns);
    return times_of(std::move(ns));
}

template <typename Keep> Times times_where(const Result &result, Keep keep) {
    return times_of_flows(result, [&](const Completion &flow) { return keep(flow.bytes); });
}

void write_times(std::ostream &out, const char *name, const Times &times) {
    out << '"' << name << "\":{\"count\":" << times.count << ",\"meanNs\":" << times.mean_ns;
    for (size_t i = 0; i < times.percent_ns.size(); i++)
        out << ",\"p" << fct_percents[i] << "Ns\":" << times.percent_ns[i];
    out << '}';
}

struct Moments {
    double mean;
    double variance;
};

Moments moments(const std::vector<double> &values) {
    auto count = static_cast<double>(values.size());
    double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (double value : values)
        squares += (value - mean) * (value - mean);
    return {mean, squares / count};
}

size_t nearest_rank(size_t count, size_t percent) {
    return percent == 0 ? 0 : (count * percent + 99) / 100 - 1;
}

void write_rates(std::ostream &out, const Rates &rates) {
    out << "{\"meanBps\":" << rates.mean_bps << ",\"variance\":" << rates.variance;
    for (size_t i = 0; i < rates.percent_bps.size(); i++)
        out << ",\"p" << rate_percents[i] << "Bps\":" << rates.percent_bps[i];
    out << '}';
}

void write_sizes(std::ostream &out, const std::vector<OfSize> &sizes) {
    const char *separator = "[";
    for (const OfSize &size : sizes) {
        out << separator << "{\"aboveBytes\":" << size.above << ",\"count\":" << size.count
            << ",\"meanBps\":" << size.mean_bps << ",\"stdBps\":" << size.std_bps
            << ",\"stdFctNs\":" << size.std_fct_ns << '}';
        separator = ",";
    }
    out << (sizes.empty() ? "[]" : "]");
}

/* Writes times of flows that arrived within soon_ns after the failure, and shares in bins. */
void write_failure(std::ostream &out, const Result &result) {
    out << ",\"failure\":{";
    write_times(out, "soon", times_of_flows(result, [&](const Completion &flow) {
                    return flow.arrived_ns >= result.failed_ns &&
                           flow.arrived_ns < result.failed_ns + soon_ns;
                }));
    out << ",\"bins\":[" << std::setprecision(4);
    for (size_t bin = 0; bin < result.lighter_shares.size(); bin++)
        out << (bin ? "," : "") << result.lighter_shares[bin];
    out << "]}" << std::setprecision(1);
}

/* Writes how often flows changed their paths, by size. */
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
    std::sort(ns.begin(), ns.end());
    Times times = {ns.size(), 0, {}};
    for (uint32_t percent : fct_percents)
        times.percent_ns.push_back(ns.empty() ? 0 : ns[nearest_rank(ns.size(), percent)]);
    if (!ns.empty())
        times.mean_ns = std::accumulate(ns.begin(), ns.end(), 0.0) / static_cast<double>(ns.size());
    return times;
}

uint64_t Times::percentile_ns(uint32_t percent) const {
    const uint32_t *at = std::find(std::begin(fct_percents), std::end(fct_percents), percent);
    return percent_ns.at(static_cast<size_t>(at - std::begin(fct_percents)));
}

Rates rates_of(std::vector<double> rates_bps) {
    std::sort(rates_bps.begin(), rates_bps.end());
    Moments of_all = moments(rates_bps);
    Rates rates = {of_all.mean, of_all.variance, {}};
    for (uint32_t percent : rate_percents)
        rates.percent_bps.push_back(rates_bps[nearest_rank(rates_bps.size(), percent)]);
    return rates;
}

std::vector<OfSize> by_size(const std::vector<Completion> &flows) {
    std::vector<OfSize> found;
    for (uint64_t above = 1000; above < 100'000'000; above *= 10) {
        std::vector<double> ns, bps;
        for (const Completion &flow : flows)
            if (flow.bytes > above && flow.bytes <= 10 * above) {
                ns.push_back(static_cast<double>(flow.ns));
                bps.push_back(8e9 * static_cast<double>(flow.bytes) / ns.back());
            }
        if (ns.empty())
            continue;
        Moments rate = moments(bps);
        found.push_back({above, ns.size(), rate.mean, std::sqrt(rate.variance),
                         std::sqrt(moments(ns).variance)});
    }
    return found;
}

double goodput_bps(const Result &result) {
    return 8e9 * static_cast<double>(result.bytes) /
           static_cast<double>(result.simulated_ns - first_job_ns);
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
    out << '}';
    if (!result.rates_bps.empty()) {
        out << ",\"rates\":";
        write_rates(out, rates_of(result.rates_bps));
    }
    if (result.failed_ns > 0)
        write_failure(out, result);
    out << ",\"bySize\":";
    write_sizes(out, by_size(result.flows));
    out << ",\"tcp\":{\"recoveries\":" << result.tcp.recoveries
        << ",\"timeouts\":" << result.tcp.timeouts << "},";
    write_reroutes(out, result);
    out << ",\"flowlets\":" << result.flowlets << ",\"goodputBps\":" << goodput_bps(result)
        << ",\"probes\":" << result.probes << ",\"simulatedNs\":" << result.simulated_ns << "}\n";
}

} // namespace sim
