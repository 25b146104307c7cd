/*
 * Puts the packets of a flow back in order at the receiver: for Presto's flowcells (He et al.,
 * section 3.2), and as an option for flowlets (Clove, section 7).
 *
 * Packets carry their number within the flow (16 bits, wrapping). The core decides; its caller has
 * EDGE_REORDER_WINDOW places per flow and keeps a held packet in place number % window:
 *
 *     while (edge_reorder_overflows(r, number)) pass on edge_reorder_next(r, true, now)
 *     edge_reorder_arrive(...) == EDGE_DELIVER ? pass on the packet : keep it in its place
 *     while (held packets may go) pass on edge_reorder_next(r, false, now)
 *     timer: if (edge_reorder_late(...)) pass on edge_reorder_next(r, true, now), then as above
 */
#ifndef EDGE_REORDER_H
#define EDGE_REORDER_H

#include "arithmetic.h"
#include "params.h"

#define EDGE_REORDER_WINDOW 64u

enum edge_reorder_verdict { EDGE_DELIVER, EDGE_HOLD };

struct edge_reorder {
    uint64_t held;     /* bit per place */
    uint64_t waits_ns; /* since when a packet is missed while others are held */
    uint16_t expected; /* number of the next packet in order */
    bool started;
};

/* Whether a packet is so far ahead that there is no place for it before others have gone. */
EDGE_INLINE bool edge_reorder_overflows(const struct edge_reorder *reorder, uint16_t number) {
    uint16_t ahead = (uint16_t)(number - reorder->expected);
    return reorder->held && ahead >= EDGE_REORDER_WINDOW && ahead < 0x8000;
}

/*
 * A packet arrived that does not overflow. One behind what went already, or there already, is
 * delivered at once: the transport may have sent it again and waits for it.
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
        /* Beyond the window nothing is held: whatever is missed in between is abandoned. */
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

/* Whether what is missed has been waited for long enough. */
EDGE_INLINE bool edge_reorder_late(const struct edge_params *params,
                                   const struct edge_reorder *reorder, uint64_t now_ns) {
    return reorder->held && edge_elapsed(now_ns, reorder->waits_ns, params->reorder_ns);
}

/*
 * The place of the next held packet to go, or EDGE_REORDER_WINDOW if none may.
 *
 * skip: abandons what is missed before it; the next gap is waited for again.
 */
EDGE_INLINE uint32_t edge_reorder_next(struct edge_reorder *reorder, bool skip, uint64_t now_ns) {
    uint32_t at = reorder->expected & (EDGE_REORDER_WINDOW - 1);
    /* What is held, from the expected place on: bit 0 is the expected packet. */
    uint64_t ahead = edge_turned(reorder->held, at);
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
