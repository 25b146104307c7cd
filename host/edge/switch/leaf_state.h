/*
 * The state and configuration of a leaf's programs, as user space reads and writes it: the values
 * of their maps. Addresses are in network byte order.
 */
#ifndef EDGE_SWITCH_LEAF_STATE_H
#define EDGE_SWITCH_LEAF_STATE_H

#include <linux/bpf.h>

#include "edge/switch/leaf.h"

/* Written by user space. Without uplinks, as initially, packets take the routes. */
struct leaf_port {
    uint64_t scheme; /* enum edge_leaf_scheme */
    uint64_t leaf;   /* this leaf's number, below EDGE_LEAVES */
    uint64_t gap_ns; /* idle time that begins a flowlet */
    uint64_t slower; /* factor by which time is slower, at least 1 */
    uint64_t overlay_port;
    uint64_t uplinks; /* 0 to EDGE_UPLINKS */
    struct {
        uint64_t device;
        uint64_t next_hop; /* IPv4 */
        uint64_t bits_per_s;
    } uplink[EDGE_UPLINKS];
};

/* A key for longest prefix match on IPv4 addresses; the value is the number of their leaf. */
struct leaf_place {
    uint32_t bits;
    uint32_t address;
};

/* Traffic of hosts by an uplink. Bytes are those of IP packets without the overlay's header. */
struct leaf_sent {
    uint64_t packets;
    uint64_t bytes;
    uint64_t flowlets;
    uint64_t moved; /* flowlets that came from another uplink */
};

/* The lock protects all fields except `sent`, and the flows. */
struct leaf_state {
    struct bpf_spin_lock lock;
    struct edge_leaf leaf;
    struct leaf_sent sent[EDGE_UPLINKS]; /* counters that only increase */
    uint64_t tags;                       /* received tags */
    uint64_t refused;                    /* tags that no leaf writes, or not in such packets */
};

#endif
