// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/* A congested link for tests: marks all packets that can be marked. */
#include <linux/bpf.h>
#include <linux/pkt_cls.h>

#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual Apache-2.0/GPL";

SEC("tc") int mark(struct __sk_buff *skb) {
    bpf_skb_ecn_set_ce(skb);
    return TC_ACT_UNSPEC;
}
