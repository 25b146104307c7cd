// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * A switch port that stamps its link's utilisation into packets of edges with the scheme clove-int
 * (in-band network telemetry): each carries the highest one on its way. The rate is CONGA's
 * estimator, libedge's edge/switch/rate.h.
 *
 * The estimator is made for links of 10 Gb/s and more, of which it looks at the last 160 us. On a
 * test bed's slower links that is less than a packet, so time passes more slowly for it there.
 */
#include <linux/bpf.h>
#include <linux/in.h>
#include <linux/pkt_cls.h>

#include <bpf/bpf_helpers.h>

#include "../bpf/overlay.h"
#include "edge/switch/rate.h"

char LICENSE[] SEC("license") = "Dual Apache-2.0/GPL";

#define T1 8 /* offset in the option: of clove-int, the utilisation */

/* Written from outside; a rate of 0, as at first, stamps nothing. */
struct port {
    __u64 bits_per_s;
    __u64 slower;       /* how many times slower time passes, 1 or more */
    __u64 overlay_port; /* UDP destination port */
};

struct load {
    struct bpf_spin_lock lock;
    struct edge_rate rate;
};

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct port);
} port SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct load);
} load SEC(".maps");

/* Of the link now, in 1/65536, this packet counted. */
EDGE_INLINE uint32_t utilisation(const struct port *own, struct load *line, uint32_t bytes) {
    const uint64_t now_ns = bpf_ktime_get_ns() / own->slower;
    struct edge_rate full;
    /* Each time: the link's rate may have changed. */
    edge_rate_init(&full, own->bits_per_s * own->slower, now_ns);
    bpf_spin_lock(&line->lock);
    line->rate.full_bytes = full.full_bytes;
    edge_rate_add(&line->rate, bytes, now_ns);
    const uint32_t share = edge_rate_share(&line->rate, now_ns);
    bpf_spin_unlock(&line->lock);
    return share;
}

/* Whether the sender's edge left room for a stamp. Discovery's packets have other numbers there. */
EDGE_INLINE bool wants_stamp(const struct edge_outer *outer, const struct port *own) {
    const struct edge_geneve *geneve = &outer->geneve;
    return outer->ip.version == 4 && outer->ip.ihl == 5 && outer->ip.protocol == IPPROTO_UDP &&
           !(outer->ip.frag_off & bpf_htons(0x3fff)) &&
           outer->udp.dest == bpf_htons((uint16_t)own->overlay_port) &&
           !(geneve->flags & EDGE_GENEVE_CONTROL) &&
           geneve->option_class == bpf_htons(EDGE_OPTION_CLASS) &&
           geneve->option_type == EDGE_CLOVE_INT && geneve->option_length == EDGE_OPTION_WORDS;
}

SEC("tc") int stamping_port(struct __sk_buff *skb) {
    const __u32 key = 0;
    const struct port *own = bpf_map_lookup_elem(&port, &key);
    struct load *line = bpf_map_lookup_elem(&load, &key);
    struct edge_outer outer;
    if (!own || !line || own->bits_per_s == 0 || own->slower == 0)
        return TC_ACT_UNSPEC;
    const uint32_t share = utilisation(own, line, skb->wire_len);
    if (skb->protocol != bpf_htons(ETH_P_IP) ||
        bpf_skb_load_bytes(skb, ETH_HLEN, &outer, sizeof outer) || !wants_stamp(&outer, own))
        return TC_ACT_UNSPEC;
    const uint32_t carried = edge_get32(outer.geneve.option + T1);
    const uint32_t stamp = edge_stamp(carried, share);
    if (stamp != carried) {
        uint8_t bytes[4];
        edge_put32(bytes, stamp);
        bpf_skb_store_bytes(skb, ETH_HLEN + sizeof outer - EDGE_OPTION_BYTES + T1, bytes,
                            sizeof bytes, 0);
    }
    return TC_ACT_UNSPEC;
}
