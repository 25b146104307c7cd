/*
 * What a receiver tells each sender about the sender's paths, one path in each packet that goes
 * back.
 *
 * Reports queue up per path, not per destination: no report is lost because another path's took its
 * place, and none is blamed on another path. A path has at most one report waiting; a mark stays in
 * it until it has gone, a metric is the latest. Paths take turns, changed ones first (ALB, section
 * II.B b); a path's turn comes again after relay_ns at the earliest (Clove, section 3.2).
 */
#ifndef EDGE_FEEDBACK_H
#define EDGE_FEEDBACK_H

#include "arithmetic.h"
#include "params.h"

struct edge_feedback {
    uint32_t path;
    uint32_t metric; /* utilisation in 1/65536, or delay in ns */
    bool marked;     /* a packet on the path was marked since the last report */
};

/* One per sender. */
struct edge_reports {
    uint32_t next;    /* the path whose turn it is */
    uint64_t changed; /* bit per path: something new since the last report */
    uint64_t marked;  /* bit per path */
    uint64_t known;   /* bit per path: there is a metric to repeat */
    uint32_t metric[EDGE_MAX_PATHS];
    uint64_t sent_ns[EDGE_MAX_PATHS];    /* of the last report; 0: none */
    uint64_t changed_ns[EDGE_MAX_PATHS]; /* since when something waits */
};

/* A packet arrived on a path. */
EDGE_INLINE void edge_report(struct edge_reports *reports, uint32_t path, bool marked,
                             uint32_t metric, uint64_t now_ns) {
    path = edge_index(path);
    uint64_t bit = UINT64_C(1) << path;
    bool news = marked || !(reports->known & bit) || reports->metric[path] != metric;
    if (news && !(reports->changed & bit))
        reports->changed_ns[path] = now_ns;
    reports->metric[path] = metric;
    reports->known |= bit;
    if (marked)
        reports->marked |= bit;
    if (news)
        reports->changed |= bit;
}

/*
 * What the next packet to this sender is to carry.
 *
 * Returns whether there is anything; it counts as sent then.
 */
EDGE_INLINE bool edge_take_report(const struct edge_params *params, struct edge_reports *reports,
                                  uint64_t now_ns, struct edge_feedback *feedback) {
    uint64_t least = UINT64_C(1) << 62;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS; i++) {
        uint64_t sent_ns = reports->sent_ns[i];
        bool rests = sent_ns != 0 && !edge_elapsed(now_ns, sent_ns, params->relay_ns);
        uint64_t unknown = (reports->known >> i & 1) ^ 1;
        uint64_t unchanged = (reports->changed >> i & 1) ^ 1;
        uint64_t turn = (i - reports->next) & (EDGE_MAX_PATHS - 1);
        uint64_t key = (unknown | rests) << 61 | unchanged << 12 | turn << 6 | i;
        least = edge_min(least, key);
    }
    if (least >> 61)
        return false;
    uint32_t path = edge_index((uint32_t)least);
    uint64_t bit = UINT64_C(1) << path;
    feedback->path = path;
    feedback->metric = reports->metric[path];
    feedback->marked = reports->marked & bit;
    reports->changed &= ~bit;
    reports->marked &= ~bit;
    reports->sent_ns[path] = now_ns ? now_ns : 1;
    reports->next = edge_index(path + 1);
    return true;
}

/*
 * Whether something waits for longer than beta RTTs, because no packet goes back: a probe is to
 * carry it (ALB, section II.B b).
 */
EDGE_INLINE bool edge_report_overdue(const struct edge_params *params,
                                     const struct edge_reports *reports, uint64_t now_ns) {
    uint64_t span_ns = (uint64_t)params->probe_rtts * params->rtt_ns;
    uint64_t overdue = 0;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS; i++) {
        uint64_t waited = now_ns - reports->changed_ns[i];
        overdue |= (reports->changed >> i & 1) & (((waited - span_ns) >> 63) ^ 1);
    }
    return overdue != 0;
}

#endif
