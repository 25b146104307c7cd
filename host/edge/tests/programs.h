/*
 * The programs in the kernel, by the kernel's own test runs: packet in, packet out, verdict.
 *
 * Tests skip, with the reason, where this process may not load BPF programs.
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
    REST = 12,                       /* more with TCP, in front of Geneve's part */
    OPTION = ETHERNET + HEADER - 16, /* where libedge's part of the header begins */
    FRAME = 200,
    IPV6 = 40, /* bytes of its header */
    PATHS = 8
};

/* Addresses of two edges and of what is behind them, network byte order. */
extern uint32_t here, there, inside_here, inside_there;
extern const uint32_t vni;
extern uint32_t scheme;           /* of edges from here on */
extern uint32_t outer_family;     /* of their overlay: 4, or 6 while a test says so */
extern uint8_t transport;         /* of their overlay: UDP's number, or TCP's */
extern uint32_t mark;             /* of packets that a program is run on */
extern struct bpf_object *object; /* null: skip */

/* Of a group of tests. */
int programs_load(void **state);
int programs_unload(void **state);

/* Entries of a map. */
void put(const char *map, const void *key, const void *value);
void get(const char *map, const void *key, void *value);

/* Packets that were dropped for a reason of enum edge_drop. */
uint64_t dropped(uint32_t why);

/* A host's address in the overlay, by its IPv4 one, and the bytes of a header there. */
struct edge_address outer_of(uint32_t host);
uint32_t header_bytes(void);

/* This host's edge, whose only peer is `there`; or the peer's own, whose only peer is `here`. */
void be(uint32_t address);

/* The same, with all that is IPv6 behind the peer too. */
void be_for_ipv6(uint32_t address);

/* The verdict of a program on a frame; out_length: room, and then what is there. */
int run(const char *name, const uint8_t *frame, uint32_t length, void *out, uint32_t *out_length);

/* The same for programs of other files. */
int run_in(struct bpf_object *programs, const char *name, const uint8_t *frame, uint32_t length,
           void *out, uint32_t *out_length);

/* Loads the programs of a switch port, which may be done where `object` is not null. */
struct bpf_object *load_port(const char *file);

/* Sets the only entry of one of their maps. */
void write_port(struct bpf_object *port, const char *map, const void *value);

/* FRAME bytes: an inner UDP packet from here to there. */
void make_inner(uint8_t *frame);

/* The same of IPv6, from 2001:db8::1 to 2001:db8::2. */
void make_inner6(uint8_t *frame);

/* make_inner's in the overlay, as this host's edge writes it; now the peer's edge is loaded. */
uint32_t make_outer(uint8_t *outer);

#endif
