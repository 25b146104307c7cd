/*
 * Long-lived flows (Tewari, section 3.7): measures each flow's throughput over a window after its
 * warm-up.
 *
 * Flows are assigned to the pairs of hosts in turn, so that all pairs have equally many. Each
 * starts at a uniformly drawn time and has data without end, or until its window ends. The run ends
 * with the last window.
 */
#pragma once

#include <utility>
#include <vector>

#include "fabric/fabric.h"
#include "workload/connection.h"
#include "workload/source.h"

namespace sim {

class LongFlows final : public Source {
  public:
    LongFlows(const LongFlowSettings &settings, const Case &input, Fabric &fabric);

    /* None: no flow completes. */
    uint64_t jobs() const override {
        return 0;
    }
    void report(Result &result) const override;

  private:
    struct Flow {
        uint32_t client;
        uint32_t server;
        uint16_t port;
        std::unique_ptr<Connection> connection;
        uint64_t before_window = 0; // bytes received
        uint64_t in_window = 0;
    };

    void start(Flow &flow);
    void end_window(Flow &flow);

    const LongFlowSettings &settings_;
    const TcpSettings &tcp_;
    Fabric &fabric_;
    std::vector<Flow> flows_;
    size_t measured_ = 0;
};

/* Returns pairs of clients and servers. hosts: of all leaves, a multiple of hosts_per_leaf. */
std::vector<std::pair<uint32_t, uint32_t>>
draw_pairs(Pairs pairs, uint32_t hosts, uint32_t hosts_per_leaf, std::mt19937_64 &random);

} // namespace sim
