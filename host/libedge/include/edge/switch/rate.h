/*
 * The load of a link: CONGA's discounting rate estimator (DRE, Alizadeh et al., section 3.2) and
 * IntFlow's variant, which counts retransmissions (DREva, Shi et al., section III.C).
 *
 * A register grows by each packet's bytes and loses an eighth every 20 us, so it covers about the
 * last 160 us: register = rate * 160 us. In equilibrium a full link of C bits per second has a
 * register of C / 8 * 160 us bytes. The metric is the register's share of that, in 3 bits.
 */
#ifndef EDGE_SWITCH_RATE_H
#define EDGE_SWITCH_RATE_H

#include "edge/arithmetic.h"
#include "edge/params.h"

struct edge_rate {
    uint64_t at_ns;      /* the time to which the register has decayed */
    uint64_t bytes;      /* the register, below 2^32 */
    uint64_t full_bytes; /* the register of a full link */
    bool resent;         /* DREva: a retransmission since the last step */
};

/* capacity_bps: of the link, above 0. */
EDGE_INLINE void edge_rate_init(struct edge_rate *rate, uint64_t capacity_bps, uint64_t now_ns) {
    rate->at_ns = now_ns;
    rate->bytes = 0;
    rate->full_bytes = capacity_bps / 8 * (EDGE_DRE_STEP_NS << EDGE_DRE_SHIFT) / 1000000000;
    if (rate->full_bytes == 0)
        rate->full_bytes = 1;
    rate->resent = false;
}

/* Decays the register to now_ns. */
EDGE_INLINE void edge_rate_decay(struct edge_rate *rate, uint64_t now_ns) {
    uint64_t steps =
        edge_elapsed(now_ns, rate->at_ns, 0) ? (now_ns - rate->at_ns) / EDGE_DRE_STEP_NS : 0;
    if (steps == 0)
        return;
    rate->at_ns += steps * EDGE_DRE_STEP_NS;
    if (rate->resent) {
        /* DREva: the step after a retransmission decays half as much. */
        rate->bytes -= rate->bytes >> (EDGE_DRE_SHIFT + 1);
        rate->resent = false;
        steps--;
    }
    rate->bytes = edge_decayed(rate->bytes, steps);
}

/* Counts a packet that is sent over the link. */
EDGE_INLINE void edge_rate_add(struct edge_rate *rate, uint32_t bytes, uint64_t now_ns) {
    edge_rate_decay(rate, now_ns);
    rate->bytes += bytes;
}

/*
 * DREva: counts the retransmission of a packet that took this link before. It counts beta times
 * here, in addition to once on the link that it takes now, and the next step decays less.
 */
EDGE_INLINE void edge_rate_add_resent(struct edge_rate *rate, uint32_t bytes, uint64_t now_ns) {
    edge_rate_decay(rate, now_ns);
    rate->bytes += (uint64_t)bytes * EDGE_DREVA_BETA;
    rate->resent = true;
}

/* The link's load now, 0 to EDGE_DRE_LEVELS - 1. */
EDGE_INLINE uint32_t edge_rate_level(struct edge_rate *rate, uint64_t now_ns) {
    edge_rate_decay(rate, now_ns);
    uint64_t level = rate->bytes * EDGE_DRE_LEVELS / rate->full_bytes;
    return level < EDGE_DRE_LEVELS ? (uint32_t)level : EDGE_DRE_LEVELS - 1;
}

/* The same in 1/65536 of the capacity, at most 65535: what INT stamps into packets. */
EDGE_INLINE uint32_t edge_rate_share(struct edge_rate *rate, uint64_t now_ns) {
    edge_rate_decay(rate, now_ns);
    uint64_t share = rate->bytes * 65536 / rate->full_bytes;
    return share < 65536 ? (uint32_t)share : 65535;
}

/* INT: a packet carries the highest utilisation on its way (Clove, section 3.2). */
EDGE_INLINE uint32_t edge_stamp(uint32_t carried, uint32_t share) {
    return carried > share ? carried : share;
}

/* Whether to mark a packet that finds `queued_bytes` before it in the queue (DCTCP's rule). */
EDGE_INLINE bool edge_marks(uint64_t queued_bytes, uint64_t threshold_bytes) {
    return queued_bytes > threshold_bytes;
}

#endif
