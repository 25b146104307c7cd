/* Restores the order of flows' segments at the receiver. */
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>

#include "host/edge.h"

namespace sim {

/* Receives segments in order. */
using Deliver = std::function<void(FramePtr)>;

/* Presto's reassembly (He et al., section 3.2) by libedge's decisions, which wait up to a
 * time-out. */
class Reassembly {
  public:
    Reassembly(const edge_params &params, Deliver deliver);

    /* number: of the segment within its flow. Delivers the segment now, or when the missing
     * segments have arrived or timed out. */
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

/* An ideal reassembly that is impossible in practice: it knows which segments the network has
 * dropped, waits for all others for any time, and has unlimited room. */
class IdealReassembly {
  public:
    explicit IdealReassembly(Deliver deliver);

    /* Takes a frame, whose order within its flow counts from 1. */
    void arrive(FramePtr frame);

    /* Reports that a frame with an order will never arrive. */
    void lost(const Frame &frame);

  private:
    struct Flow {
        uint64_t next = 1;
        std::map<uint64_t, FramePtr> here; // segments that are not next; null: lost
    };

    void release(Flow &flow);

    Deliver deliver_;
    std::unordered_map<uint32_t, Flow> flows_; // by hash
};

} // namespace sim
