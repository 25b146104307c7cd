/*
 * The control loop: every week hosts report what is queued, and the planner plans
 * the week after.
 *
 *     week p                               week p + 1
 *     | hosts report | plan | announce     | hosts follow the schedule made of p's reports
 *
 * Hosts are told slots ahead of time (loosely coupled), or get START and STOP when a
 * day begins and ends (tightly coupled), each some time late. A host takes its
 * signals in order. The planner's own time does not count.
 */
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "sdd/egress.h"
#include "sdd/hybrid.h"
#include "sdd/planner.h"

namespace sim {

struct ControlSettings {
    uint64_t week_ns;
    bool tight;
    /* What passes until a host has acted on a signal: delay_ns, and an exponentially distributed
     * time of this mean. */
    double delay_ns;
    double spread_ns;
};

class ControlLoop {
  public:
    ControlLoop(const ControlSettings &settings, Planner &planner, HybridSwitch &at,
                std::vector<Egress *> hosts, uint64_t seed);
    ControlLoop(const ControlLoop &) = delete;
    ControlLoop &operator=(const ControlLoop &) = delete;

    /* The first week, in which nobody has circuits, begins now. */
    void begin();

    /* Called for each week when it has been planned; start_ns: when it begins. */
    using Planned = std::function<void(const Week &week, uint64_t start_ns)>;
    void on_planned(Planned planned) {
        planned_ = std::move(planned);
    }

    uint64_t weeks() const {
        return weeks_;
    }

  private:
    void begin_week();
    std::vector<Report> reports();
    void announce(const Week &week, uint64_t start_ns);
    void signal(uint32_t host, uint64_t at_ns, std::function<void()> act);

    ControlSettings settings_;
    Planner &planner_;
    HybridSwitch &switch_;
    std::vector<Egress *> hosts_;
    std::mt19937_64 random_;
    std::vector<int64_t> received_;  // by pair, as of the last report
    std::vector<uint64_t> acted_ns_; // when each host acts on the last signal it was sent
    Planned planned_;
    uint64_t weeks_ = 0;
};

} // namespace sim
