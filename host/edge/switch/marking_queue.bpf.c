// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * A switch port's ECN threshold, for kernels without RED: marks packets that arrive while the queue
 * exceeds the threshold (DCTCP's marking, which CLOVE-ECN requires).
 *
 * A program on egress runs before the qdisc and cannot read its queue. It therefore models a queue
 * that is filled and drained like the qdisc's: at the port's rate, up to the port's buffer.
 */
#include "port.h"

#define NS_PER_S 1000000000ull

/* Written by user space. A rate of 0, as initially, disables marking. */
struct port {
    __u64 bytes_per_s;
    __u64 mark_bytes;   /* the threshold */
    __u64 buffer_bytes; /* maximum length of the qdisc's queue */
};

struct queue {
    struct bpf_spin_lock lock;
    __u64 at_ns;
    __u64 bytes;
};

PORT_MAP(port, struct port);
PORT_MAP(queue, struct queue);

SEC("tc") int marking_queue(struct __sk_buff *skb) {
    const struct port *own = port_entry(&port);
    struct queue *line = port_entry(&queue);
    if (!own || !line || own->bytes_per_s == 0)
        return TC_ACT_UNSPEC;
    const __u64 now = bpf_ktime_get_ns(), rate = own->bytes_per_s;
    const __u64 buffer = own->buffer_bytes, arrived = skb->wire_len;

    bpf_spin_lock(&line->lock);
    /* At most a second, so that the product fits; no queue takes that long to drain. */
    __u64 passed = now > line->at_ns ? now - line->at_ns : 0;
    passed = passed < NS_PER_S ? passed : NS_PER_S;
    const __u64 drained = passed * rate / NS_PER_S;
    __u64 bytes = line->bytes > drained ? line->bytes - drained : 0;
    const int full = bytes >= own->mark_bytes;
    /* The qdisc drops packets without room, which do not lengthen the queue. */
    if (bytes + arrived <= buffer)
        bytes += arrived;
    line->bytes = bytes;
    line->at_ns = now;
    bpf_spin_unlock(&line->lock);

    if (full)
        bpf_skb_ecn_set_ce(skb);
    return TC_ACT_UNSPEC;
}
