#include "host/reassembly.h"

#include "fabric/port.h"
#include "ns3/simulator.h"

namespace sim {

Reassembly::Reassembly(const edge_params &params, Deliver deliver)
    : params_(params), deliver_(std::move(deliver)) {
}

void Reassembly::arrive(FramePtr frame, uint16_t number) {
    Flow &flow = flows_[frame->hash];
    while (edge_reorder_overflows(&flow.order, number))
        release(flow, true);
    if (edge_reorder_arrive(&flow.order, number, now_ns()) == EDGE_DELIVER)
        deliver_(std::move(frame));
    else
        flow.held[number % EDGE_REORDER_WINDOW] = std::move(frame);
    release(flow, false);
    wait(flow);
}

/* Delivers the next segments in order. skip: abandons missing segments before them. */
void Reassembly::release(Flow &flow, bool skip) {
    uint32_t place = 0;
    while ((place = edge_reorder_next(&flow.order, skip, now_ns())) < EDGE_REORDER_WINDOW) {
        deliver_(std::move(flow.held[place]));
        skip = false;
    }
}

void Reassembly::wait(Flow &flow) {
    if (!flow.order.held || flow.timed)
        return;
    flow.timed = true;
    uint64_t at_ns = flow.order.waits_ns + params_.reorder_ns;
    ns3::Simulator::Schedule(ns3::NanoSeconds(at_ns > now_ns() ? at_ns - now_ns() : 0),
                             [this, &flow] { time_out(flow); });
}

void Reassembly::time_out(Flow &flow) {
    flow.timed = false;
    if (edge_reorder_expired(&params_, &flow.order, now_ns()))
        release(flow, true);
    wait(flow);
}

IdealReassembly::IdealReassembly(Deliver deliver) : deliver_(std::move(deliver)) {
}

void IdealReassembly::arrive(FramePtr frame) {
    Flow &flow = flows_[frame->hash];
    flow.here[frame->order] = std::move(frame);
    release(flow);
}

void IdealReassembly::lost(const Frame &frame) {
    Flow &flow = flows_[frame.hash];
    flow.here[frame.order] = nullptr;
    release(flow);
}

void IdealReassembly::release(Flow &flow) {
    while (!flow.here.empty() && flow.here.begin()->first == flow.next) {
        FramePtr frame = std::move(flow.here.begin()->second);
        flow.here.erase(flow.here.begin());
        flow.next++;
        if (frame)
            deliver_(std::move(frame));
    }
}

} // namespace sim
