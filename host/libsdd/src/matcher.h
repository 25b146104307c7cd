/*
 * The mapping from flows to queues: tuple space search (Srinivasan, Suri and Varghese, SIGCOMM
 * 1999).
 *
 * Mappings of one shape (the same prefix lengths and wildcards) never match the same key, so a hash
 * lookup of the masked key finds the only candidate. Classification tries the shapes in order of
 * precedence and stops at the first hit: O(shapes), and shapes are few. It runs once per new flow,
 * not per packet.
 */
#ifndef SDD_MATCHER_H
#define SDD_MATCHER_H

#include "base/key_index.h"
#include "sdd/match.h"
#include "sdd/status.h"

enum { SDD_MAX_SHAPES = 64 };

struct sdd_mapping {
    struct base_flow_key key; /* masked; its first zero byte holds the shape's number + 1 */
    struct sdd_match match;   /* with wildcard bits set to zero */
    uint32_t queue;
    uint8_t flow_priority;
    bool used;
    uint32_t age; /* value of mappings_age when it was last mapped */
    uint32_t next_free;
};

struct sdd_shape {
    struct sdd_match match; /* only lengths and wildcards are used */
    uint32_t mappings;
};

struct sdd_matcher {
    struct sdd_mapping *mappings;
    uint32_t capacity;
    uint32_t free;
    struct base_key_index index;
    struct sdd_shape shapes[SDD_MAX_SHAPES];
    uint8_t order[SDD_MAX_SHAPES]; /* shapes in use, highest precedence first */
    unsigned shape_count;
};

bool sdd_matcher_init(struct sdd_matcher *matcher, uint32_t capacity, uint64_t seed);
void sdd_matcher_free(struct sdd_matcher *matcher);

/* Positive if a takes precedence over b, negative if b does, 0 if no flow matches both. */
int sdd_match_precedence(const struct sdd_match *a, const struct sdd_match *b);

/* Returns the mapping with exactly this match, or null. */
struct sdd_mapping *sdd_matcher_find(struct sdd_matcher *matcher, const struct sdd_match *match);

/* Adds a mapping, which must not exist yet. Returns null if a capacity is exhausted. */
struct sdd_mapping *sdd_matcher_add(struct sdd_matcher *matcher, const struct sdd_match *match);

void sdd_matcher_remove(struct sdd_matcher *matcher, struct sdd_mapping *mapping);

/* Returns the mapping with the highest precedence that matches the flow, or null. */
const struct sdd_mapping *sdd_matcher_classify(const struct sdd_matcher *matcher,
                                               const struct base_flow_key *key);

#endif
