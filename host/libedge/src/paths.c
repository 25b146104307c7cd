/* Replaces and updates a destination's set of paths; for user space only. */
#include <string.h>

#include "edge/paths.h"

void edge_set_paths(struct edge_paths *paths, const struct edge_found *found, uint32_t count) {
    struct edge_paths before = *paths;
    memset(paths, 0, sizeof *paths);
    paths->count = count < EDGE_MAX_PATHS ? count : EDGE_MAX_PATHS;
    paths->generation = before.generation + 1;
    paths->recovered_ns = before.recovered_ns;
    edge_set_priors(paths, found, paths->count);
    for (uint32_t i = 0; i < paths->count; i++) {
        paths->key[i] = found[i].key;
        paths->port[i] = found[i].port;
        for (uint32_t j = 0; j < before.count && j < EDGE_MAX_PATHS; j++) {
            if (before.key[j] == found[i].key) {
                paths->metric[i] = before.metric[j];
                paths->noted_ns[i] = before.noted_ns[j];
                paths->rtt_ns[i] = before.rtt_ns[j];
            }
        }
    }
}

/* Returns the index of the way among the first `count` paths, or `count` if it is not among
 * them. */
static uint32_t place_of(const struct edge_paths *paths, uint32_t count, uint32_t key) {
    uint32_t i = 0;
    while (i < count && paths->key[i] != key)
        i++;
    return i;
}

/* Keeps known ways at their indexes and assigns free indexes to the others. */
static void keep_places(const struct edge_paths *paths, const struct edge_found *found,
                        uint32_t count, struct edge_found placed[EDGE_MAX_PATHS]) {
    const uint32_t kept = paths->count < count ? paths->count : count;
    uint64_t taken = 0, waits = 0;
    for (uint32_t f = 0; f < count; f++) {
        const uint32_t place = place_of(paths, kept, found[f].key);
        if (place < kept && !(taken >> place & 1)) {
            placed[place] = found[f];
            taken |= UINT64_C(1) << place;
        } else {
            waits |= UINT64_C(1) << f;
        }
    }
    uint32_t place = 0;
    for (uint32_t f = 0; f < count; f++) {
        if (!(waits >> f & 1))
            continue;
        while (taken >> place & 1)
            place++;
        placed[place++] = found[f];
    }
}

/* Sets weights in proportion to `shares` with the sum EDGE_WEIGHT_ONE. Each share is 1 to
 * EDGE_WEIGHT_ONE. */
static void share_out(struct edge_paths *paths, const uint64_t shares[EDGE_MAX_PATHS]) {
    uint64_t sum = 0;
    uint32_t given = 0, heaviest = 0;
    for (uint32_t i = 0; i < paths->count; i++)
        sum += shares[i];
    for (uint32_t i = 0; i < paths->count; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): each share is 1 or more */
        paths->weight[i] = 1 + (uint32_t)(shares[i] * (EDGE_WEIGHT_ONE - paths->count) / sum);
        given += paths->weight[i];
        if (paths->weight[i] > paths->weight[heaviest])
            heaviest = i;
    }
    paths->weight[heaviest] += EDGE_WEIGHT_ONE - given;
}

uint64_t edge_update_paths(struct edge_paths *paths, const struct edge_found *found,
                           uint32_t count) {
    const struct edge_paths before = *paths;
    struct edge_found placed[EDGE_MAX_PATHS] = {{0}};
    uint64_t shares[EDGE_MAX_PATHS] = {0}, changed = 0;
    count = count < EDGE_MAX_PATHS ? count : EDGE_MAX_PATHS;
    keep_places(&before, found, count, placed);
    bool same = count == before.count;
    for (uint32_t i = 0; i < count; i++) {
        const bool kept = i < before.count && before.key[i] == placed[i].key;
        same = same && kept && before.port[i] == placed[i].port;
        changed |= (uint64_t)!kept << i;
    }
    if (same) {
        struct edge_paths weighed = before;
        edge_set_priors(&weighed, placed, count);
        if (memcmp(weighed.prior, before.prior, sizeof before.prior) != 0)
            *paths = weighed;
        return 0;
    }
    edge_set_paths(paths, placed, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t j = place_of(&before, before.count, placed[i].key);
        uint64_t share = paths->prior[i];
        if (j < before.count)
            share = share * before.weight[j] / before.prior[j];
        shares[i] = share < 1 ? 1 : share < EDGE_WEIGHT_ONE ? share : EDGE_WEIGHT_ONE;
    }
    share_out(paths, shares);
    return changed;
}
