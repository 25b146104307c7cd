/* Reads and writes the overlay's header in packets, in all its forms. */
#ifndef EDGE_HEADER_H
#define EDGE_HEADER_H

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "overlay.h"

/* Reads the overlay's header; returns false if the packet is too short. */
EDGE_INLINE bool load_header(struct __sk_buff *skb, uint32_t family, struct edge_header *header) {
    const uint32_t rest = ETH_HLEN + edge_front_bytes(family);
    *header = (struct edge_header){.udp.check = 0};
    if (family == 6 ? bpf_skb_load_bytes(skb, ETH_HLEN, header, EDGE_HEADER6_BYTES)
                    : bpf_skb_load_bytes(skb, ETH_HLEN, &header->ip4, EDGE_HEADER4_BYTES))
        return false;
    if (edge_header_transport(header, family) != IPPROTO_TCP)
        return true;
    return !bpf_skb_load_bytes(skb, rest, &header->rest, sizeof header->rest) &&
           !bpf_skb_load_bytes(skb, rest + EDGE_REST_BYTES, &header->geneve, sizeof header->geneve);
}

/* Writes the header into a packet that has room for it. Returns 0 or a negative errno. */
EDGE_INLINE int store_header(struct __sk_buff *skb, uint32_t family,
                             const struct edge_header *header) {
    const uint32_t rest = ETH_HLEN + edge_front_bytes(family);
    if (edge_header_transport(header, family) != IPPROTO_TCP) {
        if (family == 6)
            return (int)bpf_skb_store_bytes(skb, ETH_HLEN, header, EDGE_HEADER6_BYTES, 0);
        return (int)bpf_skb_store_bytes(skb, ETH_HLEN, &header->ip4, EDGE_HEADER4_BYTES, 0);
    }
    if (family == 6 ? bpf_skb_store_bytes(skb, ETH_HLEN, header, EDGE_FRONT6_BYTES, 0)
                    : bpf_skb_store_bytes(skb, ETH_HLEN, &header->ip4, EDGE_FRONT4_BYTES, 0))
        return -1;
    if (bpf_skb_store_bytes(skb, rest, &header->rest, sizeof header->rest, 0))
        return -1;
    return (int)bpf_skb_store_bytes(skb, rest + EDGE_REST_BYTES, &header->geneve,
                                    sizeof header->geneve, 0);
}

#endif
