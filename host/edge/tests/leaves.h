/*
 * Two leaves, whose port programs run by the kernel's test facility (BPF_PROG_TEST_RUN). The host
 * `here` of programs.h is connected to the first, `there` to the second.
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
    LOOPBACK = 1, /* a device that exists on every machine */
};

extern struct leaf_state found;
extern const uint64_t never_ns; /* a gap longer than the tests */

/* The set-up of a group of tests. */
int leaves_load(void **state);
int leaves_unload(void **state);

/* Resets both leaves, except for known flows. */
void be_leaves(enum edge_leaf_scheme of_leaves, uint64_t gap_ns);

/* Sets which uplinks of a leaf have a carrier, a bit for each. */
void set_carriers(unsigned leaf, uint64_t bits);

/* Returns the state of a leaf, also in `found`. */
const struct leaf_state *look(unsigned leaf);

/* Sets the state of a leaf. */
void set_state(unsigned leaf, const struct leaf_state *state);

/* Return the verdict on a frame from a host of a leaf, or from its uplinks. frame: replaced by the
 * resulting frame. */
int from_host(unsigned leaf, uint8_t *frame, uint32_t length);
int from_fabric(unsigned leaf, uint8_t *frame, uint32_t length);

/* Returns the uplink by which an overlay packet leaves a leaf. */
uint32_t send_by(unsigned leaf, const uint8_t *outer, uint32_t instruction);

/* Writes FRAME + HEADER bytes: a packet from here to there of an edge that leaves the choice to the
 * fabric. */
void make_overlay(uint8_t *outer);

#endif
