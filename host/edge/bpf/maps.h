/* The maps. A restarted process takes over those of the running edge. */
#ifndef EDGE_MAPS_H
#define EDGE_MAPS_H

#include "state.h"

#include <bpf/bpf_helpers.h>

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, uint32_t);
    __type(value, struct edge_settings);
} settings SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_LPM_TRIE);
    __uint(max_entries, EDGE_PREFIXES);
    __uint(map_flags, BPF_F_NO_PREALLOC);
    __type(key, struct edge_prefix);
    __type(value, struct edge_address);
} prefixes SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, EDGE_PEERS);
    __uint(map_flags, BPF_F_NO_PREALLOC);
    __type(key, struct edge_address);
    __type(value, struct edge_peer);
} peers SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, EDGE_PEERS);
    __uint(map_flags, BPF_F_NO_PREALLOC);
    __type(key, struct edge_address);
    __type(value, struct edge_account);
} accounts SEC(".maps");

/* By peer. No program reads it; it is bound to one so that it lives as long as the other maps. */
struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, EDGE_PEERS);
    __uint(map_flags, BPF_F_NO_PREALLOC);
    __type(key, struct edge_address);
    __type(value, struct edge_routes);
} routes SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_LRU_HASH);
    __uint(max_entries, EDGE_FLOWS);
    __type(key, struct edge_flow_key);
    __type(value, struct edge_flow);
} flows SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_LRU_HASH);
    __uint(max_entries, EDGE_SENDERS);
    __type(key, struct edge_flow_key);
    __type(value, struct edge_sender);
} senders SEC(".maps");

/* The last arrival of each flow, by the flow's hash (arrivals.h). A starting process creates a new
 * map, since no decision depends on it. */
struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, EDGE_FLOWS);
    __type(key, uint32_t);
    __type(value, uint64_t);
} arrivals SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, EDGE_DROPS);
    __type(key, uint32_t);
    __type(value, uint64_t);
} drops SEC(".maps");

/* Returns the peer of an inner address, or null. */
EDGE_INLINE struct edge_address *peer_of(const struct edge_address *address) {
    struct edge_prefix key = {.bits = 8 * sizeof *address, .address = *address};
    return bpf_map_lookup_elem(&prefixes, &key);
}

/* Counts a dropped packet and returns the program's verdict. */
EDGE_INLINE int edge_drop(uint32_t why) {
    uint64_t *counter = bpf_map_lookup_elem(&drops, &why);
    if (counter)
        *counter += 1;
    return 2; /* TC_ACT_SHOT */
}

#endif
