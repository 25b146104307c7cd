/*
 * The overlay's header: IPv4, UDP, Geneve (RFC 8926) and one option with what libedge's
 * edge/option.h writes. The option's type says the scheme of the packet's sender, so that the
 * receiver knows which measurement the sender is to be told.
 */
#ifndef EDGE_OVERLAY_H
#define EDGE_OVERLAY_H

#include <bpf/bpf_endian.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/udp.h>

#include "edge/option.h"
#include "edge/params.h"

/* For experiments (RFC 8926, section 7: 0xFF00 to 0xFFFF); the high bit of a type is "critical". */
#define EDGE_OPTION_CLASS 0xff65u
#define EDGE_OPTION_WORDS (EDGE_OPTION_BYTES / 4)

#define EDGE_ECN_MASK 3u
#define EDGE_ECT0 2u
#define EDGE_CE 3u

struct edge_geneve {
    uint8_t version_length; /* 2 bits, and 6 of the options' length in words */
    uint8_t flags;
    uint16_t protocol;
    uint8_t vni[3];
    uint8_t reserved;
    uint16_t option_class;
    uint8_t option_type;
    uint8_t option_length; /* in words, without these 4 bytes */
    uint8_t option[EDGE_OPTION_BYTES];
};

#define EDGE_GENEVE_CONTROL 0x80u /* the O bit: for the edge itself, not for guests */

/*
 * What the option's instruction says in such packets. A probe of discovery carries its numbers as
 * packet number and t1. Its answer has them too; as flowlet number what was left of its TTL, and as
 * metric its source port, for an answer takes any path of its own.
 */
enum edge_control {
    EDGE_CONTROL_REPORT, /* carries a report */
    EDGE_CONTROL_ASK,    /* the receiver is to send it back */
    EDGE_CONTROL_ANSWER,
};

struct edge_outer {
    struct iphdr ip;
    struct udphdr udp;
    struct edge_geneve geneve;
};

_Static_assert(sizeof(struct edge_outer) == 56, "the overlay's header has no padding");

EDGE_INLINE uint16_t edge_ip_checksum(const struct iphdr *ip) {
    uint16_t
        words[sizeof *ip / 2]; /* a copy: fields may not be read by a pointer of another type */
    uint32_t sum = 0;
    __builtin_memcpy(words, ip, sizeof words);
    for (uint32_t i = 0; i < sizeof *ip / 2; i++)
        sum += words[i];
    sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t) ~((sum & 0xffff) + (sum >> 16));
}

/* In network byte order. */
EDGE_INLINE uint16_t edge_net16(uint16_t value) {
    return (uint16_t)bpf_htons(value);
}

struct edge_envelope {
    uint32_t source; /* addresses in network byte order */
    uint32_t destination;
    uint32_t vni;
    uint32_t inner_bytes; /* of the IP packet, at most 65535 less the header */
    uint16_t protocol;    /* of the inner packet, as an EtherType */
    uint16_t source_port;
    uint16_t port;
    uint8_t tos;
    uint8_t flags;
    uint8_t scheme;
};

EDGE_INLINE void edge_outer_write(struct edge_outer *outer, const struct edge_envelope *envelope,
                                  const struct edge_option *option) {
    uint32_t bytes = envelope->inner_bytes + (uint32_t)sizeof *outer;
    *outer = (struct edge_outer){.ip.version = 4};
    outer->ip.ihl = 5;
    outer->ip.tos = envelope->tos;
    outer->ip.tot_len = edge_net16((uint16_t)bytes);
    outer->ip.frag_off = edge_net16(0x4000); /* DF */
    outer->ip.ttl = 64;
    outer->ip.protocol = IPPROTO_UDP;
    outer->ip.saddr = envelope->source;
    outer->ip.daddr = envelope->destination;
    outer->ip.check = edge_ip_checksum(&outer->ip);
    outer->udp.source = edge_net16(envelope->source_port);
    outer->udp.dest = edge_net16(envelope->port);
    /* Without a checksum, as RFC 8926, section 3.3, allows in IPv4. */
    outer->udp.len = edge_net16((uint16_t)(bytes - sizeof outer->ip));
    outer->geneve.version_length = 1 + EDGE_OPTION_WORDS;
    outer->geneve.flags = envelope->flags;
    outer->geneve.protocol = edge_net16(envelope->protocol);
    outer->geneve.vni[0] = (uint8_t)(envelope->vni >> 16);
    outer->geneve.vni[1] = (uint8_t)(envelope->vni >> 8);
    outer->geneve.vni[2] = (uint8_t)envelope->vni;
    outer->geneve.option_class = edge_net16(EDGE_OPTION_CLASS);
    outer->geneve.option_type = envelope->scheme;
    outer->geneve.option_length = EDGE_OPTION_WORDS;
    edge_option_write(outer->geneve.option, option);
}

/* Whether it is of this overlay, whatever else is in it. */
EDGE_INLINE bool edge_outer_is(const struct edge_outer *outer, uint32_t address, uint16_t port,
                               uint32_t vni) {
    const struct edge_geneve *geneve = &outer->geneve;
    uint32_t found =
        (uint32_t)geneve->vni[0] << 16 | (uint32_t)geneve->vni[1] << 8 | geneve->vni[2];
    return outer->ip.version == 4 && outer->ip.ihl == 5 && outer->ip.protocol == IPPROTO_UDP &&
           outer->ip.daddr == address && !(outer->ip.frag_off & bpf_htons(0x3fff)) &&
           outer->udp.dest == bpf_htons(port) && geneve->version_length >> 6 == 0 && found == vni;
}

/* Reads what a peer wrote; false for anything else. */
EDGE_INLINE bool edge_outer_read(const struct edge_outer *outer, struct edge_option *option) {
    const struct edge_geneve *geneve = &outer->geneve;
    return geneve->version_length == 1 + EDGE_OPTION_WORDS &&
           (geneve->flags & ~EDGE_GENEVE_CONTROL) == 0 &&
           (geneve->protocol == bpf_htons(ETH_P_IP) || geneve->protocol == bpf_htons(ETH_P_IPV6)) &&
           geneve->option_class == bpf_htons(EDGE_OPTION_CLASS) &&
           geneve->option_type < EDGE_SCHEMES && geneve->option_length == EDGE_OPTION_WORDS &&
           edge_option_read(geneve->option, EDGE_MAX_PATHS, option);
}

#endif
