/*
 * MDCTCP's sender (ALB, section II.B d): DCTCP (RFC 8257), except that it ignores ECN echoes of
 * acknowledgements for another path than the flow's current one. The caller's TCP owns the window.
 */
#ifndef EDGE_MDCTCP_H
#define EDGE_MDCTCP_H

#include "arithmetic.h"

/* alpha is in units of 1/1024. Its gain g per window is 1/16 (RFC 8257, section 4.2). */
#define EDGE_ALPHA_ONE 1024u
#define EDGE_ALPHA_SHIFT 10u
#define EDGE_GAIN_SHIFT 4u

struct edge_mdctcp {
    uint32_t alpha;   /* moving average of the marked share, 0 to EDGE_ALPHA_ONE */
    uint32_t packets; /* delivered on the current path since the window began */
    uint32_t marked;  /* of those, with an ECN echo */
};

/* Counts an acknowledgement. changed: its Path Change Notification (PCN) is 1. */
EDGE_INLINE void edge_mdctcp_acked(struct edge_mdctcp *state, uint32_t packets, uint32_t marked,
                                   bool changed) {
    if (changed)
        return;
    state->packets += packets;
    state->marked += marked;
}

/*
 * Ends a window that is fully acknowledged: alpha <- alpha (1 - g) + g F, where F is the marked
 * share of its packets. A window without counted packets leaves alpha unchanged.
 */
EDGE_INLINE void edge_mdctcp_window(struct edge_mdctcp *state) {
    if (state->packets == 0)
        return;
    /* Below 16 a sixteenth rounds to 0, so the rest is removed at once; otherwise alpha would never
     * reach 0. */
    const uint32_t sixteenth = state->alpha >> EDGE_GAIN_SHIFT;
    const uint64_t lost = sixteenth ? sixteenth : state->alpha;
    const uint64_t gained =
        ((uint64_t)state->marked << (EDGE_ALPHA_SHIFT - EDGE_GAIN_SHIFT)) / state->packets;
    const uint64_t alpha = state->alpha - lost + gained;
    state->alpha = alpha < EDGE_ALPHA_ONE ? (uint32_t)alpha : EDGE_ALPHA_ONE;
    state->packets = state->marked = 0;
}

/* Returns the window after a mark, cwnd (1 - alpha / 2), in packets. It is at least 2, as in
 * implementations of RFC 8257. */
EDGE_INLINE uint32_t edge_mdctcp_cut(const struct edge_mdctcp *state, uint32_t cwnd) {
    const uint32_t less = (uint32_t)((uint64_t)cwnd * state->alpha >> (EDGE_ALPHA_SHIFT + 1));
    return cwnd - less > 2 ? cwnd - less : 2;
}

#endif
