/*
 * Packets and flows as libsdd sees them.
 *
 * A packet is a descriptor that the caller embeds in its own buffer (in DPDK: the mbuf's private
 * area), so that queueing a packet allocates and copies nothing. libsdd never looks at the payload:
 * the caller fills in the 5-tuple and the size.
 */
#ifndef SDD_PACKET_H
#define SDD_PACKET_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The largest packet, in bytes: four times the largest IP packet, for segmentation offload. */
#define SDD_MAX_PACKET_BYTES (1u << 18)

/* An IPv6 address in network byte order; an IPv4 address in its mapped form ::ffff:a.b.c.d. */
struct sdd_address {
    uint8_t octets[16];
};

/* host_order: the IPv4 address 10.0.0.1 is 0x0a000001. */
struct sdd_address sdd_ipv4(uint32_t host_order);

/* The IP 5-tuple (Tewari 2015, section 5.3.3). Ports in host byte order, 0 where there are none. */
struct sdd_flow_key {
    struct sdd_address source;
    struct sdd_address destination;
    uint16_t source_port;
    uint16_t destination_port;
    uint8_t protocol; /* IANA number: 6 TCP, 17 UDP */
    uint8_t zero[3];  /* must be 0, so that keys compare as bytes */
};

struct sdd_link {
    struct sdd_link *previous;
    struct sdd_link *next;
};

struct sdd_flow;

struct sdd_packet {
    struct sdd_flow_key key; /* set by the caller */
    uint32_t bytes;          /* set by the caller: size on the wire, 1 to SDD_MAX_PACKET_BYTES */
    uint32_t queue;          /* set by libsdd when it hands it back for transmission: its queue, */
    int64_t open_ns;         /* and the time slot that allows it, up to but without close_ns; */
    int64_t close_ns;        /* INT64_MAX if none does, but another condition */

    /* The rest is libsdd's from sdd_enqueue until the packet is handed back. */
    struct sdd_link arrival;         /* in its queue, by arrival */
    struct sdd_packet *next_in_flow; /* in its flow, by arrival */
    struct sdd_flow *flow;
    uint64_t sequence; /* arrival number in this host */
};

#ifdef __cplusplus
}
#endif
#endif
