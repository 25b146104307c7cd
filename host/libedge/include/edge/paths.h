/*
 * The paths from one host to one destination, with the weights and measurements of each.
 *
 * A path is an outer source port that the fabric's switches hash to a distinct way. Its values are
 * in parallel arrays, so that 8 paths of one scheme use a few cache lines.
 */
#ifndef EDGE_PATHS_H
#define EDGE_PATHS_H

#include "arithmetic.h"
#include "params.h"

/* The sum of the weights of a destination's paths: one, in fixed point. */
#define EDGE_WEIGHT_ONE (1u << 20)

/* A cache of the paths with the least metric, so that a new flowlet need not examine all paths. */
struct edge_best {
    uint64_t paths;    /* a bit for each; 0: unknown */
    uint64_t least;    /* their metric, in steps of 2^alike */
    uint64_t from_ns;  /* valid from this time on */
    uint64_t until_ns; /* valid before this time, when a metric may be too old */
    uint32_t age_ns;
    uint32_t alike;
};

/* The paths by which packets left recently. */
struct edge_recent_paths {
    uint64_t since_ns; /* when the current span began */
    uint64_t now;      /* bit per path: a packet left in the current span */
    uint64_t before;   /* the same for the previous span */
};

struct edge_paths {
    uint32_t count;      /* paths in use, 1 to EDGE_MAX_PATHS */
    uint32_t generation; /* increases whenever the set of paths changes; flows then choose again */
    uint64_t recovered_ns;
    uint64_t even; /* 1: all priors are equal, except for a remainder of the division; else 0 */
    struct edge_best best; /* in one cache line with the fields above */
    struct edge_recent_paths recent;
    uint32_t weight[EDGE_MAX_PATHS];
    int32_t credit[EDGE_MAX_PATHS];    /* for smooth weighted round robin; sums to 0 */
    uint32_t metric[EDGE_MAX_PATHS];   /* utilisation (INT) or one-way delay in ns */
    uint64_t noted_ns[EDGE_MAX_PATHS]; /* when the metric or the last mark was reported; 0: never */
    uint32_t prior[EDGE_MAX_PATHS];    /* the controller's weights, normalised; never 0 */
    uint32_t end[EDGE_MAX_PATHS]; /* where its share of [0, EDGE_WEIGHT_ONE) ends, by the prior */
    uint32_t rtt_ns[EDGE_MAX_PATHS]; /* ALB: the least measured RTT; 0: none */
    uint32_t key[EDGE_MAX_PATHS];    /* identifies the way: a hash of its links */
    uint16_t port[EDGE_MAX_PATHS];   /* outer source port */
};

/* A path as discovery finds it. */
struct edge_found {
    uint32_t key;
    uint32_t weight; /* the controller's, in any unit; 0 counts as 1 */
    uint16_t port;
};

/* 1 if the path is in use, else 0; without a jump. */
EDGE_INLINE uint64_t edge_is_used(const struct edge_paths *paths, uint32_t path) {
    return ((uint64_t)path - paths->count) >> 63;
}

/*
 * Replaces the priors and resets the weights to them. Otherwise congestion that the controller's
 * new weights already reflect would count twice. Metrics and the times of marks remain.
 *
 * found: `count` entries, 1 to EDGE_MAX_PATHS. */
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
        /* Each path gets one unit and a share of the rest by weight, so the sum does not exceed
         * one. */
        paths->prior[i] = 1 + (uint32_t)(weight * (EDGE_WEIGHT_ONE - count) / sum);
        given += paths->prior[i];
    }
    paths->prior[0] += EDGE_WEIGHT_ONE - given;
    uint32_t end = 0;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && i < count; i++) {
        paths->weight[i] = paths->prior[i];
        paths->credit[i] = 0;
        end += paths->prior[i];
        paths->end[i] = end;
    }
    for (uint32_t i = count; i < EDGE_MAX_PATHS; i++)
        paths->end[i] = EDGE_WEIGHT_ONE;
}

/*
 * Replaces the set of paths. A way that is in both sets keeps its measurements even if its source
 * port changed (Clove, section 3.1, the optimisation at its end).
 *
 * found: `count` entries, 1 to EDGE_MAX_PATHS, with distinct keys. O(count^2). Not for BPF
 * programs, whose tables user space prepares.
 */
void edge_set_paths(struct edge_paths *paths, const struct edge_found *found, uint32_t count);

/*
 * Replaces the set of paths while most of them remain in use. A way that is in both sets keeps its
 * index if that is below `count`, and its weight as a multiple of its prior. If nothing differs,
 * nothing changes, including the generation. If only priors differ, the result is that of
 * edge_set_priors.
 *
 * Returns a bit for each index whose way changed.
 */
uint64_t edge_update_paths(struct edge_paths *paths, const struct edge_found *found,
                           uint32_t count);

/* Begins a new span if the current one is over. */
EDGE_INLINE void edge_rotate_recent(struct edge_recent_paths *recent, uint64_t span_ns,
                                    uint64_t now_ns) {
    if (!edge_elapsed(now_ns, recent->since_ns, span_ns))
        return;
    recent->before = edge_elapsed(now_ns, recent->since_ns, 2 * span_ns) ? 0 : recent->now;
    recent->now = 0;
    recent->since_ns = now_ns;
}

/* Records that a packet leaves by the path, so that reports about the path are expected. */
EDGE_INLINE void edge_note_sent(const struct edge_params *params, struct edge_paths *paths,
                                uint32_t path, uint64_t now_ns) {
    if (!params->answer_ns)
        return;
    edge_rotate_recent(&paths->recent, params->answer_ns, now_ns);
    paths->recent.now |= UINT64_C(1) << edge_index(path);
}

/* Whether a report about the path is expected. */
EDGE_INLINE bool edge_sent_recently(const struct edge_params *params, struct edge_paths *paths,
                                    uint32_t path, uint64_t now_ns) {
    if (!params->answer_ns)
        return true;
    edge_rotate_recent(&paths->recent, params->answer_ns, now_ns);
    return (paths->recent.now | paths->recent.before) >> edge_index(path) & 1;
}

/* Updates the best paths for a metric that arrives now. If the only best path became worse, the
 * cache is invalidated and refilled when a flowlet begins. */
EDGE_INLINE void edge_update_best(struct edge_best *best, uint32_t path, uint32_t metric,
                                  uint64_t now_ns) {
    uint64_t bit = UINT64_C(1) << path, value = (uint64_t)metric >> (best->alike & 31);
    if (!best->paths)
        return;
    if (value < best->least) {
        best->least = value;
        best->paths = bit;
    } else if (value == best->least) {
        best->paths |= bit;
    } else {
        best->paths &= ~bit;
    }
    best->until_ns = edge_min(best->until_ns, now_ns + best->age_ns);
}

/* Stores the metric that a report gives for a path. */
EDGE_INLINE void edge_note_metric(struct edge_paths *paths, uint32_t path, uint32_t metric,
                                  uint64_t now_ns) {
    path = edge_index(path);
    now_ns = now_ns ? now_ns : 1;
    if (path < paths->count) {
        paths->metric[path] = metric;
        paths->noted_ns[path] = now_ns;
        edge_update_best(&paths->best, path, metric, now_ns);
    }
}

/* Clears all reported metrics and marks. */
EDGE_INLINE void edge_forget_metrics(struct edge_paths *paths) {
    for (uint32_t i = 0; i < EDGE_MAX_PATHS; i++)
        paths->noted_ns[i] = 0;
    paths->best.paths = 0;
}

/* Returns the path whose share of [0, EDGE_WEIGHT_ONE) contains the hash, by the priors. Binary
 * search. */
EDGE_INLINE uint32_t edge_by_prior(const struct edge_paths *paths, uint32_t hash) {
    uint32_t at = hash >> 12; /* 20 bits, like EDGE_WEIGHT_ONE */
    uint32_t path = 0;
    for (uint32_t half = EDGE_MAX_PATHS / 2; half > 0; half /= 2) {
        /* Negative if the hash is below the end of that path's share. The shares of unused paths
         * end at one, so the search never passes them. */
        uint64_t before = (uint64_t)at - paths->end[edge_index(path + half - 1)];
        path += half & ~(uint32_t)edge_mask(before >> 63);
    }
    return edge_index(path);
}

/* Examines all paths and finds those with the least metric, in steps of 2^alike. */
EDGE_INLINE void edge_find_best(struct edge_paths *paths, uint64_t now_ns, uint64_t age_ns,
                                uint32_t alike) {
    uint64_t least = UINT64_C(1) << 62, best = 1, oldest_ns = UINT64_C(1) << 62;
    /* In groups of eight, the last padded, because BPF's verifier examines the code that follows
     * once for each loop exit. */
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && (i & ~7u) < paths->count; i++) {
        uint64_t is_none = edge_is_used(paths, i) ^ 1;
        uint64_t is_old = 1 - edge_is_young(paths->noted_ns[i], now_ns, age_ns);
        uint64_t metric = (paths->metric[i] & ~edge_mask(is_old)) >> alike | is_none << 40;
        uint64_t is_better = (metric - least) >> 63, is_worse = (least - metric) >> 63;
        /* The bit is shifted instead of masked: the verifier follows both branches for a masked
         * constant. */
        best = (best & ~edge_mask(is_better)) | (1 - is_worse) << i;
        least = edge_min(least, metric);
        oldest_ns = edge_min(oldest_ns, paths->noted_ns[i] | is_old << 62);
    }
    struct edge_best found = {.paths = best,
                              .least = least,
                              .from_ns = now_ns,
                              .until_ns = oldest_ns + age_ns,
                              .age_ns = (uint32_t)age_ns,
                              .alike = alike};
    paths->best = found;
    edge_compiler_barrier();
}

/* Draws one of the paths with equal probability. */
EDGE_INLINE uint32_t edge_draw_evenly(const struct edge_paths *paths, uint64_t among,
                                      uint32_t random) {
    uint64_t least = UINT64_C(1) << 62;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && (i & ~7u) < paths->count; i++) {
        uint64_t lot = edge_mix(random, i) >> 8;
        least = edge_min(least, (~among >> i & 1) << 61 | lot << 6 | i);
    }
    edge_compiler_barrier();
    return edge_index((uint32_t)least);
}

/* Draws one of the paths in proportion to their priors. */
EDGE_INLINE uint32_t edge_by_prior_among(const struct edge_paths *paths, uint64_t among,
                                         uint32_t random) {
    if (among == UINT64_MAX >> ((EDGE_MAX_PATHS - paths->count) & 63))
        return edge_by_prior(paths, random);
    uint64_t sum = 0, before = 0;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && (i & ~7u) < paths->count; i++)
        sum += paths->prior[i] & edge_mask(among >> i & 1);
    edge_compiler_barrier();
    uint64_t at = random * sum >> 32;
    uint32_t path = 0; /* the number of paths whose share ends at or before it */
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && (i & ~7u) < paths->count; i++) {
        before += paths->prior[i] & edge_mask(among >> i & 1);
        path += (uint32_t)((at - before) >> 63 ^ 1);
    }
    edge_compiler_barrier();
    return edge_index(path);
}

/* Finds the best paths again if the cache is outdated. A metric older than `age_ns` counts as 0, so
 * that the path is tried again. alike: as for edge_least_metric. */
EDGE_INLINE void edge_refresh_best(struct edge_paths *paths, uint64_t now_ns, uint32_t age_ns,
                                   uint32_t alike) {
    const struct edge_best *known = &paths->best;
    alike = paths->even ? 0 : alike & 31;
    if (!known->paths || now_ns < known->from_ns || now_ns >= known->until_ns ||
        known->age_ns != age_ns || known->alike != alike)
        edge_find_best(paths, now_ns, age_ns, alike);
}

/* Draws one of the paths in the bit set `among`: with equal probability if priors are equal, else
 * in proportion to them. */
EDGE_INLINE uint32_t edge_draw(const struct edge_paths *paths, uint64_t among, uint32_t random) {
    if ((among & (among - 1)) == 0)
        return edge_index(edge_lowest_bit(among));
    return paths->even ? edge_draw_evenly(paths, among, random)
                       : edge_by_prior_among(paths, among, random);
}

/* A bit for each path in use. */
EDGE_INLINE uint64_t edge_all_paths(const struct edge_paths *paths) {
    return UINT64_MAX >> ((EDGE_MAX_PATHS - paths->count) & 63);
}

/*
 * Returns the path with the least metric. Among equal ones `random` decides, since otherwise all
 * hosts would choose the same: with equal probability if priors are equal, else in proportion to
 * them. alike: if priors differ, metrics count as equal if all bits above this many low bits are
 * equal.
 */
EDGE_INLINE uint32_t edge_least_metric(struct edge_paths *paths, uint64_t now_ns, uint32_t age_ns,
                                       uint32_t alike, uint32_t random) {
    edge_refresh_best(paths, now_ns, age_ns, alike);
    return edge_draw(paths, paths->best.paths, random);
}

/*
 * Smooth weighted round robin: each path gains its weight as credit; the path with the most credit
 * is chosen and pays EDGE_WEIGHT_ONE. After any number of turns a path's turns differ from its
 * share by less than the number of paths.
 */
EDGE_INLINE uint32_t edge_next_in_turn(struct edge_paths *paths) {
    uint64_t least = UINT64_C(1) << 62;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && (i & ~7u) < paths->count; i++) {
        uint64_t is_used = edge_is_used(paths, i);
        uint32_t gain = paths->weight[i] & (uint32_t)edge_mask(is_used);
        uint32_t credit = (uint32_t)paths->credit[i] + gain;
        paths->credit[i] = (int32_t)credit;
        /* Among equal credits the lowest index wins. */
        least = edge_min(least, (is_used ^ 1) << 61 | (uint64_t)(0x7fffffffu - credit) << 6 | i);
    }
    edge_compiler_barrier();
    uint32_t path = edge_index((uint32_t)least);
    paths->credit[path] -= (int32_t)EDGE_WEIGHT_ONE;
    return path;
}

/* Draws a path by 32 uniform bits: with equal probability, or by priors if they differ. */
EDGE_INLINE uint32_t edge_draw_path(const struct edge_paths *paths, uint32_t uniform) {
    return paths->even ? edge_bounded(uniform, paths->count) : edge_by_prior(paths, uniform);
}

#endif
