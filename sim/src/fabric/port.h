/*
 * The sending end of a link: a queue in bytes with drop tail and an ECN
 * threshold, and the wire.
 *
 * A frame's arrival at the other end is computed when it is enqueued:
 *
 *     departure = max(now, free) + bytes / rate;  free = departure
 *     arrival = departure + delay
 *
 * A frame thus costs one event per hop. Frames of a link arrive in the order in which they were
 * sent, so at most one event is pending, for the first of them, and the same event object is
 * reused.
 *
 * The backlog is the time until the wire is free, including the rest of the frame on the wire. A
 * frame that does not fit is dropped; one that finds more than the threshold is marked (DCTCP,
 * section 3.1). The queue is strictly FIFO, without pause frames and priorities.
 */
#pragma once

#include <cstdint>
#include <deque>

#include "fabric/frame.h"
#include "ns3/event-impl.h"

namespace sim {

struct LinkSettings {
    uint64_t bps;
    uint64_t delay_ns;    // propagation
    uint64_t limit_bytes; // of the queue, in bytes on the wire; no_limit: unlimited
    uint64_t mark_bytes;  // ECN threshold; no_marks: no marking
    bool measured;        // a link between switches, which stamps INT and CONGA's level
    double loss = 0;      // share of frames that the wire loses silently
    uint32_t loss_seed = 0;
    Losses *losses = nullptr; // notified of every frame that does not arrive
};

constexpr uint64_t no_marks = UINT64_MAX;
constexpr uint64_t no_limit = UINT64_MAX;

struct LinkCounts {
    uint64_t frames = 0; // accepted
    uint64_t bytes = 0;  // of IP packets accepted
    uint64_t drops = 0;
    uint64_t marks = 0;
    uint64_t arrived = 0;
    uint64_t lost = 0; // silently lost on the wire
};

class Port {
  public:
    /* peer_port: the peer's number of this link. */
    Port(const LinkSettings &settings, Receiver &peer, uint32_t peer_port);
    Port(const Port &) = delete;
    Port &operator=(const Port &) = delete;

    /* Returns whether the frame was accepted. */
    bool send(FramePtr frame);

    /* Changes the rate for later frames. */
    void set_rate(uint64_t bps);

    /* Drops all frames that are queued, on the wire, or sent later. */
    void take_down() {
        down_ = true;
    }

    /* Whether an ECN-capable frame sent now would be marked. */
    bool is_congested() const;

    /* Bytes that wait or are on the wire, including framing. */
    uint64_t backlog_bytes() const;

    const LinkCounts &counts() const {
        return counts_;
    }

    /* The first nanosecond at which the wire is free. A frame sent then follows the previous one
     * without a gap. */
    uint64_t free_ns() const {
        return free_ps_ / 1000;
    }

    uint64_t bps() const {
        return settings_.bps;
    }

  private:
    class Arrival;
    struct Flying {
        uint64_t at_ps;
        FramePtr frame;
    };

    uint64_t wait_ps() const;
    uint64_t picoseconds(uint64_t bytes) const;
    void stamp(Frame &frame);
    void schedule();
    void deliver();
    bool loses();
    void drop(const Frame &frame, uint64_t &count);

    LinkSettings settings_;
    Receiver &peer_;
    uint32_t peer_port_;
    uint64_t limit_ps_;
    uint64_t mark_ps_;
    uint64_t free_ps_ = 0;
    edge_rate rate_{};
    bool down_ = false;
    std::deque<Flying> flying_;
    ns3::Ptr<ns3::EventImpl> arrival_;
    LinkCounts counts_;
};

/* The simulated time. */
uint64_t now_ns();

} // namespace sim
