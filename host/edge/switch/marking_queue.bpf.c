// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * A switch port's ECN threshold, for kernels that have no RED: marks what arrives while the queue
 * is longer than the threshold (DCTCP's marking, which CLOVE-ECN counts on).
 *
 * A program on egress runs before the qdisc and cannot see its queue. So it keeps the length of one
 * that is filled and drained as the qdisc's is: at the port's rate, up to the port's buffer.
 */
#include <linux/bpf.h>
#include <linux/pkt_cls.h>

#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual Apache-2.0/GPL";

#define NS_PER_S 1000000000ull

/* Written from outside; a rate of 0, as at first, marks nothing. */
struct port {
    __u64 bytes_per_s;
    __u64 mark_bytes;   /* the threshold */
    __u64 buffer_bytes; /* the longest the qdisc's queue can be */
};

struct queue {
    struct bpf_spin_lock lock;
    __u64 at_ns;
    __u64 bytes;
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
    __type(value, struct queue);
} queue SEC(".maps");

SEC("tc") int marking_queue(struct __sk_buff *skb) {
    const __u32 key = 0;
    const struct port *own = bpf_map_lookup_elem(&port, &key);
    struct queue *line = bpf_map_lookup_elem(&queue, &key);
    if (!own || !line || own->bytes_per_s == 0)
        return TC_ACT_UNSPEC;
    const __u64 now = bpf_ktime_get_ns(), rate = own->bytes_per_s;
    const __u64 buffer = own->buffer_bytes, arrived = skb->wire_len;

    bpf_spin_lock(&line->lock);
    /* Not more than a second, so that the product fits; no queue here lasts that long. */
    __u64 passed = now > line->at_ns ? now - line->at_ns : 0;
    passed = passed < NS_PER_S ? passed : NS_PER_S;
    const __u64 drained = passed * rate / NS_PER_S;
    __u64 bytes = line->bytes > drained ? line->bytes - drained : 0;
    const int full = bytes >= own->mark_bytes;
    /* What finds no room is dropped by the qdisc and lengthens no queue. */
    if (bytes + arrived <= buffer)
        bytes += arrived;
    line->bytes = bytes;
    line->at_ns = now;
    bpf_spin_unlock(&line->lock);

    if (full)
        bpf_skb_ecn_set_ce(skb);
    return TC_ACT_UNSPEC;
}
