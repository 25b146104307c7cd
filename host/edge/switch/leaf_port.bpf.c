// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * The ports of a leaf switch that chooses an uplink for each flowlet, on a Linux router: libedge's
 * edge/switch/leaf.h with the leaves of LetFlow, CONGA and IntFlow.
 *
 *     leaf_from_host    ingress of hosts' ports: flow, uplink, tag ─► the uplink, bypassing the
 * routes leaf_from_fabric  ingress of uplinks: tag ─► received feedback, and feedback to return
 *
 * A flow is the inner five-tuple of overlay packets, else the packet's own. Only overlay packets
 * have room for a tag (tag.h); for others the leaf chooses an uplink without one. All other packets
 * take the router's routes: outer IPv6, packets to this leaf's hosts, and packets to the router
 * itself.
 *
 * Time is slowed down for the whole leaf, as in stamping_port.bpf.c.
 */
#include "leaf_state.h"

#include "../bpf/inner.h"
#include "port.h"
#include "tag.h"

#define FAMILY_IPV4 2
#define FLOWS 65536
#define PREFIXES 1024

struct {
    __uint(type, BPF_MAP_TYPE_LPM_TRIE);
    __uint(max_entries, PREFIXES);
    __uint(map_flags, BPF_F_NO_PREALLOC);
    __type(key, struct leaf_place);
    __type(value, uint64_t);
} places SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_LRU_HASH);
    __uint(max_entries, FLOWS);
    __type(key, uint32_t);
    __type(value, struct edge_flow);
} flows SEC(".maps");

PORT_MAP(port, struct leaf_port);
PORT_MAP(up, uint64_t); /* user space also writes it: a bit for each uplink with a carrier */
PORT_MAP(state, struct leaf_state);

/* A packet to another leaf. */
struct departure {
    uint64_t now_ns;
    uint32_t to; /* destination leaf */
    uint32_t hash;
    uint32_t wire_bytes;
    uint32_t ip_bytes;
    uint32_t instruction; /* IntFlow's */
    uint32_t random;
    struct edge_leaf_tag tag; /* results from here on */
    uint32_t begins;          /* 1: a flowlet begins */
    uint32_t moved;           /* 1: a flowlet begins, and the flow had another uplink */
};

/* Returns the number of an address's leaf; EDGE_LEAVES: not in the fabric. */
EDGE_INLINE uint32_t place_of(uint32_t address) {
    const struct leaf_place key = {.bits = 32, .address = address};
    const uint64_t *leaf = bpf_map_lookup_elem(&places, &key);
    return leaf && *leaf < EDGE_LEAVES ? (uint32_t)*leaf : EDGE_LEAVES;
}

/* Applies the configuration for each packet, because user space may have changed it. */
EDGE_INLINE void configure(const struct leaf_port *own, uint64_t carriers, struct edge_leaf *leaf) {
    leaf->scheme = (uint32_t)own->scheme;
    leaf->uplinks = (uint32_t)own->uplinks;
    leaf->gap_ns = (uint32_t)(own->gap_ns / own->slower);
    leaf->up = carriers;
    for (uint32_t i = 0; i < EDGE_UPLINKS && i < own->uplinks; i++) {
        struct edge_rate full;
        edge_rate_init(&full, own->uplink[i].bits_per_s * own->slower, 0);
        leaf->rate[i].full_bytes = full.full_bytes;
    }
}

/* Chooses the uplink. Returns 0, or -1 if there is none. */
__attribute__((noinline)) int leaf_choose(struct departure *departure) {
    struct edge_flow none = {0};
    const struct leaf_port *own = port_entry(&port);
    const uint64_t *carriers = port_entry(&up);
    struct leaf_state *here = port_entry(&state);
    if (!departure || !own || !carriers || !here || !*carriers || own->slower == 0)
        return -1;
    uint32_t hash = departure->hash;
    struct edge_flow *flow = bpf_map_lookup_elem(&flows, &hash);
    if (!flow) {
        bpf_map_update_elem(&flows, &hash, &none, BPF_NOEXIST);
        flow = bpf_map_lookup_elem(&flows, &hash);
    }
    if (!flow)
        return -1;
    /* Copied, for the verifier: behind the lock the answer goes to the stack. */
    const struct departure asked = *departure;
    bpf_spin_lock(&here->lock);
    configure(own, *carriers, &here->leaf);
    const struct edge_flow before = *flow;
    const uint32_t uplink = edge_leaf_choose(&here->leaf, flow, asked.to, hash, asked.wire_bytes,
                                             asked.instruction, asked.random, asked.now_ns) &
                            (EDGE_UPLINKS - 1);
    const bool begins = flow->flowlet != before.flowlet;
    bpf_spin_unlock(&here->lock);
    departure->tag = (struct edge_leaf_tag){.uplink = uplink};
    departure->begins = begins;
    departure->moved = begins && before.last_ns != 0 && before.path != uplink;
    return 0;
}

/* Fills in the feedback that the packet's tag carries to its destination leaf. */
__attribute__((noinline)) int leaf_answer(struct departure *departure) {
    struct leaf_state *here = port_entry(&state);
    if (!departure || !here)
        return -1;
    /* Copied, for the verifier: behind the lock the answer goes to the stack. */
    const uint32_t to = departure->to;
    const uint64_t now_ns = departure->now_ns;
    struct edge_leaf_tag tag = departure->tag;
    bpf_spin_lock(&here->lock);
    edge_leaf_feedback(&here->leaf, to, &tag, now_ns);
    bpf_spin_unlock(&here->lock);
    departure->tag = tag;
    return 0;
}

EDGE_INLINE void count(const struct departure *departure) {
    struct leaf_state *here = port_entry(&state);
    if (!here)
        return;
    struct leaf_sent *sent = &here->sent[departure->tag.uplink & (EDGE_UPLINKS - 1)];
    edge_count(&sent->packets, 1);
    edge_count(&sent->bytes, departure->ip_bytes);
    if (departure->begins)
        edge_count(&sent->flowlets, 1);
    if (departure->moved)
        edge_count(&sent->moved, 1);
}

/* Decrements the TTL. Returns false if it would reach 0. */
EDGE_INLINE bool take_hop(struct __sk_buff *skb, const struct iphdr *ip) {
    const uint32_t at = ETH_HLEN + __builtin_offsetof(struct iphdr, ttl);
    const uint16_t before = (uint16_t)(ip->ttl | ip->protocol << 8);
    const uint8_t ttl = ip->ttl - 1;
    return !bpf_l3_csum_replace(skb, ETH_HLEN + __builtin_offsetof(struct iphdr, check), before,
                                (uint16_t)(ttl | ip->protocol << 8), sizeof before) &&
           !bpf_skb_store_bytes(skb, at, &ttl, sizeof ttl, 0);
}

EDGE_INLINE bool write_tag(struct __sk_buff *skb, uint32_t option, const uint8_t *bytes) {
    return !bpf_skb_store_bytes(skb, option + LEAF_TAG, bytes, LEAF_TAG_BYTES, 0);
}

SEC("tc") int leaf_from_host(struct __sk_buff *skb) {
    const struct leaf_port *own = port_entry(&port);
    struct edge_header header;
    struct iphdr ip;
    struct inner inner;
    uint8_t bytes[LEAF_TAG_BYTES] = {0};
    if (!own || own->slower == 0 || skb->protocol != bpf_htons(ETH_P_IP) ||
        bpf_skb_load_bytes(skb, ETH_HLEN, &ip, sizeof ip))
        return TC_ACT_UNSPEC;
    const uint32_t option = port_reads_option(skb, own->overlay_port, &header);
    const bool tagged = option && leaf_tag_fits(header.geneve.option_type);
    /* Hosts are not leaves: a tag from a host is cleared in any case. */
    if (tagged && edge_get16(header.geneve.option + LEAF_TAG) && !write_tag(skb, option, bytes))
        return TC_ACT_SHOT;
    struct departure departure = {.now_ns = bpf_ktime_get_ns() / own->slower,
                                  .to = place_of(ip.daddr),
                                  .wire_bytes = skb->wire_len,
                                  .ip_bytes = skb->len - ETH_HLEN,
                                  .random = bpf_get_prandom_u32()};
    if (departure.to == EDGE_LEAVES || departure.to == own->leaf ||
        place_of(ip.saddr) != own->leaf || ip.ttl <= 1)
        return TC_ACT_UNSPEC;
    uint32_t at = ETH_HLEN, type = ETH_P_IP;
    if (option) {
        at = option + EDGE_OPTION_BYTES;
        type = bpf_ntohs(header.geneve.protocol);
        departure.ip_bytes -= at - ETH_HLEN;
        departure.instruction = edge_option_instruction(header.geneve.option[1]) & 7;
    }
    if (!read_inner(skb, at, type, &inner))
        return TC_ACT_UNSPEC;
    departure.hash = flow_hash(&inner);
    if (leaf_choose(&departure))
        return TC_ACT_UNSPEC;
    const uint32_t uplink = departure.tag.uplink & (EDGE_UPLINKS - 1);
    const uint32_t device = (uint32_t)own->uplink[uplink].device;
    uint32_t mtu = 0;
    if (bpf_check_mtu(skb, device, &mtu, 0, BPF_MTU_CHK_SEGS))
        return TC_ACT_UNSPEC;
    if (tagged && own->scheme != EDGE_LEAF_LETFLOW) {
        if (leaf_answer(&departure))
            return TC_ACT_SHOT;
        leaf_tag_write(bytes, &departure.tag);
        if (!write_tag(skb, option, bytes))
            return TC_ACT_SHOT;
    }
    if (!take_hop(skb, &ip))
        return TC_ACT_SHOT;
    count(&departure);
    struct bpf_redir_neigh hop = {.nh_family = FAMILY_IPV4,
                                  .ipv4_nh = (uint32_t)own->uplink[uplink].next_hop};
    return (int)bpf_redirect_neigh(device, &hop, sizeof hop, 0);
}

SEC("tc") int leaf_from_fabric(struct __sk_buff *skb) {
    const struct leaf_port *own = port_entry(&port);
    struct leaf_state *here = port_entry(&state);
    struct edge_header header;
    const uint8_t cleared[LEAF_TAG_BYTES] = {0};
    if (!own || !here || own->slower == 0)
        return TC_ACT_UNSPEC;
    const uint32_t option = port_reads_option(skb, own->overlay_port, &header);
    if (!option || !leaf_tag_fits(header.geneve.option_type) ||
        !edge_get16(header.geneve.option + LEAF_TAG))
        return TC_ACT_UNSPEC;
    const uint64_t now_ns = bpf_ktime_get_ns() / own->slower;
    const uint32_t from = place_of(header.ip4.saddr);
    struct edge_leaf_tag tag;
    const bool good = leaf_tag_read(header.geneve.option + LEAF_TAG, own->uplinks, &tag) &&
                      from < EDGE_LEAVES && from != own->leaf &&
                      place_of(header.ip4.daddr) == own->leaf;
    bpf_spin_lock(&here->lock);
    if (good) {
        edge_leaf_arrive(&here->leaf, from, &tag, now_ns);
        here->tags++;
    } else {
        here->refused++;
    }
    bpf_spin_unlock(&here->lock);
    return write_tag(skb, option, cleared) ? TC_ACT_UNSPEC : TC_ACT_SHOT;
}
