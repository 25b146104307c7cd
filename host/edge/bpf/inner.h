/* Reads the start of an inner packet, or of a packet outside the overlay, and identifies its
 * flow. */
#ifndef EDGE_INNER_H
#define EDGE_INNER_H

#include "state.h"

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>

/* The start of an inner packet. */
struct inner {
    struct edge_address source;
    struct edge_address destination;
    uint32_t ports;   /* both ports for TCP and UDP, else 0 */
    uint32_t header;  /* length of its IP header */
    uint8_t tos;      /* or traffic class */
    uint8_t protocol; /* the protocol after the IP header; 0 if unknown, as in later fragments */
};

/*
 * Whether the packet belongs to a tagged VLAN on this device. A VLAN is a separate network with its
 * own addresses, so the edge ignores its packets. A tag with VLAN 0 only carries a priority.
 */
EDGE_INLINE bool is_of_a_vlan(const struct __sk_buff *skb) {
    return skb->vlan_present && (skb->vlan_tci & 0xfff);
}

EDGE_INLINE bool read_ipv4(struct __sk_buff *skb, uint32_t at, struct inner *inner) {
    struct iphdr ip;
    if (bpf_skb_load_bytes(skb, at, &ip, sizeof ip) || ip.version != 4)
        return false;
    *inner = (struct inner){.source = {.family = 4, .words = {ip.saddr}},
                            .destination = {.family = 4, .words = {ip.daddr}},
                            .header = (uint32_t)ip.ihl * 4,
                            .tos = ip.tos};
    /* Only the first fragment has ports, and all fragments of a packet must take the same path. */
    if (ip.ihl == 5 && !(ip.frag_off & bpf_htons(0x3fff)))
        inner->protocol = ip.protocol;
    return true;
}

EDGE_INLINE bool read_ipv6(struct __sk_buff *skb, uint32_t at, struct inner *inner) {
    struct ipv6hdr ip;
    if (bpf_skb_load_bytes(skb, at, &ip, sizeof ip) || ip.version != 6)
        return false;
    *inner = (struct inner){.source.family = 6,
                            .destination.family = 6,
                            .header = sizeof ip,
                            .tos = (uint8_t)(ip.priority << 4 | ip.flow_lbl[0] >> 4),
                            .protocol = ip.nexthdr};
    __builtin_memcpy(inner->source.words, &ip.saddr, sizeof ip.saddr);
    __builtin_memcpy(inner->destination.words, &ip.daddr, sizeof ip.daddr);
    return true;
}

/* Reads an inner packet. Returns false unless it is an IP packet of this EtherType. */
EDGE_INLINE bool read_inner(struct __sk_buff *skb, uint32_t at, uint32_t type,
                            struct inner *inner) {
    if (!(type == ETH_P_IPV6 ? read_ipv6(skb, at, inner) : read_ipv4(skb, at, inner)))
        return false;
    if (inner->protocol == IPPROTO_TCP || inner->protocol == IPPROTO_UDP)
        bpf_skb_load_bytes(skb, at + inner->header, &inner->ports, sizeof inner->ports);
    return true;
}

/* Returns a hash that all packets of a flow share. With extension headers it covers only the
 * addresses. */
EDGE_INLINE uint32_t flow_hash(const struct inner *inner) {
    uint32_t hash = edge_mix(0x9e3779b9u, inner->source.words[0]);
    hash = edge_mix(hash, inner->destination.words[0]);
    if (inner->source.family == 6)
        for (uint32_t i = 1; i < 4; i++) {
            hash = edge_mix(hash, inner->source.words[i]);
            hash = edge_mix(hash, inner->destination.words[i]);
        }
    hash = edge_mix(hash, inner->protocol);
    return edge_mix(hash, inner->ports);
}

/* Returns the hash of the same connection's packets in the other direction. */
EDGE_INLINE uint32_t edge_reverse_hash(const struct inner *inner) {
    const struct inner reverse = {.source = inner->destination,
                                  .destination = inner->source,
                                  .ports = inner->ports >> 16 | inner->ports << 16,
                                  .protocol = inner->protocol};
    return flow_hash(&reverse);
}

#endif
