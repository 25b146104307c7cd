/* The fields of a guest's TCP header that the edge uses, and its flags. */
#ifndef EDGE_TCP_H
#define EDGE_TCP_H

#include "inner.h"

#define TCP_NUMBER 8  /* offset of the acknowledgment number in the header */
#define TCP_OFFSET 12 /* offset of the data offset, with the bit of Accurate ECN */
#define TCP_CHECKSUM 16
#define TCP_AE 0x01u
#define TCP_CWR 0x80u
#define TCP_ECE 0x40u
#define TCP_SYN 0x02u
#define TCP_RST 0x04u
#define TCP_ACK 0x10u

/* The fields of a TCP header that the edge uses. */
struct edge_tcp {
    uint32_t at;     /* offset in the packet */
    uint32_t data;   /* 1: the segment has data */
    uint32_t number; /* acknowledgment number */
    uint8_t bits[2]; /* the two bytes at TCP_OFFSET */
    uint8_t unused[2];
};

EDGE_INLINE bool edge_read_tcp(struct __sk_buff *skb, const struct inner *inner,
                               struct edge_tcp *tcp) {
    uint8_t bytes[TCP_OFFSET + sizeof tcp->bits - TCP_NUMBER];
    tcp->at = ETH_HLEN + inner->header;
    if (inner->protocol != IPPROTO_TCP ||
        bpf_skb_load_bytes(skb, tcp->at + TCP_NUMBER, bytes, sizeof bytes))
        return false;
    tcp->number = edge_get32(bytes);
    tcp->bits[0] = bytes[4];
    tcp->bits[1] = bytes[5];
    tcp->data = skb->len > tcp->at + (uint32_t)(tcp->bits[0] >> 4) * 4;
    return true;
}

/* Replaces the header's flags. */
EDGE_INLINE bool edge_set_flags(struct __sk_buff *skb, struct edge_tcp *tcp, uint8_t flags) {
    const uint16_t before = (uint16_t)(tcp->bits[0] | tcp->bits[1] << 8);
    tcp->bits[1] = flags;
    const uint16_t after = (uint16_t)(tcp->bits[0] | tcp->bits[1] << 8);
    return !bpf_l4_csum_replace(skb, tcp->at + TCP_CHECKSUM, before, after, sizeof after) &&
           !bpf_skb_store_bytes(skb, tcp->at + TCP_OFFSET, tcp->bits, sizeof tcp->bits, 0);
}

/* Signals congestion to the guest as its peer would: sets ECE in an acknowledgement. inner_ip:
 * length of the IP header if TCP follows, else 0. */
EDGE_INLINE bool echo_congestion(struct __sk_buff *skb, uint32_t inner_ip) {
    const struct inner inner = {.header = inner_ip, .protocol = IPPROTO_TCP};
    struct edge_tcp tcp;
    return inner_ip && edge_read_tcp(skb, &inner, &tcp) && tcp.bits[1] & TCP_ACK &&
           !(tcp.bits[1] & (TCP_SYN | TCP_ECE)) && edge_set_flags(skb, &tcp, tcp.bits[1] | TCP_ECE);
}

#endif
