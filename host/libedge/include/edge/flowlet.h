/*
 * Flowlets: bursts of a flow with so much idle time between them that they may take different paths
 * and still arrive in order (Kandula et al. 2007).
 *
 * The caller owns the table of flows and finds a flow's entry by its hash. The entry stores the
 * hash, so the table needs no chains: a flow that finds another flow's entry replaces it.
 */
#ifndef EDGE_FLOWLET_H
#define EDGE_FLOWLET_H

#include "arithmetic.h"
#include "params.h"
#include "paths.h"

struct edge_flow {
    uint64_t last_ns;    /* when the latest packet was sent; 0: never */
    uint32_t hash;       /* of the five-tuple */
    uint32_t generation; /* generation of the set of paths at the choice */
    uint32_t bytes;      /* of the flowlet or flowcell so far */
    uint16_t flowlet;    /* its number, from 1; wraps */
    uint16_t packet;     /* the number of the next packet of the flow, for reordering; wraps */
    uint32_t path;
};

/*
 * The current flowlet gap: gap_ns plus a share of the spread between the delays of paths with
 * recent reports. With the spread added, a flowlet on a faster path cannot overtake the previous
 * one (Clove, section 7, flowlet optimisation).
 */
EDGE_INLINE uint32_t edge_gap_ns(const struct edge_params *params, const struct edge_paths *paths,
                                 uint64_t now_ns) {
    if (!params->gap_adapt || !edge_measures_delays(params->scheme))
        return params->gap_ns;
    uint64_t least = UINT32_MAX, most_complement = UINT32_MAX;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && i < paths->count; i++) {
        uint64_t mask = edge_mask(edge_is_young(paths->noted_ns[i], now_ns, params->metric_age_ns));
        uint64_t delay = paths->metric[i];
        least = edge_min(least, delay | (~mask & UINT32_MAX));
        most_complement = edge_min(most_complement, (UINT32_MAX - delay) | (~mask & UINT32_MAX));
    }
    uint64_t most = UINT32_MAX - most_complement;
    uint64_t spread = most > least ? most - least : 0;
    uint64_t gap_ns = params->gap_ns + (spread * params->gap_adapt >> 8);
    return gap_ns < UINT32_MAX ? (uint32_t)gap_ns : UINT32_MAX;
}

/* Whether this packet of the flow begins a flowlet. */
EDGE_INLINE bool edge_begins_flowlet(const struct edge_params *params,
                                     const struct edge_paths *paths, const struct edge_flow *flow,
                                     uint32_t hash, uint64_t now_ns) {
    if (flow->last_ns == 0 || flow->hash != hash || flow->generation != paths->generation)
        return true;
    /* The adaptive gap is never shorter than the fixed one, so most packets need not compute it. */
    return edge_elapsed(now_ns, flow->last_ns, params->gap_ns) &&
           (!params->gap_adapt ||
            edge_elapsed(now_ns, flow->last_ns, edge_gap_ns(params, paths, now_ns)));
}

/* Stores a new flowlet or flowcell on this path in the flow's entry. */
EDGE_INLINE void edge_begin_flowlet(struct edge_flow *flow, uint32_t hash, uint32_t generation,
                                    uint32_t path) {
    if (flow->last_ns == 0 || flow->hash != hash) {
        flow->flowlet = 0;
        flow->packet = 0;
    }
    flow->hash = hash;
    flow->generation = generation;
    flow->bytes = 0;
    flow->flowlet++;
    flow->path = path;
}

#endif
