/*
 * The paths from one host to one destination, and what is known of each.
 *
 * A path is an outer source port that the fabric's switches hash to a way of its own. Tables are
 * parallel arrays, so that 8 paths of one scheme are a few cache lines.
 */
#ifndef EDGE_PATHS_H
#define EDGE_PATHS_H

#include "arithmetic.h"
#include "params.h"

/* Weights of a destination's paths always sum to this: one, in fixed point. */
#define EDGE_WEIGHT_ONE (1u << 20)

/* The paths with the least metric, kept so that a flowlet need not look at all of them. */
struct edge_best {
    uint64_t paths;    /* a bit for each; none: not known */
    uint64_t least;    /* their metric, in steps of 2^alike */
    uint64_t from_ns;  /* known from then on, */
    uint64_t until_ns; /* and before one may be too old */
    uint32_t age_ns;
    uint32_t alike;
};

/* By which paths packets left of late. */
struct edge_asked {
    uint64_t since_ns; /* when the present span began */
    uint64_t now;      /* bit per path: in the present span */
    uint64_t before;   /* in the one before */
};

struct edge_paths {
    uint32_t count;      /* paths in use, 1 to EDGE_MAX_PATHS */
    uint32_t generation; /* rises whenever the set of paths changes: flows choose again then */
    uint64_t recovered_ns;
    uint64_t even;         /* 1: all priors are equal, except for what does not divide; else 0 */
    struct edge_best best; /* with the above in one cache line */
    struct edge_asked asked;
    uint32_t weight[EDGE_MAX_PATHS];
    int32_t credit[EDGE_MAX_PATHS];    /* of the smooth weighted round robin; sums to 0 */
    uint32_t metric[EDGE_MAX_PATHS];   /* utilisation (INT) or one-way delay in ns */
    uint64_t noted_ns[EDGE_MAX_PATHS]; /* when the metric came, or the last mark; 0: never */
    uint32_t prior[EDGE_MAX_PATHS];    /* the controller's weights, normalised; never 0 */
    uint32_t end[EDGE_MAX_PATHS];      /* where its share of [0, one) ends by the prior */
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

/* 1 if the path is in use, else 0; without a jump. */
EDGE_INLINE uint64_t edge_is_used(const struct edge_paths *paths, uint32_t path) {
    return ((uint64_t)path - paths->count) >> 63;
}

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

/* Begins another span where the present one is over. */
EDGE_INLINE void edge_turn_asked(struct edge_asked *asked, uint64_t span_ns, uint64_t now_ns) {
    if (!edge_elapsed(now_ns, asked->since_ns, span_ns))
        return;
    asked->before = edge_elapsed(now_ns, asked->since_ns, 2 * span_ns) ? 0 : asked->now;
    asked->now = 0;
    asked->since_ns = now_ns;
}

/* A packet leaves by the path: reports about it are expected. */
EDGE_INLINE void edge_ask(const struct edge_params *params, struct edge_paths *paths, uint32_t path,
                          uint64_t now_ns) {
    if (!params->answer_ns)
        return;
    edge_turn_asked(&paths->asked, params->answer_ns, now_ns);
    paths->asked.now |= UINT64_C(1) << edge_index(path);
}

/* Whether a report about the path is expected. */
EDGE_INLINE bool edge_is_asked(const struct edge_params *params, struct edge_paths *paths,
                               uint32_t path, uint64_t now_ns) {
    if (!params->answer_ns)
        return true;
    edge_turn_asked(&paths->asked, params->answer_ns, now_ns);
    return (paths->asked.now | paths->asked.before) >> edge_index(path) & 1;
}

/* What a metric that came now changes of the best paths. Where it was the only one and is worse
 * now, they are looked for when a flowlet begins. */
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

/* Notes what a path's feedback says. */
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

/* Forgets what was heard of paths: their metrics and marks. */
EDGE_INLINE void edge_forget_metrics(struct edge_paths *paths) {
    for (uint32_t i = 0; i < EDGE_MAX_PATHS; i++)
        paths->noted_ns[i] = 0;
    paths->best.paths = 0;
}

/* The path whose share of [0, one) holds the hash: weights as of the prior. By halves. */
EDGE_INLINE uint32_t edge_by_prior(const struct edge_paths *paths, uint32_t hash) {
    uint32_t at = hash >> 12; /* 20 bits, as EDGE_WEIGHT_ONE has */
    uint32_t path = 0;
    for (uint32_t half = EDGE_MAX_PATHS / 2; half > 0; half /= 2) {
        /* Whether the shares of all paths before the middle end at or before the hash. Behind the
         * last path they end at one, so never. */
        uint64_t before = (uint64_t)at - paths->end[edge_index(path + half - 1)];
        path += half & ~(uint32_t)edge_mask(before >> 63);
    }
    return edge_index(path);
}

/* Looks at all paths for those with the least metric, in steps of 2^alike. */
EDGE_INLINE void edge_find_best(struct edge_paths *paths, uint64_t now_ns, uint64_t age_ns,
                                uint32_t alike) {
    uint64_t least = UINT64_C(1) << 62, best = 1, oldest_ns = UINT64_C(1) << 62;
    /* By eights, the last filled up, as BPF's verifier looks at what follows for each way out. */
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && (i & ~7u) < paths->count; i++) {
        uint64_t is_none = edge_is_used(paths, i) ^ 1;
        uint64_t is_old = 1 - edge_is_young(paths->noted_ns[i], now_ns, age_ns);
        uint64_t metric = (paths->metric[i] & ~edge_mask(is_old)) >> alike | is_none << 40;
        uint64_t is_better = (metric - least) >> 63, is_worse = (least - metric) >> 63;
        /* Bits are shifted, as the verifier takes both ways where a constant is masked. */
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
    edge_read_anew();
}

/* One of the paths, evenly. */
EDGE_INLINE uint32_t edge_by_lot(const struct edge_paths *paths, uint64_t among, uint32_t random) {
    uint64_t least = UINT64_C(1) << 62;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && (i & ~7u) < paths->count; i++) {
        uint64_t lot = edge_mix(random, i) >> 8;
        least = edge_min(least, (~among >> i & 1) << 61 | lot << 6 | i);
    }
    edge_read_anew();
    return edge_index((uint32_t)least);
}

/* One of the paths, in the proportions of their priors. */
EDGE_INLINE uint32_t edge_by_prior_among(const struct edge_paths *paths, uint64_t among,
                                         uint32_t random) {
    if (among == UINT64_MAX >> ((EDGE_MAX_PATHS - paths->count) & 63))
        return edge_by_prior(paths, random);
    uint64_t sum = 0, before = 0;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && (i & ~7u) < paths->count; i++)
        sum += paths->prior[i] & edge_mask(among >> i & 1);
    edge_read_anew();
    uint64_t at = random * sum >> 32;
    uint32_t path = 0; /* how many end at or before it */
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && (i & ~7u) < paths->count; i++) {
        before += paths->prior[i] & edge_mask(among >> i & 1);
        path += (uint32_t)((at - before) >> 63 ^ 1);
    }
    edge_read_anew();
    return edge_index(path);
}

/* Looks for the best paths, if those known are not those of now. What is older than `age_ns` counts
 * as 0: nobody knows, so it is tried. alike: as for edge_least_metric. */
EDGE_INLINE void edge_refresh_best(struct edge_paths *paths, uint64_t now_ns, uint32_t age_ns,
                                   uint32_t alike) {
    const struct edge_best *known = &paths->best;
    alike = paths->even ? 0 : alike & 31;
    if (!known->paths || now_ns < known->from_ns || now_ns >= known->until_ns ||
        known->age_ns != age_ns || known->alike != alike)
        edge_find_best(paths, now_ns, age_ns, alike);
}

/* One of these paths, a bit for each: evenly, where priors are equal, else in their proportions. */
EDGE_INLINE uint32_t edge_draw(const struct edge_paths *paths, uint64_t among, uint32_t random) {
    if ((among & (among - 1)) == 0)
        return edge_index(edge_lowest_bit(among));
    return paths->even ? edge_by_lot(paths, among, random)
                       : edge_by_prior_among(paths, among, random);
}

/* A bit for each path in use. */
EDGE_INLINE uint64_t edge_all_paths(const struct edge_paths *paths) {
    return UINT64_MAX >> ((EDGE_MAX_PATHS - paths->count) & 63);
}

/*
 * The path with the least metric. Equal ones are drawn by `random`, or all hosts would choose the
 * same: evenly, where priors are equal, else in their proportions; alike: metrics count as equal
 * then if they are in all bits above so many.
 */
EDGE_INLINE uint32_t edge_least_metric(struct edge_paths *paths, uint64_t now_ns, uint32_t age_ns,
                                       uint32_t alike, uint32_t random) {
    edge_refresh_best(paths, now_ns, age_ns, alike);
    return edge_draw(paths, paths->best.paths, random);
}

/*
 * Smooth weighted round robin: each path gains its weight, the richest is served and pays one. In
 * any number of turns a path's turns differ from its share by less than the number of paths.
 */
EDGE_INLINE uint32_t edge_next_in_turn(struct edge_paths *paths) {
    uint64_t least = UINT64_C(1) << 62;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS && (i & ~7u) < paths->count; i++) {
        uint64_t is_used = edge_is_used(paths, i);
        uint32_t gain = paths->weight[i] & (uint32_t)edge_mask(is_used);
        uint32_t credit = (uint32_t)paths->credit[i] + gain;
        paths->credit[i] = (int32_t)credit;
        /* Among equal credits the lowest index. */
        least = edge_min(least, (is_used ^ 1) << 61 | (uint64_t)(0x7fffffffu - credit) << 6 | i);
    }
    edge_read_anew();
    uint32_t path = edge_index((uint32_t)least);
    paths->credit[path] -= (int32_t)EDGE_WEIGHT_ONE;
    return path;
}

/* A path drawn by 32 uniform bits: any, or by priors where they differ. */
EDGE_INLINE uint32_t edge_at_random(const struct edge_paths *paths, uint32_t uniform) {
    return paths->even ? edge_below(uniform, paths->count) : edge_by_prior(paths, uniform);
}

#endif
