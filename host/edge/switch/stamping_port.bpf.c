// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * A switch port that stamps its link's utilisation into packets, each of which carries the highest
 * one on its way: packets of edges with the scheme clove-int in the option (in-band network
 * telemetry), packets between leaves in their tag, in 3 bits. The rate comes from CONGA's
 * estimator, libedge's edge/switch/rate.h.
 *
 * The estimator is designed for links of 10 Gb/s and more, and covers the last 160 us. On a test
 * bed's slower links that is less than a packet, so its time is slowed down there.
 */
#include "edge/switch/rate.h"
#include "port.h"
#include "tag.h"

#define T1 8 /* offset in the option: for clove-int, the utilisation */

/* Written by user space. A rate of 0, as initially, disables stamping. */
struct port {
    __u64 bits_per_s;
    __u64 slower;       /* factor by which time is slower, at least 1 */
    __u64 overlay_port; /* destination port */
};

struct load {
    struct bpf_spin_lock lock;
    struct edge_rate rate;
};

PORT_MAP(port, struct port);
PORT_MAP(load, struct load);

/* The link's utilisation including this packet: in 1/65536, and as one of EDGE_DRE_LEVELS. */
struct utilisation {
    uint32_t share;
    uint32_t level;
};

EDGE_INLINE struct utilisation utilisation(const struct port *own, struct load *line,
                                           uint32_t bytes) {
    const uint64_t now_ns = bpf_ktime_get_ns() / own->slower;
    struct edge_rate full;
    /* Initialised for each packet, because the link's rate may have changed. */
    edge_rate_init(&full, own->bits_per_s * own->slower, now_ns);
    bpf_spin_lock(&line->lock);
    line->rate.full_bytes = full.full_bytes;
    edge_rate_add(&line->rate, bytes, now_ns);
    const struct utilisation now = {.share = edge_rate_share(&line->rate, now_ns),
                                    .level = edge_rate_level(&line->rate, now_ns)};
    bpf_spin_unlock(&line->lock);
    return now;
}

EDGE_INLINE void stamp_share(struct __sk_buff *skb, const struct edge_header *header,
                             uint32_t option, uint32_t share) {
    const uint32_t carried = edge_get32(header->geneve.option + T1);
    const uint32_t stamp = edge_stamp(carried, share);
    uint8_t bytes[4];
    if (stamp == carried)
        return;
    edge_put32(bytes, stamp);
    bpf_skb_store_bytes(skb, option + T1, bytes, sizeof bytes, 0);
}

EDGE_INLINE void stamp_level(struct __sk_buff *skb, const struct edge_header *header,
                             uint32_t option, uint32_t level) {
    struct edge_leaf_tag tag;
    uint8_t bytes[LEAF_TAG_BYTES];
    if (!leaf_tag_read(header->geneve.option + LEAF_TAG, EDGE_UPLINKS, &tag) || tag.level >= level)
        return;
    tag.level = level;
    leaf_tag_write(bytes, &tag);
    bpf_skb_store_bytes(skb, option + LEAF_TAG, bytes, sizeof bytes, 0);
}

SEC("tc") int stamping_port(struct __sk_buff *skb) {
    const struct port *own = port_entry(&port);
    struct load *line = port_entry(&load);
    struct edge_header header;
    if (!own || !line || own->bits_per_s == 0 || own->slower == 0)
        return TC_ACT_UNSPEC;
    const struct utilisation now = utilisation(own, line, skb->wire_len);
    const uint32_t option = port_reads_option(skb, own->overlay_port, &header);
    if (!option)
        return TC_ACT_UNSPEC;
    if (header.geneve.option_type == EDGE_CLOVE_INT)
        stamp_share(skb, &header, option, now.share);
    else if (leaf_tag_fits(header.geneve.option_type))
        stamp_level(skb, &header, option, now.level);
    return TC_ACT_UNSPEC;
}
