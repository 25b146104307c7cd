#include "result/explanation.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "fabric/scheme.h"

namespace sim {

namespace {

/* Indexed by edge_reason. */
constexpr std::array<const char *, EDGE_REASONS> reasons = {"hash", "same-flowlet", "random",
                                                            "in-turn", "least-loaded"};

/* Indexed by edge_leaf_cause. */
constexpr std::array<const char *, EDGE_LEAF_CAUSES> causes = {"first", "idle", "congestion",
                                                               "failure", "down"};

} // namespace

bool is_explained(const std::string &scheme) {
    Scheme found = *find_scheme(scheme);
    return found.chooser == Chooser::leaf || (!found.is_hermes && edge_keeps_flows(found.host));
}

Explanation::Explanation(const std::string &path) : path_(path), file_(path) {
    if (!file_)
        throw std::runtime_error(path + ": " + std::strerror(errno));
}

void Explanation::host(uint32_t from, uint32_t to, const edge_trace &why) {
    file_ << "{\"atNs\":" << why.at_ns << ",\"host\":" << from << ",\"to\":" << to
          << ",\"flow\":" << why.hash << ",\"flowlet\":" << why.flowlet << ",\"reason\":\""
          << reasons[why.reason] << "\",\"path\":" << why.path
          << ",\"weight\":" << static_cast<double>(why.weight) / EDGE_WEIGHT_ONE
          << ",\"metric\":" << why.metric;
    if (why.from < EDGE_MAX_PATHS)
        file_ << ",\"from\":" << why.from;
    if (why.idle_ns != UINT32_MAX)
        file_ << ",\"idleNs\":" << why.idle_ns;
    file_ << "}\n";
}

void Explanation::leaf(const std::string &from, const std::string &to,
                       const LeafDecision &decision) {
    const edge_leaf_trace &why = decision.why;
    file_ << "{\"atNs\":" << why.at_ns << ",\"leaf\":\"" << from << "\",\"to\":\"" << to
          << "\",\"flow\":" << why.hash << ",\"flowlet\":" << why.flowlet << ",\"cause\":\""
          << causes[why.cause] << "\",\"port\":" << decision.port << ",\"metric\":" << why.cost;
    if (why.from < EDGE_UPLINKS)
        file_ << ",\"from\":" << decision.from << ",\"fromMetric\":" << why.from_cost;
    if (why.idle_ns != UINT32_MAX)
        file_ << ",\"idleNs\":" << why.idle_ns;
    file_ << "}\n";
}

void Explanation::finish() {
    file_.close();
    if (!file_)
        throw std::runtime_error(path_ + ": cannot be written completely");
}

} // namespace sim
