// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * One direction of a link's middle: what comes in by one device leaves by another, but for what is
 * lost, damaged or too large.
 */
#include <linux/bpf.h>
#include <linux/pkt_cls.h>

#include <bpf/bpf_helpers.h>

#define MILLION 1000000
#define ETHERNET_BYTES 14

/* Written from outside. */
struct fault {
    __u32 device; /* where packets leave; 0: nowhere */
    __u32 lose_ppm;
    __u32 damage_ppm;
    __u32 mtu; /* of IP packets; 0: unlimited */
};

struct account {
    __u64 seen;
    __u64 lost; /* those that are too large too */
    __u64 damaged;
};

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct fault);
} fault SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct account);
} account SEC(".maps");

static __always_inline int happens(__u32 ppm) {
    return ppm && bpf_get_prandom_u32() % MILLION < ppm;
}

/* Flips a bit behind the Ethernet header. */
static __always_inline void damage(struct __sk_buff *skb) {
    __u8 byte;
    __u32 at;
    if (skb->len <= ETHERNET_BYTES)
        return;
    at = ETHERNET_BYTES + bpf_get_prandom_u32() % (skb->len - ETHERNET_BYTES);
    if (bpf_skb_load_bytes(skb, at, &byte, 1))
        return;
    byte ^= 1 << bpf_get_prandom_u32() % 8;
    bpf_skb_store_bytes(skb, at, &byte, 1, 0);
}

SEC("tc") int wire(struct __sk_buff *skb) {
    const __u32 only = 0;
    const struct fault *now = bpf_map_lookup_elem(&fault, &only);
    struct account *kept = bpf_map_lookup_elem(&account, &only);
    if (!now || !kept)
        return TC_ACT_SHOT;
    __sync_fetch_and_add(&kept->seen, 1);
    if (!now->device || happens(now->lose_ppm)
        || (now->mtu && skb->len > now->mtu + ETHERNET_BYTES)) {
        __sync_fetch_and_add(&kept->lost, 1);
        return TC_ACT_SHOT;
    }
    if (happens(now->damage_ppm)) {
        __sync_fetch_and_add(&kept->damaged, 1);
        damage(skb);
    }
    return bpf_redirect(now->device, 0);
}

char _license[] SEC("license") = "Dual Apache/GPL";
