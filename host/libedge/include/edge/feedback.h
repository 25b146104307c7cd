/*
 * A receiver's reports to each sender about the sender's paths. Each returning packet reports on
 * one path.
 *
 * Reports queue per path, not per destination: a report is never overwritten by another path's, nor
 * attributed to another path. Each path has at most one waiting report: its mark persists until it
 * is sent, its metric is the latest. Paths are reported in turn, those with changes first (ALB,
 * section II.B b). The same path is reported at most once per relay_ns (Clove, section 3.2).
 *
 * Each packet that leaves takes a report, so taking one must cost constant time for any number of
 * paths. Sets of paths are therefore bit sets in one word. All paths rest equally long after a
 * report, so the resting ones form a queue.
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

/* A path's waiting report. Both values are in one struct because an arriving packet changes
 * both. */
struct edge_waiting {
    uint64_t since_ns;
    uint32_t metric; /* the latest */
    uint32_t unused; /* explicit padding: tests compare states byte by byte */
};

/* One per sender. */
struct edge_reports {
    uint32_t next;  /* the path whose turn it is */
    uint16_t first; /* head of the queue, the path that has rested longest; a counter that wraps */
    uint16_t end;   /* tail of the queue, after the path reported last */
    uint64_t changed;               /* bit per path: changed since the last report */
    uint64_t marked;                /* bit per path */
    uint64_t known;                 /* bit per path: it has a metric, which can be repeated */
    uint64_t resting;               /* bit per path: it is in the queue */
    uint64_t queue[EDGE_MAX_PATHS]; /* upper 58 bits: when the report left; lower 6: its path */
    struct edge_waiting waiting[EDGE_MAX_PATHS];
};

/* Records a packet that arrived on a path. */
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

/* Removes paths that have rested for relay_ns from the queue: on average one for each report. */
EDGE_INLINE void edge_release_paths(const struct edge_params *params, struct edge_reports *reports,
                                    uint64_t now_ns) {
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && reports->first != reports->end; i++) {
        uint64_t entry = reports->queue[edge_index(reports->first)];
        uint64_t rested_ns = (now_ns - (entry >> 6)) << 6 >> 6; /* 2^57 or more: a future time */
        if (rested_ns < params->relay_ns || rested_ns >> 57)
            break;
        reports->resting &= ~(UINT64_C(1) << edge_index((uint32_t)entry));
        reports->first++;
    }
}

/*
 * Takes the report that the next packet to this sender carries.
 *
 * Returns whether there is one. It then counts as sent.
 */
EDGE_INLINE bool edge_next_report(const struct edge_params *params, struct edge_reports *reports,
                                  uint64_t now_ns, struct edge_feedback *feedback) {
    edge_release_paths(params, reports, now_ns);
    uint64_t ready = reports->known & ~reports->resting;
    if (!ready)
        return false;
    uint64_t first = ready & reports->changed ? ready & reports->changed : ready;
    uint32_t next = edge_index(reports->next);
    uint32_t path = edge_index(next + edge_lowest_bit(edge_rotate_right(first, next)));
    uint64_t bit = UINT64_C(1) << path;
    feedback->path = path;
    feedback->metric = reports->waiting[path].metric;
    feedback->marked = reports->marked & bit;
    reports->changed &= ~bit;
    reports->marked &= ~bit;
    reports->next = edge_index(path + 1);
    /* An empty queue starts again at index 0, so that it uses few cache lines if few paths rest.
     * Each path is in it at most once, so it never overflows. */
    if (reports->first == reports->end)
        reports->first = reports->end = 0;
    reports->queue[edge_index(reports->end++)] = now_ns << 6 | path;
    reports->resting |= bit;
    return true;
}

/*
 * Whether a report has waited for longer than beta RTTs because no packet went back, so that a
 * probe must carry it (ALB, section II.B b).
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
