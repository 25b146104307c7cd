/*
 * The overlay's header: IPv4 or IPv6, UDP, Geneve (RFC 8926) and one option in the form of
 * libedge's edge/option.h. The option's type is the scheme of the packet's sender, so that the
 * receiver knows which measurement the sender needs.
 *
 * For fabrics that hash only TCP ports, a header that looks like TCP replaces UDP, with STT's
 * meaning of its numbers (draft-davie-stt, section 3.1): there is no connection.
 *
 *      0               1               2               3
 *     +-------------------------------+-------------------------------+
 *     | source port                   | destination port              |
 *     +-------------------------------+-------------------------------+
 *     | bytes behind this header      | 0: offset, of a whole packet  |  sequence number
 *     +-------------------------------+-------------------------------+
 *     | packet's number, any                                          |  acknowledgment number
 *     +---------------+---------------+-------------------------------+
 *     | 0x50          | ACK, PSH      | 0xffff                        |  offset, flags, window
 *     +---------------+---------------+-------------------------------+
 *     | 0                             | 0                             |  checksum, urgent pointer
 *     +-------------------------------+-------------------------------+
 *
 * Its first 8 bytes have the form of a UDP header without a checksum, and are read and written as
 * such.
 */
#ifndef EDGE_OVERLAY_H
#define EDGE_OVERLAY_H

#include <bpf/bpf_endian.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>

#include "address.h"
#include "edge/option.h"
#include "edge/params.h"
#include "key.h"

/* For experiments (RFC 8926, section 7: 0xFF00 to 0xFFFF); the high bit of a type is "critical". */
#define EDGE_OPTION_CLASS 0xff65u
#define EDGE_OPTION_WORDS (EDGE_OPTION_BYTES / 4)
#define EDGE_PROOF_BYTES 8u /* behind the option of packets that are authenticated (proof.h) */

#define EDGE_ECN_MASK 3u
#define EDGE_ECT0 2u
#define EDGE_CE 3u

struct edge_geneve {
    uint8_t version_length; /* 2 bits of version, 6 of the options' length in words */
    uint8_t flags;
    uint16_t protocol;
    uint8_t vni[3];
    uint8_t reserved;
    uint16_t option_class;
    uint8_t option_type;
    uint8_t option_length; /* in words of 4 bytes, without the option's header */
    uint8_t option[EDGE_OPTION_BYTES];
};

#define EDGE_GENEVE_CONTROL 0x80u /* the O bit: for the edge itself, not for guests */

/*
 * The option's instruction in control packets. A probe of discovery carries its numbers as packet
 * number and t1. Its answer repeats them, and adds the remaining TTL as flowlet number and the
 * probe's source port as metric, because an answer takes any of its own paths.
 */
enum edge_control {
    EDGE_CONTROL_REPORT, /* the packet carries a report */
    EDGE_CONTROL_ASK,    /* the receiver must return the packet */
    EDGE_CONTROL_ANSWER,
};

/* The rest of the TCP header after the 8 bytes that correspond to UDP. All fields except the number
 * are constant. */
struct edge_tcp_rest {
    uint32_t number;
    uint8_t offset;
    uint8_t flags;
    uint16_t window;
    uint16_t checksum;
    uint16_t urgent;
};

#define EDGE_TCP_OFFSET 0x50u /* 20 bytes, no options */
/* As in Open vSwitch's STT: with PSH, receive offload does not wait for more of a stream. */
#define EDGE_TCP_FLAGS 0x18u
#define EDGE_TCP_WINDOW 0xffffu

/*
 * A header with IPv4 or IPv6. Both IP headers end at the same offset, so that the fields after them
 * have the same offset in both families. In packets the rest of TCP precedes Geneve.
 */
struct edge_header {
    union {
        struct {
            uint8_t none[sizeof(struct ipv6hdr) - sizeof(struct iphdr)];
            struct iphdr ip4;
        };
        struct ipv6hdr ip6;
    };
    struct udphdr udp; /* or the corresponding part of TCP */
    struct edge_geneve geneve;
    struct edge_tcp_rest rest;
};

/* The length with IPv4 and UDP. */
#define EDGE_HEADER4_BYTES 56u
#define EDGE_HEADER6_BYTES 76u
/* The lengths of the rest of TCP, and of the parts before and after it. */
#define EDGE_REST_BYTES 12u
#define EDGE_FRONT4_BYTES (EDGE_HEADER4_BYTES - EDGE_GENEVE_BYTES)
#define EDGE_FRONT6_BYTES (EDGE_HEADER6_BYTES - EDGE_GENEVE_BYTES)
#define EDGE_GENEVE_BYTES 28u

_Static_assert(sizeof(struct edge_header) == EDGE_HEADER6_BYTES + EDGE_REST_BYTES,
               "it has no padding");
_Static_assert(sizeof(struct edge_geneve) == EDGE_GENEVE_BYTES, "it has no padding");

/* Returns the length of the overlay's header. transport: the protocol number of UDP or TCP. */
EDGE_INLINE uint32_t edge_header_bytes(uint32_t family, uint32_t transport) {
    return (family == 6 ? EDGE_HEADER6_BYTES : EDGE_HEADER4_BYTES) +
           (transport == IPPROTO_TCP ? EDGE_REST_BYTES : 0);
}

/* Returns the length up to the rest of TCP, or up to Geneve. */
EDGE_INLINE uint32_t edge_front_bytes(uint32_t family) {
    return family == 6 ? EDGE_FRONT6_BYTES : EDGE_FRONT4_BYTES;
}

EDGE_INLINE uint16_t edge_ether_type(uint32_t family) {
    return family == 6 ? ETH_P_IPV6 : ETH_P_IP;
}

EDGE_INLINE bool edge_same_address(const struct edge_address *a, const struct edge_address *b) {
    return ((a->family ^ b->family) | (a->words[0] ^ b->words[0]) | (a->words[1] ^ b->words[1]) |
            (a->words[2] ^ b->words[2]) | (a->words[3] ^ b->words[3])) == 0;
}

EDGE_INLINE uint16_t edge_ip_checksum(const struct iphdr *ip) {
    uint16_t words[sizeof *ip / 2]; /* a copy, because of strict aliasing */
    uint32_t sum = 0;
    __builtin_memcpy(words, ip, sizeof words);
    for (uint32_t i = 0; i < sizeof *ip / 2; i++)
        sum += words[i];
    sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t) ~((sum & 0xffff) + (sum >> 16));
}

/* Converts to network byte order. */
EDGE_INLINE uint16_t edge_net16(uint16_t value) {
    return (uint16_t)bpf_htons(value);
}

struct edge_envelope {
    const struct edge_address *source;
    const struct edge_address *destination; /* of the same family */
    uint32_t vni;
    uint32_t inner_bytes; /* length of the inner IP packet, at most 65535 minus header and proof */
    uint32_t proof_bytes; /* length of the proof between the two: 0 or EDGE_PROOF_BYTES */
    uint32_t number;      /* TCP's acknowledgment number: any */
    uint16_t protocol;    /* EtherType of the inner packet */
    uint16_t source_port;
    uint16_t port;
    uint8_t transport; /* outer protocol number: UDP or TCP */
    uint8_t tos;       /* or traffic class */
    uint8_t ttl;       /* or hop limit */
    uint16_t id;       /* IPv4 only */
    uint8_t flags;
    uint8_t scheme;
};

enum { EDGE_TTL = 64 }; /* of all packets except probes */

EDGE_INLINE void edge_ip4_write(struct iphdr *ip, const struct edge_envelope *envelope) {
    *ip = (struct iphdr){.version = 4,
                         .ihl = 5,
                         .tos = envelope->tos,
                         .id = edge_net16(envelope->id),
                         .frag_off = edge_net16(0x4000), /* DF */
                         .ttl = envelope->ttl,
                         .protocol = envelope->transport};
    ip->tot_len = edge_net16((uint16_t)(envelope->inner_bytes + envelope->proof_bytes +
                                        edge_header_bytes(4, envelope->transport)));
    ip->saddr = envelope->source->words[0];
    ip->daddr = envelope->destination->words[0];
    ip->check = edge_ip_checksum(ip);
}

/* The flow label is the source port (RFC 6438), for switches that hash the label but not the
 * ports. */
EDGE_INLINE void edge_ip6_write(struct ipv6hdr *ip, const struct edge_envelope *envelope) {
    *ip = (struct ipv6hdr){.version = 6,
                           .priority = envelope->tos >> 4 & 15u,
                           .flow_lbl = {(uint8_t)(envelope->tos << 4),
                                        (uint8_t)(envelope->source_port >> 8),
                                        (uint8_t)envelope->source_port},
                           .nexthdr = envelope->transport,
                           .hop_limit = envelope->ttl};
    ip->payload_len =
        edge_net16((uint16_t)(envelope->inner_bytes + envelope->proof_bytes +
                              edge_header_bytes(6, envelope->transport) - sizeof *ip));
    __builtin_memcpy(&ip->saddr, envelope->source->words, sizeof ip->saddr);
    __builtin_memcpy(&ip->daddr, envelope->destination->words, sizeof ip->daddr);
}

/*
 * Writes a header without a UDP checksum. RFC 8926, section 3.3, allows that in IPv4, and in IPv6
 * by RFC 6935 and RFC 6936 if receivers check both addresses, both ports and the VNI, as ours do.
 */
EDGE_INLINE void edge_header_write(struct edge_header *header, const struct edge_envelope *envelope,
                                   const struct edge_option *option) {
    const bool is_tcp = envelope->transport == IPPROTO_TCP;
    *header = (struct edge_header){.udp.check = 0};
    if (envelope->destination->family == 6)
        edge_ip6_write(&header->ip6, envelope);
    else
        edge_ip4_write(&header->ip4, envelope);
    header->udp.source = edge_net16(envelope->source_port);
    header->udp.dest = edge_net16(envelope->port);
    header->udp.len = edge_net16((uint16_t)(envelope->inner_bytes + envelope->proof_bytes +
                                            EDGE_GENEVE_BYTES + (is_tcp ? 0 : sizeof header->udp)));
    if (is_tcp)
        header->rest = (struct edge_tcp_rest){.number = envelope->number,
                                              .offset = EDGE_TCP_OFFSET,
                                              .flags = EDGE_TCP_FLAGS,
                                              .window = EDGE_TCP_WINDOW};
    const uint8_t words = (uint8_t)(EDGE_OPTION_WORDS + envelope->proof_bytes / 4);
    header->geneve.version_length = 1 + words;
    header->geneve.flags = envelope->flags;
    header->geneve.protocol = edge_net16(envelope->protocol);
    header->geneve.vni[0] = (uint8_t)(envelope->vni >> 16);
    header->geneve.vni[1] = (uint8_t)(envelope->vni >> 8);
    header->geneve.vni[2] = (uint8_t)envelope->vni;
    header->geneve.option_class = edge_net16(EDGE_OPTION_CLASS);
    header->geneve.option_type = envelope->scheme;
    header->geneve.option_length = words;
    edge_option_write(header->geneve.option, option);
}

/* Returns the source address of a header of this family. */
EDGE_INLINE struct edge_address edge_header_source(const struct edge_header *header,
                                                   uint32_t family) {
    struct edge_address address = {.family = family};
    if (family == 6)
        __builtin_memcpy(address.words, &header->ip6.saddr, sizeof address.words);
    else
        address.words[0] = header->ip4.saddr;
    return address;
}

EDGE_INLINE uint8_t edge_header_tos(const struct edge_header *header, uint32_t family) {
    if (family == 6)
        return (uint8_t)(header->ip6.priority << 4 | header->ip6.flow_lbl[0] >> 4);
    return header->ip4.tos;
}

EDGE_INLINE uint8_t edge_header_ttl(const struct edge_header *header, uint32_t family) {
    return family == 6 ? header->ip6.hop_limit : header->ip4.ttl;
}

/* Returns the protocol number after the IP header, without extension headers. */
EDGE_INLINE uint8_t edge_header_transport(const struct edge_header *header, uint32_t family) {
    return family == 6 ? header->ip6.nexthdr : header->ip4.protocol;
}

/* Returns the payload length according to the IP header. */
EDGE_INLINE uint32_t edge_header_payload(const struct edge_header *header, uint32_t family) {
    if (family == 6)
        return (uint32_t)bpf_ntohs(header->ip6.payload_len);
    return (uint32_t)bpf_ntohs(header->ip4.tot_len) - (uint32_t)sizeof header->ip4;
}

/* Whether a TCP header is the one that peers write. Segments of real connections are ignored,
 * whatever their ports are. */
EDGE_INLINE bool edge_tcp_is(const struct edge_header *header, uint32_t family) {
    const struct edge_tcp_rest *rest = &header->rest;
    const uint32_t behind =
        edge_header_payload(header, family) - (uint32_t)sizeof header->udp - EDGE_REST_BYTES;
    return bpf_ntohs(header->udp.len) == behind && header->udp.check == 0 &&
           rest->offset == EDGE_TCP_OFFSET && rest->flags == EDGE_TCP_FLAGS &&
           rest->window == EDGE_TCP_WINDOW && (rest->checksum | rest->urgent) == 0;
}

/* Whether the header is UDP or the overlay's TCP form. */
EDGE_INLINE bool edge_transport_is(const struct edge_header *header, uint32_t family) {
    const uint8_t transport = edge_header_transport(header, family);
    return transport == IPPROTO_UDP || (transport == IPPROTO_TCP && edge_tcp_is(header, family));
}

/* Whether the IP header has this destination and is not of a fragment. */
EDGE_INLINE bool edge_ip_is(const struct edge_header *header, const struct edge_address *address) {
    const struct iphdr *ip4 = &header->ip4;
    const struct ipv6hdr *ip6 = &header->ip6;
    if (address->family == 6) {
        struct edge_address to = {.family = 6};
        __builtin_memcpy(to.words, &ip6->daddr, sizeof to.words);
        return ip6->version == 6 && edge_same_address(&to, address);
    }
    return ip4->version == 4 && ip4->ihl == 5 && ip4->daddr == address->words[0] &&
           !(ip4->frag_off & bpf_htons(0x3fff));
}

EDGE_INLINE uint32_t edge_geneve_vni(const struct edge_geneve *geneve) {
    return (uint32_t)geneve->vni[0] << 16 | (uint32_t)geneve->vni[1] << 8 | geneve->vni[2];
}

/* Whether the packet belongs to this overlay; other fields are not checked. address: this
 * host's. */
EDGE_INLINE bool edge_header_is(const struct edge_header *header,
                                const struct edge_address *address, uint16_t port, uint32_t vni) {
    const struct edge_geneve *geneve = &header->geneve;
    return edge_ip_is(header, address) && edge_transport_is(header, address->family) &&
           header->udp.dest == bpf_htons(port) && geneve->version_length >> 6 == 0 &&
           edge_geneve_vni(geneve) == vni;
}

/* Returns the length in bytes of the proof behind an option of the edge, 0 without one. */
EDGE_INLINE uint32_t edge_geneve_proof_bytes(const struct edge_geneve *geneve) {
    return geneve->option_length > EDGE_OPTION_WORDS ? EDGE_PROOF_BYTES : 0;
}

/* Returns whether the option has the length that an edge writes, with or without a proof. */
EDGE_INLINE bool edge_geneve_length_is(const struct edge_geneve *geneve) {
    return geneve->option_length == EDGE_OPTION_WORDS ||
           geneve->option_length == EDGE_OPTION_WORDS + EDGE_PROOF_BYTES / 4;
}

/* Reads a peer's Geneve header and option; returns false if they are invalid. */
EDGE_INLINE bool edge_geneve_read(const struct edge_geneve *geneve, struct edge_option *option) {
    return edge_geneve_length_is(geneve) && geneve->version_length == 1 + geneve->option_length &&
           (geneve->flags & ~EDGE_GENEVE_CONTROL) == 0 &&
           (geneve->protocol == bpf_htons(ETH_P_IP) || geneve->protocol == bpf_htons(ETH_P_IPV6)) &&
           geneve->option_class == bpf_htons(EDGE_OPTION_CLASS) &&
           geneve->option_type < EDGE_SCHEMES &&
           edge_option_read(geneve->option, EDGE_MAX_PATHS, option);
}

#endif
