/*
 * Puts the segments of flows back in order at the receiver.
 */
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>

#include "host/edge.h"

namespace sim {

/* Takes what is in order now. */
using Deliver = std::function<void(FramePtr)>;

/* By libedge's decisions, which wait for a time: Presto's reassembly (He et al., section 3.2). */
class Reassembly {
  public:
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

/* The ideal that no host can have: it knows which segments the network has dropped, waits for all
 * others however long they take, and has room for any number. */
class IdealReassembly {
  public:
    explicit IdealReassembly(Deliver deliver);

    /* By the frame's order within its flow, from 1. */
    void arrive(FramePtr frame);

    /* A frame with an order will never arrive. */
    void lost(const Frame &frame);

  private:
    struct Flow {
        uint64_t next = 1;
        std::map<uint64_t, FramePtr> here; // what is not next; null: lost
    };

    void release(Flow &flow);

    Deliver deliver_;
    std::unordered_map<uint32_t, Flow> flows_; // by hash
};

} // namespace sim
