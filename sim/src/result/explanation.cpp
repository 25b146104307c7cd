#include "result/explanation.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "fabric/scheme.h"

namespace sim {

namespace {

/* By edge_reason. */
constexpr std::array<const char *, EDGE_REASONS> reasons = {"hash", "same-flowlet", "random",
                                                            "in-turn", "least-loaded"};

} // namespace

bool is_explained(const std::string &scheme) {
    Scheme found = *find_scheme(scheme);
    return !found.is_hermes && edge_keeps_flows(found.host);
}

Explanation::Explanation(const std::string &path) : path_(path), file_(path) {
    if (!file_)
        throw std::runtime_error(path + ": " + std::strerror(errno));
}

void Explanation::write(uint32_t from, uint32_t to, const edge_trace &why) {
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

void Explanation::finish() {
    file_.close();
    if (!file_)
        throw std::runtime_error(path_ + ": cannot be written whole");
}

} // namespace sim
