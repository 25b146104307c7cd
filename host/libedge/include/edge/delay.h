/*
 * ALB's one-way delays between hosts whose clocks are not synchronised (Shi et al., section II.B
 * b).
 *
 * The receiver subtracts the sender's time stamp t1 from its own t2. The difference is the delay
 * plus the clocks' offset, which is the same for all paths. The least difference of the current and
 * the previous window is the baseline; the excess over it is queueing delay. Two windows bound the
 * effect of clock drift. A new window begins whenever the sender reports a changed least RTT,
 * because the path has then changed.
 *
 * Time stamps are 32 bits of nanoseconds and wrap every 4.3 s. Differences are valid while the
 * delay and the drift within two windows stay below 2.1 s.
 */
#ifndef EDGE_DELAY_H
#define EDGE_DELAY_H

#include "arithmetic.h"
#include "flowlet.h"
#include "option.h"
#include "params.h"
#include "paths.h"

/* A receiver's baseline for one path from one sender. */
struct edge_baseline {
    uint64_t window_ns; /* when the current window began; 0: no sample yet */
    uint32_t current;   /* the least t2 - t1 of the current window */
    uint32_t previous;  /* of the previous window */
};

/*
 * Adds a sample and returns its one-way delay over the baseline in ns.
 *
 * restart: true if the sender's least RTT has changed, so that the baseline must be measured again.
 */
EDGE_INLINE uint32_t edge_delay_over_baseline(const struct edge_params *params,
                                              struct edge_baseline *baseline, uint32_t t1,
                                              uint32_t t2, bool restart, uint64_t now_ns) {
    uint32_t sample = t2 - t1;
    if (restart || baseline->window_ns == 0) {
        baseline->current = baseline->previous = sample;
        baseline->window_ns = now_ns ? now_ns : 1;
    } else if (edge_elapsed(now_ns, baseline->window_ns, params->baseline_ns)) {
        /* After two windows without samples the previous minimum is outdated. */
        bool stale = edge_elapsed(now_ns, baseline->window_ns, 2 * (uint64_t)params->baseline_ns);
        baseline->previous = stale ? sample : baseline->current;
        baseline->current = sample;
        baseline->window_ns = now_ns;
    } else if (edge_before32(sample, baseline->current)) {
        baseline->current = sample;
    }
    uint32_t least = edge_before32(baseline->current, baseline->previous) ? baseline->current
                                                                          : baseline->previous;
    return edge_before32(sample, least) ? 0 : sample - least;
}

#define EDGE_UTILISATION_ONE 65536u /* utilisation of a full link */

/*
 * The metric for the report about a packet's path. scheme: its sender's. arrived_ns: by the clock
 * of that scheme.
 */
EDGE_INLINE uint32_t edge_metric_of(const struct edge_params *params, uint32_t scheme,
                                    struct edge_baseline *baseline,
                                    const struct edge_option *option, uint32_t arrived_ns,
                                    uint64_t now_ns) {
    const uint32_t t1 = option->sent_ns;
    switch (edge_reported_by(scheme)) {
    case EDGE_REPORTS_QUEUEING:
        return edge_delay_over_baseline(params, baseline, t1, arrived_ns,
                                        option->flags & EDGE_OPTION_REBASE, now_ns);
    case EDGE_REPORTS_DELAY:
        return edge_before32(arrived_ns, t1) ? 0 : arrived_ns - t1;
    case EDGE_REPORTS_UTILISATION: /* which switches wrote over t1 */
        return t1 < EDGE_UTILISATION_ONE ? t1 : EDGE_UTILISATION_ONE - 1;
    default:
        return 0;
    }
}

/*
 * The sender's step 5: an ACK with the t1, t2 and t3 of the packet it acknowledges arrives at t4.
 * Stores the path's RTT if it is no larger than the stored one, as in the paper.
 *
 * Returns whether the stored RTT changed. The receiver must then measure its baseline again.
 */
EDGE_INLINE bool edge_least_rtt(struct edge_paths *paths, uint32_t path, uint32_t t1, uint32_t t2,
                                uint32_t t3, uint32_t t4) {
    uint32_t rtt_ns = (t4 - t1) - (t3 - t2);
    path = edge_index(path);
    if (path >= paths->count || rtt_ns == 0 || rtt_ns >> 31 ||
        (paths->rtt_ns[path] != 0 && rtt_ns > paths->rtt_ns[path]))
        return false;
    bool changed = rtt_ns != paths->rtt_ns[path];
    paths->rtt_ns[path] = rtt_ns;
    return changed;
}

/*
 * ACK correction (section II.B d): whether an ACK reports congestion on a path that the flow has
 * since left. MDCTCP does not change its window then (Path Change Notification).
 */
EDGE_INLINE bool edge_path_changed(const struct edge_flow *flow, uint32_t acked_path) {
    return flow->last_ns != 0 && flow->path != edge_index(acked_path);
}

#endif
