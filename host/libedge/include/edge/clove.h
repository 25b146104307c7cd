/*
 * CLOVE-ECN's weights (Katta et al., section 3.2, Figure 2).
 *
 * Every mark costs a path a third of its weight, which goes to the uncongested paths: in equal
 * parts, as in the paper, if priors are equal, else in proportion to their priors; otherwise a path
 * of little capacity would get as much as one of large capacity. New flowlets take the paths in
 * weighted round robin. While there is a path without congestion the mark is hidden from the guest;
 * when all are congested the guest must slow down.
 *
 * Three things the paper leaves open, each a parameter (params.h): how long a path counts as
 * congested after a mark; a floor, for a path of no weight would never be marked nor healed; and
 * that weights drift back to the prior once marks cease, as the paper's rule alone leaves a healed
 * path at its floor until others are marked.
 */
#ifndef EDGE_CLOVE_H
#define EDGE_CLOVE_H

#include "arithmetic.h"
#include "params.h"
#include "paths.h"

/* The least weight that marks leave a path. */
EDGE_INLINE uint32_t edge_clove_floor(const struct edge_params *params,
                                      const struct edge_paths *paths, uint32_t path) {
    uint32_t floor = params->floor ? paths->prior[edge_index(path)] / params->floor : 0;
    return floor ? floor : 1;
}

/* 1 if the path counts as congested, else 0. */
EDGE_INLINE uint64_t edge_clove_congested(const struct edge_params *params,
                                          const struct edge_paths *paths, uint32_t path,
                                          uint64_t now_ns) {
    return edge_is_young(paths->noted_ns[edge_index(path)], now_ns, params->congested_ns);
}

/* 1 if it is in use and does not, else 0. */
EDGE_INLINE uint64_t edge_clove_is_free(const struct edge_params *params,
                                        const struct edge_paths *paths, uint32_t path,
                                        uint64_t now_ns) {
    return edge_is_used(paths, path) & ~edge_clove_congested(params, paths, path, now_ns);
}

/*
 * A mark of this path came back. Weights still sum to one afterwards.
 *
 * Returns whether all paths are congested now, so that the guest is to see the mark.
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
    edge_read_anew();
    if (uncongested == 0)
        return true;
    uint32_t floor = edge_clove_floor(params, paths, path);
    uint32_t weight = paths->weight[path];
    uint32_t cut = params->cut ? weight / params->cut : 0;
    if (weight - cut < floor)
        cut = weight > floor ? weight - floor : 0;
    /* In equal parts, or so much for each unit of a prior, with 20 bits of fraction. */
    uint64_t equal = edge_mask(paths->even & 1), given = 0;
    uint64_t each = cut / uncongested, ratio = prior ? ((uint64_t)cut << 20) / prior : 0;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && (i & ~7u) < paths->count; i++) {
        uint64_t due = (each & equal) | ((paths->prior[i] * ratio >> 20) & ~equal);
        due &= edge_mask(edge_clove_is_free(params, paths, i, now_ns));
        paths->weight[i] += (uint32_t)due;
        given += due;
    }
    edge_read_anew();
    paths->weight[path] -= cut;
    /* What does not divide. */
    paths->weight[edge_index((uint32_t)first)] += cut - (uint32_t)given;
    return false;
}

/*
 * Once every recover_ns: takes the weights of paths without congestion an eighth of the way back to
 * where the prior puts them. What is left of the difference falls by 1/8 each time: to 10 % after
 * 18 times, 72 RTT with the default.
 */
EDGE_INLINE void edge_clove_recover(const struct edge_params *params, struct edge_paths *paths,
                                    uint64_t now_ns) {
    if (!params->recover_ns || !edge_elapsed(now_ns, paths->recovered_ns, params->recover_ns))
        return;
    paths->recovered_ns = now_ns;
    /* Only what uncongested paths hold together is moved, in the proportions of their priors. */
    uint64_t held = 0, prior = 0;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && (i & ~7u) < paths->count; i++) {
        uint64_t mask = edge_mask(edge_clove_is_free(params, paths, i, now_ns));
        held += paths->weight[i] & mask;
        prior += paths->prior[i] & mask;
    }
    edge_read_anew();
    if (prior == 0)
        return;
    /* One division for all paths: both are at most one, so 20 bits of fraction fit. */
    uint64_t ratio = (held << 20) / prior;
    uint64_t given = 0, heaviest = UINT64_C(1) << 62;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && (i & ~7u) < paths->count; i++) {
        uint64_t is_free = edge_clove_is_free(params, paths, i, now_ns);
        uint64_t mask = edge_mask(is_free);
        uint64_t up = (paths->prior[i] * ratio >> 20) - paths->weight[i];
        uint64_t down = edge_mask(up >> 63);
        /* The distance, without its sign, rounded up so that the target is reached. */
        uint64_t step = (((up ^ down) - down) + 7) >> 3;
        uint64_t weight = paths->weight[i] + (((step ^ down) - down) & mask);
        paths->weight[i] = (uint32_t)weight;
        given += weight & mask;
        heaviest = edge_min(heaviest, (is_free ^ 1) << 40 | (EDGE_WEIGHT_ONE - weight) << 6 | i);
    }
    edge_read_anew();
    /* Rounding: at most two units for each path, to or from the heaviest. */
    paths->weight[edge_index((uint32_t)heaviest)] += (uint32_t)(held - given);
}

#endif
