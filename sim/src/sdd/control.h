/*
 * The control loop: every week hosts report their queues, and the planner plans the next week.
 *
 *     week p                               week p + 1
 *     | hosts report | plan | announce     | hosts follow the schedule made of p's reports
 *
 * Hosts receive slots in advance (loosely coupled), or START and STOP when a day begins and ends
 * (tightly coupled), with a delay. A host processes its signals in order. The planner's computation
 * takes no simulated time.
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
    /* The time until a host has acted on a signal: delay_ns plus an exponentially distributed time
     * with this mean. */
    double delay_ns;
    double spread_ns;
};

class ControlLoop {
  public:
    ControlLoop(const ControlSettings &settings, Planner &planner, HybridSwitch &at,
                std::vector<Egress *> hosts, uint64_t seed);
    ControlLoop(const ControlLoop &) = delete;
    ControlLoop &operator=(const ControlLoop &) = delete;

    /* Begins the first week, which has no circuits. */
    void begin();

    /* Called for each planned week. start_ns: start of the week. */
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
    std::vector<int64_t> received_;  // by pair, at the last report
    std::vector<uint64_t> acted_ns_; // when each host acts on its last signal
    Planned planned_;
    uint64_t weeks_ = 0;
};

} // namespace sim
