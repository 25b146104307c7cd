/* Guests' TCP segments, and the programs of the hidden overlay with the maps of `object`. */
#ifndef EDGE_TESTS_SEGMENTS_H
#define EDGE_TESTS_SEGMENTS_H

#include <stdbool.h>

#include "hidden_form.h"
#include "programs.h"

enum {
    IP = ETHERNET, /* offsets of headers and of TCP's options */
    TCP = IP + 20,
    OPTIONS = TCP + 20,
    PAYLOAD = 300,
    LONGEST = OPTIONS + 40 + PAYLOAD + EDGE_HIDDEN_BYTES
};

/* 40 bytes of TCP options: 12 of time stamps, and SACK. */
extern const uint8_t timestamps_and_sack[40];

/* The set-up of a group of tests and of each test: an overlay in IPv4 with the scheme clove-ecn. */
int segments_load(void **state);
int segments_unload(void **state);
int segments_begin(void **state);

/* Returns the Internet checksum's folded sum; 0xffff if the bytes include a correct checksum. */
uint16_t folded(const uint8_t *bytes, size_t size, uint32_t sum);

/* Returns the sum over the TCP segment of a frame with its pseudo-header. */
uint16_t tcp_sum(const uint8_t *frame, uint32_t length);

void put_tcp_checksum(uint8_t *frame, uint32_t length);
void put_ip_checksum(uint8_t *frame);

/* Writes a guest's segment from inside_here to inside_there, ports 0x1111 to 0x2222, with these
 * options and correct checksums. Returns its length. */
uint32_t make_segment(uint8_t *frame, const uint8_t *options, uint32_t options_bytes,
                      uint32_t payload);

/* Runs a program on a frame in a buffer of LONGEST bytes. is_large: whether the kernel treats it as
 * a large segment. */
int pass(const char *name, uint8_t *frame, uint32_t *length, bool is_large);

/*
 * Converts a guest's segment to the form that the peer receives, and configures the peer's edge.
 * in_option: as a piece of a large segment, which is written here because the kernel does not
 * segment in test runs. Returns the length.
 */
uint32_t hide(uint8_t *frame, uint32_t length, bool in_option);

/* The same for a segment with time stamps. */
uint32_t make_arrival(uint8_t *frame, bool in_option);

#endif
