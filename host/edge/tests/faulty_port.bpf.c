// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * A faulty switch port for tests: it drops packets silently, and shifts time stamps so that the
 * senders' clocks seem to step.
 */
#include "../switch/port.h"

#define T1 8 /* offset in the option */

/* Written by user space. Zeros, as initially, leave all packets unchanged. */
struct port {
    __u64 lose_every; /* drops one of this many packets; 0: none */
    __u64 step_ns;    /* added to time stamps, modulo 2^32 */
    __u64 overlay_port;
};

struct loss {
    __u64 seen;
    __u64 packets;
    __u64 inner_bytes; /* of packets with an edge's option */
};

PORT_MAP(port, struct port);
PORT_MAP(loss, struct loss);

SEC("tc") int faulty_port(struct __sk_buff *skb) {
    const struct port *own = port_entry(&port);
    struct loss *lost = port_entry(&loss);
    struct edge_header header;
    if (!own || !lost)
        return TC_ACT_UNSPEC;
    const uint32_t option = port_reads_option(skb, own->overlay_port, &header);
    const uint64_t seen = __sync_fetch_and_add(&lost->seen, 1) + 1;
    if (own->lose_every && seen % own->lose_every == 0) {
        __sync_fetch_and_add(&lost->packets, 1);
        if (option)
            __sync_fetch_and_add(&lost->inner_bytes, skb->len - option - EDGE_OPTION_BYTES);
        return TC_ACT_SHOT;
    }
    if (option && own->step_ns) {
        uint8_t stamp[4];
        edge_put32(stamp, edge_get32(header.geneve.option + T1) + (uint32_t)own->step_ns);
        bpf_skb_store_bytes(skb, option + T1, stamp, sizeof stamp, 0);
    }
    return TC_ACT_UNSPEC;
}
