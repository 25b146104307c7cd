/*
 * Segments of a large packet, before they are in the overlay.
 *
 * Behind UDP, offloads know that a header is in front of each segment of the inner packet. What
 * looks like TCP they take for the stream itself, and cut what is behind it: the first piece would
 * have the inner header and our option, and the others neither. So a packet is cut before, as the
 * kernel does for a device that takes no large ones: edge_out sends it into one end of a veth pair
 * (src/segmenter.h), and edge_segmented sends what comes out of the other back to edge_out.
 *
 * All packets go that way, not only large ones, so that none overtakes another of its flow.
 */
#ifndef EDGE_SEGMENTS_H
#define EDGE_SEGMENTS_H

#include "inner.h"
#include "maps.h"

/* Bytes of the longest IP packet that a large segment is cut into. */
EDGE_INLINE uint32_t longest(struct __sk_buff *skb, const struct inner *inner) {
    uint8_t offset = 0x50;
    if (!skb->gso_size)
        return skb->len - ETH_HLEN;
    if (inner->protocol != IPPROTO_TCP)
        return inner->header + 8 + skb->gso_size;
    bpf_skb_load_bytes(skb, ETH_HLEN + inner->header + 12, &offset, 1);
    return inner->header + (uint32_t)(offset >> 4) * 4 + skb->gso_size;
}

/* Whether a packet is still to be cut; one that was has come back by the pair. */
EDGE_INLINE bool is_whole(const struct __sk_buff *skb, const struct edge_settings *set) {
    return set->transport == IPPROTO_TCP && skb->ingress_ifindex != set->segmented;
}

/* Has a packet cut. Segments that are too long, by a route that is not ours, get shorter first. */
EDGE_INLINE int segment(struct __sk_buff *skb, const struct edge_settings *set,
                        const struct inner *inner, uint32_t header_bytes) {
    const int room = (int)header_bytes;
    if (skb->gso_size && longest(skb, inner) + header_bytes > set->mtu) {
        /* To make room shortens them; it is not needed yet. */
        if (inner->protocol != IPPROTO_TCP || bpf_skb_adjust_room(skb, room, BPF_ADJ_ROOM_MAC, 0) ||
            bpf_skb_adjust_room(skb, -room, BPF_ADJ_ROOM_MAC, BPF_F_ADJ_ROOM_FIXED_GSO))
            return edge_drop(EDGE_DROP_TOO_BIG);
    }
    return (int)bpf_redirect(set->segmenter, 0);
}

#endif
