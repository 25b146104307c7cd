/*
 * Two leaves, by the kernel's own test runs of the programs of their ports: `here` of programs.h is
 * behind the first, `there` behind the second.
 */
#ifndef EDGE_TESTS_LEAVES_H
#define EDGE_TESTS_LEAVES_H

#include "leaf_state.h"
#include "programs.h"
#include "tag.h"

enum {
    UPLINKS = 4,
    TTL = ETHERNET + 8,
    CHECKSUM = ETHERNET + 10,
    SOURCE = ETHERNET + 12,
    DESTINATION = ETHERNET + 16,
    INSTRUCTION = OPTION + 1,
    TAG = OPTION + LEAF_TAG,
    LOOPBACK = 1, /* a device that there is wherever tests run */
};

extern struct leaf_state found;
extern const uint64_t never_ns; /* a gap that ends no flowlet while tests run */

/* Of a group of tests. */
int leaves_load(void **state);
int leaves_unload(void **state);

/* Both leaves as new, except for flows that they know. */
void be_leaves(enum edge_leaf_scheme of_leaves, uint64_t gap_ns);

/* Which uplinks of a leaf have a carrier, a bit for each. */
void set_carriers(unsigned leaf, uint64_t bits);

/* The state of a leaf, in `found` too. */
const struct leaf_state *look(unsigned leaf);

/* The same as it is to be. */
void set_state(unsigned leaf, const struct leaf_state *state);

/* The verdict on a frame that comes from a host of a leaf, or from its uplinks; the frame is what
 * leaves it. */
int from_host(unsigned leaf, uint8_t *frame, uint32_t length);
int from_fabric(unsigned leaf, uint8_t *frame, uint32_t length);

/* The uplink that a packet of the overlay leaves a leaf by. */
uint32_t send_by(unsigned leaf, const uint8_t *outer, uint32_t instruction);

/* FRAME + HEADER bytes, from here to there, of an edge that leaves the choice to the fabric. */
void make_overlay(uint8_t *outer);

#endif
