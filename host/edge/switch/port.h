/* Shared by the programs of switch ports: their maps, and access to packets. */
#ifndef EDGE_SWITCH_PORT_H
#define EDGE_SWITCH_PORT_H

#include <linux/bpf.h>
#include <linux/in.h>
#include <linux/pkt_cls.h>

#include <bpf/bpf_helpers.h>

#include "../bpf/header.h"

/* One of these sources' two licences: the kernel has no name for both, and allows some of its
 * functions only under the GPL. */
char LICENSE[] SEC("license") = "GPL";

/* Declares a map with one entry. User space writes the one named `port`. */
#define PORT_MAP(name, value_type)                                                                 \
    struct {                                                                                       \
        __uint(type, BPF_MAP_TYPE_ARRAY);                                                          \
        __uint(max_entries, 1);                                                                    \
        __type(key, __u32);                                                                        \
        __type(value, value_type);                                                                 \
    } name SEC(".maps")

/* Returns the entry of such a map. */
EDGE_INLINE void *port_entry(void *map) {
    const __u32 key = 0;
    return bpf_map_lookup_elem(map, &key);
}

/*
 * Reads the header of an overlay's data packet in IPv4 with an edge's option. Returns the offset of
 * the option, or 0 for any other packet.
 */
EDGE_INLINE uint32_t port_reads_option(struct __sk_buff *skb, uint64_t overlay_port,
                                       struct edge_header *header) {
    const struct edge_geneve *geneve = &header->geneve;
    const struct iphdr *ip = &header->ip4;
    if (skb->protocol != bpf_htons(ETH_P_IP) || !load_header(skb, 4, header) || ip->version != 4 ||
        ip->ihl != 5 || ip->frag_off & bpf_htons(0x3fff) || !edge_transport_is(header, 4) ||
        header->udp.dest != bpf_htons((uint16_t)overlay_port) ||
        geneve->flags & EDGE_GENEVE_CONTROL ||
        geneve->option_class != bpf_htons(EDGE_OPTION_CLASS) || !edge_geneve_length_is(geneve))
        return 0;
    return ETH_HLEN + edge_header_bytes(4, ip->protocol) - EDGE_OPTION_BYTES;
}

#endif
