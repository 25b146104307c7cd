/*
 * The paths from one host to one destination, and what is known of each.
 *
 * A path is an outer source port that the fabric's switches hash to a way of its own. Tables are
 * parallel arrays, so that 8 paths of one scheme are a few cache lines.
 */
#ifndef EDGE_PATHS_H
#define EDGE_PATHS_H

#include "arithmetic.h"

/* Weights of a destination's paths always sum to this: one, in fixed point. */
#define EDGE_WEIGHT_ONE (1u << 20)

struct edge_paths {
    uint32_t count;      /* paths in use, 1 to EDGE_MAX_PATHS */
    uint32_t generation; /* rises whenever the set of paths changes: flows choose anew then */
    uint64_t recovered_ns;
    uint64_t even; /* 1: all priors are equal, but for what does not divide; else 0 */
    uint32_t weight[EDGE_MAX_PATHS];
    int32_t credit[EDGE_MAX_PATHS];    /* of the smooth weighted round robin; sums to 0 */
    uint32_t metric[EDGE_MAX_PATHS];   /* utilisation (INT) or one-way delay in ns */
    uint64_t noted_ns[EDGE_MAX_PATHS]; /* when the metric came, or the last mark; 0: never */
    uint32_t prior[EDGE_MAX_PATHS];    /* the controller's weights, normalised; never 0 */
    uint32_t rtt_ns[EDGE_MAX_PATHS];   /* ALB: the least one measured; 0: none */
    uint32_t key[EDGE_MAX_PATHS];      /* what way it is, whatever its port: a hash of its links */
    uint16_t port[EDGE_MAX_PATHS];     /* outer source port */
};

/* A path as discovery finds it. */
struct edge_found {
    uint32_t key;
    uint32_t weight; /* the controller's, in any unit; 0 counts as 1 */
    uint16_t port;
};

/*
 * Gives paths other priors. Weights restart there: marks that a path got before the controller knew
 * would count twice otherwise. Metrics and when marks came stay.
 *
 * found: `count` of them, 1 to EDGE_MAX_PATHS.
 */
EDGE_INLINE void edge_set_priors(struct edge_paths *paths, const struct edge_found *found,
                                 uint32_t count) {
    uint64_t sum = 0;
    uint32_t given = 0;
    paths->even = 1;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && i < count; i++) {
        sum += found[i].weight ? found[i].weight : 1;
        paths->even &=
            (found[i].weight ? found[i].weight : 1) == (found[0].weight ? found[0].weight : 1);
    }
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && i < count; i++) {
        uint64_t weight = found[i].weight ? found[i].weight : 1;
        /* One unit at least for each, and the rest by weight: the sum stays within one. */
        paths->prior[i] = 1 + (uint32_t)(weight * (EDGE_WEIGHT_ONE - count) / sum);
        given += paths->prior[i];
    }
    paths->prior[0] += EDGE_WEIGHT_ONE - given;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && i < count; i++) {
        paths->weight[i] = paths->prior[i];
        paths->credit[i] = 0;
    }
}

/*
 * Puts another set of paths in place. What is known of a way that is in both sets is kept, even if
 * its source port is another one now (Clove, section 3.1, the optimisation at its end).
 *
 * found: `count` of them, 1 to EDGE_MAX_PATHS, with distinct keys. O(count^2); not for BPF, where
 * user space prepares tables.
 */
void edge_set_paths(struct edge_paths *paths, const struct edge_found *found, uint32_t count);

/*
 * The same for paths in use, of which most live on: a way that is in both sets keeps its place as
 * far as there are so many, and its weight, as a multiple of its prior. Where nothing differs
 * nothing changes, the generation neither. Where priors alone differ, that is edge_set_priors.
 *
 * Returns a bit for each place whose way is another one now.
 */
uint64_t edge_update_paths(struct edge_paths *paths, const struct edge_found *found,
                           uint32_t count);

/* Notes what a path's feedback says. */
EDGE_INLINE void edge_note_metric(struct edge_paths *paths, uint32_t path, uint32_t metric,
                                  uint64_t now_ns) {
    path = edge_index(path);
    if (path < paths->count) {
        paths->metric[path] = metric;
        paths->noted_ns[path] = now_ns ? now_ns : 1;
    }
}

/* What a path's metric counts as: 0 if it is older than `age_ns`, as nobody knows then. */
EDGE_INLINE uint64_t edge_known_metric(const struct edge_paths *paths, uint32_t path,
                                       uint64_t now_ns, uint64_t age_ns) {
    path = edge_index(path);
    return paths->metric[path] & edge_mask(edge_is_young(paths->noted_ns[path], now_ns, age_ns));
}

/*
 * One of the paths with the least metric, in steps of 2^alike, drawn in the proportions of their
 * priors.
 */
EDGE_INLINE uint32_t edge_least_by_prior(const struct edge_paths *paths, uint64_t now_ns,
                                         uint64_t age_ns, uint32_t alike, uint32_t random) {
    uint64_t least = UINT64_C(1) << 62, sum = 0;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && i < paths->count; i++)
        least = edge_min(least, edge_known_metric(paths, i, now_ns, age_ns) >> alike);
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && i < paths->count; i++) {
        uint64_t more = (edge_known_metric(paths, i, now_ns, age_ns) >> alike) - least;
        sum += paths->prior[i] & edge_mask((more - 1) >> 63);
    }
    uint64_t at = random * sum >> 32, end = 0, found = UINT64_C(1) << 62;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && i < paths->count; i++) {
        uint64_t more = (edge_known_metric(paths, i, now_ns, age_ns) >> alike) - least;
        end += paths->prior[i] & edge_mask((more - 1) >> 63);
        /* The first one whose share ends beyond the lot. */
        uint64_t before = edge_opaque(at - end) >> 63 ^ 1;
        found = edge_min(found, before << 6 | i);
    }
    return edge_index((uint32_t)found);
}

/*
 * The path with the least metric. What is older than `age_ns` counts as 0: nobody knows, so it is
 * tried. Equal ones are drawn by `random`, or all hosts would choose the same: evenly, where priors
 * are equal, else in their proportions; alike: metrics count as equal then if they are in all bits
 * above so many.
 */
EDGE_INLINE uint32_t edge_least_metric(const struct edge_paths *paths, uint64_t now_ns,
                                       uint64_t age_ns, uint32_t alike, uint32_t random) {
    if (!paths->even)
        return edge_least_by_prior(paths, now_ns, age_ns, alike & 31, random);
    uint64_t least = UINT64_C(1) << 62;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && i < paths->count; i++) {
        uint64_t metric = edge_known_metric(paths, i, now_ns, age_ns);
        uint64_t lot = edge_mix(random, i) >> 8;
        least = edge_min(least, metric << 30 | lot << 6 | i);
    }
    return edge_index((uint32_t)least);
}

/*
 * Smooth weighted round robin: each path gains its weight, the richest is served and pays one. In
 * any number of turns a path's turns differ from its share by less than the number of paths.
 */
EDGE_INLINE uint32_t edge_next_in_turn(struct edge_paths *paths) {
    uint64_t least = UINT64_C(1) << 62;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && i < paths->count; i++) {
        uint32_t credit = (uint32_t)paths->credit[i] + paths->weight[i];
        paths->credit[i] = (int32_t)credit;
        /* Among equal credits the lowest index. */
        least = edge_min(least, (uint64_t)(0x7fffffffu - credit) << 6 | i);
    }
    uint32_t path = edge_index((uint32_t)least);
    paths->credit[path] -= (int32_t)EDGE_WEIGHT_ONE;
    return path;
}

/* The path whose share of [0, one) holds the hash: weights as of the prior. */
EDGE_INLINE uint32_t edge_by_prior(const struct edge_paths *paths, uint32_t hash) {
    uint32_t at = hash >> 12; /* 20 bits, as EDGE_WEIGHT_ONE has */
    uint32_t end = 0, path = 0;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && i < paths->count; i++) {
        end += paths->prior[i];
        /* One more for each path that ends at or before the hash. */
        path += (uint32_t)(edge_opaque((uint64_t)at - end) >> 63) ^ 1u;
    }
    return edge_index(path);
}

/* A path drawn by 32 uniform bits: any, or by priors where they differ. */
EDGE_INLINE uint32_t edge_at_random(const struct edge_paths *paths, uint32_t uniform) {
    return paths->even ? edge_below(uniform, paths->count) : edge_by_prior(paths, uniform);
}

#endif
