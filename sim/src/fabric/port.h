/*
 * The sending end of a link: a queue in bytes with drop tail and an ECN
 * threshold, and the wire.
 *
 * A frame's arrival at the other end is known when it is enqueued:
 *
 *     departure = max(now, free) + bytes / rate;  free = departure;  arrival =
 * departure + delay
 *
 * so a frame costs one event per hop. Frames of a link arrive in the order they
 * were sent, so one event is pending at most, for the first of them, and the
 * same event object serves for ever.
 *
 * The backlog is the time until the wire is free; it includes the rest of the
 * frame on the wire. A frame that does not fit is dropped; one that finds more
 * than the threshold is marked (DCTCP, section 3.1). Strict FIFO; no pause
 * frames, no priorities.
 */
#pragma once

#include <cstdint>
#include <deque>

#include "fabric/frame.h"
#include "ns3/event-impl.h"

namespace sim {

struct LinkSettings {
    uint64_t bps;
    uint64_t delay_ns; // propagation
    uint64_t
        limit_bytes;     // of the queue, on the wire; what does not fit is dropped. no_limit: never
    uint64_t mark_bytes; // ECN threshold; no_marks: never
    bool measured;       // a link between switches: INT and CONGA's level are stamped
    double loss = 0;     // share of frames that the wire loses, and nobody notices
    uint32_t loss_seed = 0;
    Losses *losses = nullptr; // is told of every frame that does not arrive
};

constexpr uint64_t no_marks = UINT64_MAX;
constexpr uint64_t no_limit = UINT64_MAX;

struct LinkCounts {
    uint64_t frames = 0; // accepted
    uint64_t bytes = 0;  // of IP packets accepted
    uint64_t drops = 0;
    uint64_t marks = 0;
    uint64_t arrived = 0;
    uint64_t lost = 0; // on a wire that loses frames
};

class Port {
  public:
    /* peer_port: the number that the peer knows this link by. */
    Port(const LinkSettings &settings, Receiver &peer, uint32_t peer_port);
    Port(const Port &) = delete;
    Port &operator=(const Port &) = delete;

    /* Returns whether the frame was accepted. */
    bool send(FramePtr frame);

    /* Another rate, for frames from now on. */
    void set_rate(uint64_t bps);

    /* What is queued, on the wire, or sent from now on is dropped. */
    void take_down() {
        down_ = true;
    }

    /* Whether a frame sent now would be marked, whether or not it is ECN-capable.
     */
    bool is_congested() const;

    /* Bytes that wait or are on the wire, framing included. */
    uint64_t backlog_bytes() const;

    const LinkCounts &counts() const {
        return counts_;
    }

    /* From this nanosecond on the wire is free of what was sent; a frame sent then follows it
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

/* Simulated time. */
uint64_t now_ns();

} // namespace sim
