/*
 * Reports of a receiver to each sender about the sender's paths, one path in each returning packet.
 *
 * Reports queue up per path, not per destination: no report is lost because another path's took its
 * place, and none is blamed on another path. A path has at most one report waiting; a mark stays in
 * it until it has gone, a metric is the latest. Paths take turns, changed ones first (ALB, section
 * II.B b); a path's turn comes again after relay_ns at the earliest (Clove, section 3.2).
 *
 * Each packet that leaves asks for a report, so asking takes constant time, whatever the number of
 * paths: sets of paths are words, and since all paths rest for the same time after a report, those
 * that rest are a queue.
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

/* What waits of a path. Together, as a packet that arrives changes both. */
struct edge_waiting {
    uint64_t since_ns;
    uint32_t metric; /* the latest */
    uint32_t unused; /* what a compiler would leave there: states are compared byte by byte */
};

/* One per sender. */
struct edge_reports {
    uint32_t next;    /* the path whose turn it is */
    uint16_t first;   /* of the queue: the path that has rested longest; counts on, wraps */
    uint16_t end;     /* of the queue: behind the path reported last */
    uint64_t changed; /* bit per path: something new since the last report */
    uint64_t marked;  /* bit per path */
    uint64_t known;   /* bit per path: there is a metric to repeat */
    uint64_t resting; /* bit per path: it is in the queue */
    uint64_t queue[EDGE_MAX_PATHS]; /* when a report left, in the upper 58 bits; its path */
    struct edge_waiting waiting[EDGE_MAX_PATHS];
};

/* A packet arrived on a path. */
EDGE_INLINE void edge_report(struct edge_reports *reports, uint32_t path, bool marked,
                             uint32_t metric, uint64_t now_ns) {
    path = edge_index(path);
    uint64_t bit = UINT64_C(1) << path;
    bool news = marked || !(reports->known & bit) || reports->waiting[path].metric != metric;
    if (news && !(reports->changed & bit))
        reports->waiting[path].since_ns = now_ns;
    reports->waiting[path].metric = metric;
    reports->known |= bit;
    if (marked)
        reports->marked |= bit;
    if (news)
        reports->changed |= bit;
}

/* Takes paths out of the queue that have rested for relay_ns: one for each report, on average. */
EDGE_INLINE void edge_wake_paths(const struct edge_params *params, struct edge_reports *reports,
                                 uint64_t now_ns) {
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && reports->first != reports->end; i++) {
        uint64_t entry = reports->queue[edge_index(reports->first)];
        uint64_t rested_ns = (now_ns - (entry >> 6)) << 6 >> 6; /* 2^57 and more: of the future */
        if (rested_ns < params->relay_ns || rested_ns >> 57)
            break;
        reports->resting &= ~(UINT64_C(1) << edge_index((uint32_t)entry));
        reports->first++;
    }
}

/*
 * What the next packet to this sender is to carry.
 *
 * Returns whether there is anything; it counts as sent then.
 */
EDGE_INLINE bool edge_take_report(const struct edge_params *params, struct edge_reports *reports,
                                  uint64_t now_ns, struct edge_feedback *feedback) {
    edge_wake_paths(params, reports, now_ns);
    uint64_t ready = reports->known & ~reports->resting;
    if (!ready)
        return false;
    uint64_t first = ready & reports->changed ? ready & reports->changed : ready;
    uint32_t next = edge_index(reports->next);
    uint32_t path = edge_index(next + edge_lowest_bit(edge_turned(first, next)));
    uint64_t bit = UINT64_C(1) << path;
    feedback->path = path;
    feedback->metric = reports->waiting[path].metric;
    feedback->marked = reports->marked & bit;
    reports->changed &= ~bit;
    reports->marked &= ~bit;
    reports->next = edge_index(path + 1);
    /* An empty queue begins again, so that few cache lines are used where few paths rest. A path is
     * in it once at most, so there is a place. */
    if (reports->first == reports->end)
        reports->first = reports->end = 0;
    reports->queue[edge_index(reports->end++)] = now_ns << 6 | path;
    reports->resting |= bit;
    return true;
}

/*
 * Whether something waits for longer than beta RTTs, because no packet goes back: a probe is to
 * carry it (ALB, section II.B b).
 */
EDGE_INLINE bool edge_report_overdue(const struct edge_params *params,
                                     const struct edge_reports *reports, uint64_t now_ns) {
    if (!reports->changed)
        return false;
    uint64_t span_ns = (uint64_t)params->probe_rtts * params->rtt_ns;
    uint64_t overdue = 0;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS; i++) {
        uint64_t waited = now_ns - reports->waiting[i].since_ns;
        overdue |= (reports->changed >> i & 1) & (((waited - span_ns) >> 63) ^ 1);
    }
    return overdue != 0;
}

#endif
