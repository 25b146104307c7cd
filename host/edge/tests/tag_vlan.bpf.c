// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * For tests: packets of sockets with a mark above 0xffff leave with the mark's lower half as VLAN
 * tag in their metadata, like packets of a VLAN device.
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/pkt_cls.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual Apache-2.0/GPL";

SEC("tc") int tag_vlan(struct __sk_buff *skb) {
    if (skb->mark > 0xffff)
        bpf_skb_vlan_push(skb, bpf_htons(ETH_P_8021Q), skb->mark & 0xffff);
    return TC_ACT_UNSPEC;
}
