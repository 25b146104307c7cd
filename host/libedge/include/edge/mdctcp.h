/*
 * MDCTCP's sender (ALB, section II.B d): DCTCP's (RFC 8257), for which acknowledgements of another
 * path than the flow's present one count for nothing. The window itself and what else becomes of it
 * are its TCP's.
 */
#ifndef EDGE_MDCTCP_H
#define EDGE_MDCTCP_H

#include "arithmetic.h"

/* alpha is in 1/1024 and gains 1/16 of what a window says (RFC 8257, section 4.2). */
#define EDGE_ALPHA_ONE 1024u
#define EDGE_ALPHA_SHIFT 10u
#define EDGE_GAIN_SHIFT 4u

struct edge_mdctcp {
    uint32_t alpha;   /* the share of marks, averaged: 0 to EDGE_ALPHA_ONE */
    uint32_t packets; /* delivered on the present path since the window began */
    uint32_t marked;  /* of those, with an ECN echo */
};

/* An acknowledgement. changed: PCN is 1. */
EDGE_INLINE void edge_mdctcp_acked(struct edge_mdctcp *state, uint32_t packets, uint32_t marked,
                                   bool changed) {
    if (changed)
        return;
    state->packets += packets;
    state->marked += marked;
}

/*
 * A window is acknowledged: alpha <- alpha (1 - g) + g F, F the marked share of its packets. One of
 * which nothing counts says nothing.
 */
EDGE_INLINE void edge_mdctcp_window(struct edge_mdctcp *state) {
    if (state->packets == 0)
        return;
    /* Below 16 a sixteenth is none: what is left goes at once, or alpha would never be 0. */
    const uint32_t sixteenth = state->alpha >> EDGE_GAIN_SHIFT;
    const uint64_t lost = sixteenth ? sixteenth : state->alpha;
    const uint64_t gained =
        ((uint64_t)state->marked << (EDGE_ALPHA_SHIFT - EDGE_GAIN_SHIFT)) / state->packets;
    const uint64_t alpha = state->alpha - lost + gained;
    state->alpha = alpha < EDGE_ALPHA_ONE ? (uint32_t)alpha : EDGE_ALPHA_ONE;
    state->packets = state->marked = 0;
}

/* cwnd (1 - alpha / 2), in packets, after a mark; two are left at least, as in RFC 8257's
 * implementations. */
EDGE_INLINE uint32_t edge_mdctcp_cut(const struct edge_mdctcp *state, uint32_t cwnd) {
    const uint32_t less = (uint32_t)((uint64_t)cwnd * state->alpha >> (EDGE_ALPHA_SHIFT + 1));
    return cwnd - less > 2 ? cwnd - less : 2;
}

#endif
