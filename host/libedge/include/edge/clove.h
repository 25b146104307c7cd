/*
 * CLOVE-ECN's weights (Katta et al., section 3.2, Figure 2).
 *
 * Each mark takes a third of its path's weight and gives it to the uncongested paths: in equal
 * parts, as in the paper, if priors are equal, else in proportion to their priors. With equal parts
 * a path of small capacity would gain as much as one of large capacity. New flowlets take the paths
 * in weighted round robin. Marks are hidden from the guest while at least one path is uncongested;
 * when all are congested, the guest must slow down.
 *
 * The paper leaves three things open, each a parameter in params.h: how long a path counts as
 * congested after a mark; a floor, because a path of weight 0 would never be used again; and a
 * return of weights to the prior once marks cease, because by the paper's rule alone a healed path
 * stays at its floor until other paths are marked.
 */
#ifndef EDGE_CLOVE_H
#define EDGE_CLOVE_H

#include "arithmetic.h"
#include "params.h"
#include "paths.h"

/* The least weight to which marks can reduce a path's weight. */
EDGE_INLINE uint32_t edge_clove_floor(const struct edge_params *params,
                                      const struct edge_paths *paths, uint32_t path) {
    uint32_t floor = params->floor ? paths->prior[edge_index(path)] / params->floor : 0;
    return floor ? floor : 1;
}

/* Returns 1 if the path counts as congested, else 0. */
EDGE_INLINE uint64_t edge_clove_congested(const struct edge_params *params,
                                          const struct edge_paths *paths, uint32_t path,
                                          uint64_t now_ns) {
    return edge_is_young(paths->noted_ns[edge_index(path)], now_ns, params->congested_ns);
}

/* Returns 1 if the path is in use and does not count as congested, else 0. */
EDGE_INLINE uint64_t edge_clove_is_free(const struct edge_params *params,
                                        const struct edge_paths *paths, uint32_t path,
                                        uint64_t now_ns) {
    return edge_is_used(paths, path) & ~edge_clove_congested(params, paths, path, now_ns);
}

/*
 * Applies a mark that a peer reported for this path. The weights still sum to EDGE_WEIGHT_ONE.
 *
 * Returns whether all paths are now congested, in which case the guest must see the mark.
 */
EDGE_INLINE bool edge_clove_mark(const struct edge_params *params, struct edge_paths *paths,
                                 uint32_t path, uint64_t now_ns) {
    path = edge_index(path);
    if (path >= paths->count)
        return false;
    paths->noted_ns[path] = now_ns ? now_ns : 1;
    uint64_t uncongested = 0, prior = 0, first = UINT64_C(1) << 62;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && (i & ~7u) < paths->count; i++) {
        uint64_t is_free = edge_clove_is_free(params, paths, i, now_ns);
        uncongested += is_free;
        prior += paths->prior[i] & edge_mask(is_free);
        first = edge_min(first, (is_free ^ 1) << 6 | i);
    }
    edge_compiler_barrier();
    if (uncongested == 0)
        return true;
    uint32_t floor = edge_clove_floor(params, paths, path);
    uint32_t weight = paths->weight[path];
    uint32_t cut = params->cut ? weight / params->cut : 0;
    if (weight - cut < floor)
        cut = weight > floor ? weight - floor : 0;
    /* With equal priors a path gains `each`; otherwise `ratio` for each unit of its prior, with 20
     * bits of fraction. */
    uint64_t equal = edge_mask(paths->even & 1), given = 0;
    uint64_t each = cut / uncongested, ratio = prior ? ((uint64_t)cut << 20) / prior : 0;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && (i & ~7u) < paths->count; i++) {
        uint64_t due = (each & equal) | ((paths->prior[i] * ratio >> 20) & ~equal);
        due &= edge_mask(edge_clove_is_free(params, paths, i, now_ns));
        paths->weight[i] += (uint32_t)due;
        given += due;
    }
    edge_compiler_barrier();
    paths->weight[path] -= cut;
    /* The remainder of the division. */
    paths->weight[edge_index((uint32_t)first)] += cut - (uint32_t)given;
    return false;
}

/*
 * Every recover_ns, moves the weights of uncongested paths an eighth of the way back to their
 * priors. The difference shrinks by 1/8 each time: to 10 % after 18 times, which is 72 RTTs by
 * default.
 */
EDGE_INLINE void edge_clove_recover(const struct edge_params *params, struct edge_paths *paths,
                                    uint64_t now_ns) {
    if (!params->recover_ns || !edge_elapsed(now_ns, paths->recovered_ns, params->recover_ns))
        return;
    paths->recovered_ns = now_ns;
    /* Only the weight that uncongested paths hold together is redistributed, in proportion to their
     * priors. */
    uint64_t held = 0, prior = 0;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && (i & ~7u) < paths->count; i++) {
        uint64_t mask = edge_mask(edge_clove_is_free(params, paths, i, now_ns));
        held += paths->weight[i] & mask;
        prior += paths->prior[i] & mask;
    }
    edge_compiler_barrier();
    if (prior == 0)
        return;
    /* One division serves all paths. Both sums are at most EDGE_WEIGHT_ONE, so 20 bits of fraction
     * fit. */
    uint64_t ratio = (held << 20) / prior;
    uint64_t given = 0, heaviest = UINT64_C(1) << 62;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && (i & ~7u) < paths->count; i++) {
        uint64_t is_free = edge_clove_is_free(params, paths, i, now_ns);
        uint64_t mask = edge_mask(is_free);
        uint64_t up = (paths->prior[i] * ratio >> 20) - paths->weight[i];
        uint64_t down = edge_mask(up >> 63);
        /* An eighth of the absolute distance, rounded up so that the weight reaches its target. */
        uint64_t step = (((up ^ down) - down) + 7) >> 3;
        uint64_t weight = paths->weight[i] + (((step ^ down) - down) & mask);
        paths->weight[i] = (uint32_t)weight;
        given += weight & mask;
        heaviest = edge_min(heaviest, (is_free ^ 1) << 40 | (EDGE_WEIGHT_ONE - weight) << 6 | i);
    }
    edge_compiler_barrier();
    /* The heaviest path absorbs the rounding error, at most two units for each path. */
    paths->weight[edge_index((uint32_t)heaviest)] += (uint32_t)(held - given);
}

#endif
