/*
 * Runs the programs in the kernel by its test facility (BPF_PROG_TEST_RUN): packet in, packet out,
 * verdict.
 *
 * Tests skip with the reason if this process may not load BPF programs.
 */
#ifndef EDGE_TESTS_PROGRAMS_H
#define EDGE_TESTS_PROGRAMS_H

#include <bpf/libbpf.h>
#include <stdint.h>

#include "state.h"

enum {
    ETHERNET = 14,
    HEADER = 56,
    HEADER6 = 76,
    REST = 12,                       /* additional bytes with TCP, before Geneve */
    OPTION = ETHERNET + HEADER - 16, /* offset of libedge's option in the header */
    FRAME = 200,
    IPV6 = 40, /* length of the IPv6 header */
    PATHS = 8
};

/* Addresses of two edges and of their guests, in network byte order. */
extern uint32_t here, there, inside_here, inside_there;
extern const uint32_t vni;
extern uint32_t scheme;           /* of all edges created later */
extern uint32_t outer_family;     /* of their overlay: 4, or 6 if a test sets it */
extern uint8_t transport;         /* of their overlay: protocol number of UDP or TCP */
extern uint32_t mark;             /* of packets on which a program runs */
extern struct bpf_object *object; /* null: skip */

/* The set-up of a group of tests. */
int programs_load(void **state);
int programs_unload(void **state);

/* Writes and reads entries of a map. */
void put(const char *map, const void *key, const void *value);
void get(const char *map, const void *key, void *value);

/* Returns the number of packets dropped for a reason of enum edge_drop. */
uint64_t dropped(uint32_t why);

/* Return a host's overlay address for its IPv4 address, and the length of an overlay header. */
struct edge_address outer_of(uint32_t host);
uint32_t header_bytes(void);

/* Configures the edge of this address: this host's, whose only peer is `there`, or the peer's,
 * whose only peer is `here`. */
void be(uint32_t address);

/* The same, with all IPv6 addresses also assigned to the peer. */
void be_for_ipv6(uint32_t address);

/* Returns the verdict of a program on a frame. *out_length: room in out, then the length of the
 * result. */
int run(const char *name, const uint8_t *frame, uint32_t length, void *out, uint32_t *out_length);

/* The same for programs of other objects. */
int run_in(struct bpf_object *programs, const char *name, const uint8_t *frame, uint32_t length,
           void *out, uint32_t *out_length);

/* Loads the programs of a switch port. Only allowed if `object` is not null. */
struct bpf_object *load_port(const char *file);

/* Sets the only entry of one of its maps. */
void write_port(struct bpf_object *port, const char *map, const void *value);

/* Writes FRAME bytes: an inner UDP packet from here to there. */
void make_inner(uint8_t *frame);

/* The same for IPv6, from 2001:db8::1 to 2001:db8::2. */
void make_inner6(uint8_t *frame);

/* Writes the packet of make_inner in the overlay, as this host's edge sends it, then configures the
 * peer's edge. */
uint32_t make_outer(uint8_t *outer);

#endif
