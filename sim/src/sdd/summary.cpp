#include <ostream>

#include "result/summary.h"
#include "sdd/run.h"

namespace sim {

namespace {

/* Writes successive members of an object. */
class Members {
  public:
    explicit Members(std::ostream &out) : out_(out) {
    }

    void add(const std::string &name, double value) {
        out_ << separator_ << '"' << name << "\":" << value;
        separator_ = ",";
    }

  private:
    std::ostream &out_;
    const char *separator_ = "";
};

void add_times(Members &members, const SddResult &result, const std::string &suffix,
               uint64_t below_bytes) {
    std::vector<uint64_t> ns;
    for (const Completion &message : result.messages)
        if (message.bytes < below_bytes)
            ns.push_back(message.ns);
    Times times = times_of(std::move(ns));
    if (times.count == 0)
        return;
    members.add("avgFct" + suffix, times.mean_ns / 1e6);
    members.add("p50Fct" + suffix, static_cast<double>(times.percentile_ns(50)) / 1e6);
    members.add("p99Fct" + suffix, static_cast<double>(times.percentile_ns(99)) / 1e6);
}

void add_streams(Members &members, const StreamResult &streams) {
    members.add("weeksToServe", streams.weeks_to_serve);
    members.add("weeksToOptimum", streams.weeks_to_optimum);
    members.add("optimalShare", streams.optimal_share);
    members.add("daysBefore", streams.days_before);
    members.add("daysAfter", streams.days_after);
    members.add("utilisation", streams.utilisation);
    if (streams.on_deviation)
        members.add("onDeviation", *streams.on_deviation);
    if (streams.off_deviation)
        members.add("offDeviation", *streams.off_deviation);
}

} // namespace

void write_sdd_summary(std::ostream &out, const SddResult &result) {
    out << "{\"metrics\":{";
    Members members(out);
    add_times(members, result, "", UINT64_MAX);
    add_times(members, result, "Small", small_below_bytes);
    if (result.streams)
        add_streams(members, *result.streams);
    members.add("goodputGbps",
                8 * static_cast<double>(result.payload) / static_cast<double>(result.simulated_ns));
    members.add("hostKb", result.host_queue.mean() / 1e3);
    members.add("p99HostKb", static_cast<double>(result.host_queue.percentile(99)) / 1e3);
    members.add("switchKb", result.switch_queue.mean() / 1e3);
    members.add("p99SwitchKb", static_cast<double>(result.switch_queue.percentile(99)) / 1e3);
    members.add("maxSwitchKb", static_cast<double>(result.switch_queue.percentile(100)) / 1e3);
    members.add("darkShare", result.sent == 0 ? 0
                                              : static_cast<double>(result.circuits.dark) /
                                                    static_cast<double>(result.sent));
    members.add("drops", static_cast<double>(result.packet_drops));
    members.add("timeouts", static_cast<double>(result.timeouts));
    members.add("weeks", static_cast<double>(result.weeks));
    out << "}}\n";
}

} // namespace sim
