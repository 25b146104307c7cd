/*
 * Puts the packets of a flow back in order at the receiver: for Presto's flowcells (He et al.,
 * section 3.2), and as an option for flowlets (Clove, section 7).
 *
 * Packets carry their number within the flow (16 bits, wrapping). This header decides only; its
 * caller stores a held packet of a flow in place number % EDGE_REORDER_WINDOW:
 *
 *     while (edge_reorder_overflows(r, number)) pass on edge_reorder_next(r, true, now)
 *     edge_reorder_arrive(...) == EDGE_DELIVER ? pass on the packet : keep it in its place
 *     while (held packets may go) pass on edge_reorder_next(r, false, now)
 *     timer: if (edge_reorder_expired(...)) pass on edge_reorder_next(r, true, now), then as above
 */
#ifndef EDGE_REORDER_H
#define EDGE_REORDER_H

#include "arithmetic.h"
#include "params.h"

#define EDGE_REORDER_WINDOW 64u

enum edge_reorder_verdict { EDGE_DELIVER, EDGE_HOLD };

struct edge_reorder {
    uint64_t held;     /* bit per place */
    uint64_t waits_ns; /* since when a packet is missing while others are held */
    uint16_t expected; /* number of the next packet in order */
    bool started;
};

/* Whether a packet is too far ahead: it has no place until held packets are passed on. */
EDGE_INLINE bool edge_reorder_overflows(const struct edge_reorder *reorder, uint16_t number) {
    uint16_t ahead = (uint16_t)(number - reorder->expected);
    return reorder->held && ahead >= EDGE_REORDER_WINDOW && ahead < 0x8000;
}

/*
 * Decides on a packet that does not overflow. A packet older than the expected one, or a duplicate
 * of a held one, is delivered at once: it may be a retransmission for which the transport waits.
 */
EDGE_INLINE enum edge_reorder_verdict edge_reorder_arrive(struct edge_reorder *reorder,
                                                          uint16_t number, uint64_t now_ns) {
    if (!reorder->started) {
        reorder->started = true;
        reorder->expected = number;
    }
    uint16_t ahead = (uint16_t)(number - reorder->expected);
    uint64_t bit = UINT64_C(1) << (number & (EDGE_REORDER_WINDOW - 1));
    if (ahead >= 0x8000)
        return EDGE_DELIVER;
    if (ahead == 0 || ahead >= EDGE_REORDER_WINDOW) {
        /* No packet is held beyond the window: those missing in between are abandoned. */
        reorder->expected = (uint16_t)(number + 1);
        return EDGE_DELIVER;
    }
    if (reorder->held & bit)
        return EDGE_DELIVER;
    if (!reorder->held)
        reorder->waits_ns = now_ns;
    reorder->held |= bit;
    return EDGE_HOLD;
}

/* Whether the wait for the missing packet has timed out. */
EDGE_INLINE bool edge_reorder_expired(const struct edge_params *params,
                                      const struct edge_reorder *reorder, uint64_t now_ns) {
    return reorder->held && edge_elapsed(now_ns, reorder->waits_ns, params->reorder_ns);
}

/*
 * Returns the place of the next held packet to pass on, or EDGE_REORDER_WINDOW if there is none.
 *
 * skip: abandons the packets missing before it; the wait for the next missing packet starts again.
 */
EDGE_INLINE uint32_t edge_reorder_next(struct edge_reorder *reorder, bool skip, uint64_t now_ns) {
    uint32_t at = reorder->expected & (EDGE_REORDER_WINDOW - 1);
    /* The held packets in order: bit 0 is the expected packet. */
    uint64_t ahead = edge_rotate_right(reorder->held, at);
    if (!ahead || (!(ahead & 1) && !skip))
        return EDGE_REORDER_WINDOW;
    /* The zeros below the lowest bit are the abandoned packets. */
    uint32_t skipped = edge_lowest_bit(ahead);
    uint32_t place = (at + skipped) & (EDGE_REORDER_WINDOW - 1);
    reorder->held &= ~(UINT64_C(1) << place);
    reorder->expected = (uint16_t)(reorder->expected + skipped + 1);
    reorder->waits_ns = now_ns;
    return place;
}

#endif
