/*
 * Puts the segments of flows back in order at the receiver, by libedge's
 * decisions: Presto's reassembly (He et al., section 3.2).
 */
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <unordered_map>

#include "host/edge.h"

namespace sim {

class Reassembly {
  public:
    using Deliver = std::function<void(FramePtr)>;

    Reassembly(const edge_params &params, Deliver deliver);

    /* number: of the segment within its flow. Delivers now, or when what is
     * missed has come or has been waited for long enough. */
    void arrive(FramePtr frame, uint16_t number);

  private:
    struct Flow {
        edge_reorder order{};
        std::array<FramePtr, EDGE_REORDER_WINDOW> held;
        bool timed = false; // a time-out is scheduled
    };

    void release(Flow &flow, bool skip);
    void wait(Flow &flow);
    void time_out(Flow &flow);

    edge_params params_;
    Deliver deliver_;
    std::unordered_map<uint32_t, Flow> flows_; // by hash
};

} // namespace sim
