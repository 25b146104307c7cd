#include "matcher.h"

#include <stdlib.h>
#include <string.h>

#define NO_SHAPE SDD_MAX_SHAPES

bool sdd_matcher_init(struct sdd_matcher *matcher, uint32_t capacity, uint64_t seed) {
    *matcher = (struct sdd_matcher){.capacity = capacity, .free = BASE_NO_RECORD};
    matcher->mappings = calloc(capacity ? capacity : 1, sizeof *matcher->mappings);
    if (!matcher->mappings)
        return false;
    for (uint32_t i = capacity; i-- > 0; matcher->free = i)
        matcher->mappings[i].next_free = matcher->free;
    return base_key_index_init(&matcher->index, matcher->mappings, sizeof *matcher->mappings,
                               capacity, seed);
}

void sdd_matcher_free(struct sdd_matcher *matcher) {
    free(matcher->mappings);
    base_key_index_free(&matcher->index);
}

static void mask_address(struct base_ip_address *address, unsigned bits) {
    for (unsigned i = 0; i<sizeof address->octets; i++, bits = bits> 8 ? bits - 8 : 0)
        if (bits < 8)
            address->octets[i] &= (uint8_t)(0xff00 >> bits);
}

/* Returns the part of the key that all flows of a mapping of this shape share, with the shape's
 * number. */
static struct base_flow_key masked_key(const struct sdd_matcher *matcher, unsigned shape,
                                       const struct base_flow_key *key) {
    const struct sdd_match *form = &matcher->shapes[shape].match;
    struct base_flow_key masked = *key;
    mask_address(&masked.source, form->source_prefix_bits);
    mask_address(&masked.destination, form->destination_prefix_bits);
    if (form->wildcards & SDD_ANY_SOURCE_PORT)
        masked.source_port = 0;
    if (form->wildcards & SDD_ANY_DESTINATION_PORT)
        masked.destination_port = 0;
    if (form->wildcards & SDD_ANY_PROTOCOL)
        masked.protocol = 0;
    masked.zero[0] = (uint8_t)(shape + 1);
    return masked;
}

static struct base_flow_key key_of(const struct sdd_match *match) {
    return (struct base_flow_key){.source = match->source,
                                  .destination = match->destination,
                                  .source_port = match->source_port,
                                  .destination_port = match->destination_port,
                                  .protocol = match->protocol};
}

static bool same_shape(const struct sdd_match *a, const struct sdd_match *b) {
    return a->source_prefix_bits == b->source_prefix_bits &&
           a->destination_prefix_bits == b->destination_prefix_bits && a->wildcards == b->wildcards;
}

static unsigned find_shape(const struct sdd_matcher *matcher, const struct sdd_match *match) {
    for (unsigned i = 0; i < matcher->shape_count; i++)
        if (same_shape(&matcher->shapes[matcher->order[i]].match, match))
            return matcher->order[i];
    return NO_SHAPE;
}

/* Adds a shape without mappings at its position in the order. */
static unsigned add_shape(struct sdd_matcher *matcher, const struct sdd_match *match) {
    unsigned shape = 0, place = matcher->shape_count;
    while (shape < SDD_MAX_SHAPES && matcher->shapes[shape].mappings > 0)
        shape++;
    if (shape == SDD_MAX_SHAPES)
        return NO_SHAPE;
    matcher->shapes[shape].match = *match;
    for (; place > 0; place--) {
        unsigned before = matcher->order[place - 1];
        if (sdd_match_precedence(&matcher->shapes[before].match, match) >= 0)
            break;
        matcher->order[place] = (uint8_t)before;
    }
    matcher->order[place] = (uint8_t)shape;
    matcher->shape_count++;
    return shape;
}

static void remove_shape(struct sdd_matcher *matcher, unsigned shape) {
    unsigned place = 0;
    while (matcher->order[place] != shape)
        place++;
    matcher->shape_count--;
    memmove(matcher->order + place, matcher->order + place + 1, matcher->shape_count - place);
}

struct sdd_mapping *sdd_matcher_find(struct sdd_matcher *matcher, const struct sdd_match *match) {
    unsigned shape = find_shape(matcher, match);
    if (shape == NO_SHAPE)
        return NULL;
    struct base_flow_key key = key_of(match);
    key = masked_key(matcher, shape, &key);
    uint32_t found = base_key_index_find(&matcher->index, &key);
    return found == BASE_NO_RECORD ? NULL : &matcher->mappings[found];
}

struct sdd_mapping *sdd_matcher_add(struct sdd_matcher *matcher, const struct sdd_match *match) {
    if (matcher->free == BASE_NO_RECORD)
        return NULL;
    unsigned shape = find_shape(matcher, match);
    if (shape == NO_SHAPE)
        shape = add_shape(matcher, match);
    if (shape == NO_SHAPE)
        return NULL;
    uint32_t number = matcher->free;
    struct sdd_mapping *mapping = &matcher->mappings[number];
    struct base_flow_key key = key_of(match);
    matcher->free = mapping->next_free;
    matcher->shapes[shape].mappings++;
    mapping->key = masked_key(matcher, shape, &key);
    mapping->match = *match;
    mapping->match.source = mapping->key.source;
    mapping->match.destination = mapping->key.destination;
    mapping->used = true;
    base_key_index_add(&matcher->index, number);
    return mapping;
}

void sdd_matcher_remove(struct sdd_matcher *matcher, struct sdd_mapping *mapping) {
    uint32_t number = (uint32_t)(mapping - matcher->mappings);
    unsigned shape = mapping->key.zero[0] - 1u;
    base_key_index_remove(&matcher->index, number);
    mapping->used = false;
    mapping->next_free = matcher->free;
    matcher->free = number;
    if (--matcher->shapes[shape].mappings == 0)
        remove_shape(matcher, shape);
}

const struct sdd_mapping *sdd_matcher_classify(const struct sdd_matcher *matcher,
                                               const struct base_flow_key *key) {
    for (unsigned i = 0; i < matcher->shape_count; i++) {
        struct base_flow_key masked = masked_key(matcher, matcher->order[i], key);
        uint32_t found = base_key_index_find(&matcher->index, &masked);
        if (found != BASE_NO_RECORD)
            return &matcher->mappings[found];
    }
    return NULL;
}
