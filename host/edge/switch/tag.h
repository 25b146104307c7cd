/*
 * CONGA's header fields between two leaves (Alizadeh et al., section 3.1), in the edges' option.
 *
 * They replace the packet number, which edges write as 0 if they leave the choice to the fabric.
 * This needs no second encapsulation, and packets do not grow on their way:
 *
 *      0               1
 *     +-+-----+-------+-+-----+-------+
 *     |1| CE  | LBTag |0| FB  | FB tag|
 *     +-+-----+-------+-+-----+-------+
 *
 * Only leaves write them: a leaf clears them in packets from and to its hosts.
 */
#ifndef EDGE_SWITCH_TAG_H
#define EDGE_SWITCH_TAG_H

#include "edge/choose.h"
#include "edge/option.h"
#include "edge/switch/leaf.h"

#define LEAF_TAG 4u /* offset in the option */
#define LEAF_TAG_BYTES 2u
#define LEAF_TAG_THERE 0x80u

_Static_assert(EDGE_UPLINKS == 16 && EDGE_DRE_LEVELS == 8, "a tag has 4 and 3 bits for them");

/* Whether packets of edges with this scheme (the option's type) have room for a tag. */
EDGE_INLINE bool leaf_tag_fits(uint32_t option_type) {
    return option_type < EDGE_SCHEMES && !edge_keeps_flows(option_type);
}

EDGE_INLINE void leaf_tag_write(uint8_t *at, const struct edge_leaf_tag *tag) {
    at[0] = (uint8_t)(LEAF_TAG_THERE | (tag->level & 7) << 4 | (tag->uplink & 15));
    at[1] = (uint8_t)((tag->feedback_level & 7) << 4 | (tag->feedback_uplink & 15));
}

/* Reads a tag. uplinks: of the reading leaf. Returns false if there is no tag, or if no leaf can
 * have written it. */
EDGE_INLINE bool leaf_tag_read(const uint8_t *at, uint64_t uplinks, struct edge_leaf_tag *tag) {
    tag->level = at[0] >> 4 & 7;
    tag->uplink = at[0] & 15;
    tag->feedback_level = at[1] >> 4;
    tag->feedback_uplink = at[1] & 15;
    return at[0] & LEAF_TAG_THERE && tag->feedback_level < EDGE_DRE_LEVELS &&
           tag->feedback_uplink < uplinks;
}

#endif
