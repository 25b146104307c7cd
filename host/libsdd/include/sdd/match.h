/* Flow match expressions: the IP 5-tuple with wildcards (Tewari 2015, section 5.3.3). */
#ifndef SDD_MATCH_H
#define SDD_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sdd/packet.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SDD_ANY_SOURCE_PORT = 1,
    SDD_ANY_DESTINATION_PORT = 2,
    SDD_ANY_PROTOCOL = 4,
    SDD_ANY_PORTS_AND_PROTOCOL = 7
};

/*
 * A match expression for flows. An address matches on its first prefix_bits bits: 0 is a wildcard,
 * 128 the whole address; an IPv4 prefix /n has 96 + n bits because of the mapped form. Wildcard
 * fields and bits are ignored.
 *
 * If several mappings match a flow, the most specific applies: the one that fixes the most bits
 * (prefix bits + 16 per port + 8 for the protocol), then the longer destination prefix, then the
 * longer source prefix, then a fixed destination port, then a fixed source port. No two different
 * mappings that match one flow are equal in all of these.
 */
struct sdd_match {
    struct base_ip_address source;
    struct base_ip_address destination;
    uint16_t source_port;
    uint16_t destination_port;
    uint8_t protocol;
    uint8_t source_prefix_bits;
    uint8_t destination_prefix_bits;
    uint8_t wildcards; /* SDD_ANY_... flags; a struct of zero bytes has wildcard addresses only */
};

/* Returns a match for all flows. */
struct sdd_match sdd_match_all(void);

/* Returns a match for flows to one IPv4 prefix, as for per-destination queues. prefix_bits: 0 to
 * 32. */
struct sdd_match sdd_match_to_ipv4(uint32_t host_order, unsigned prefix_bits);

/* Returns a match for exactly one flow. */
struct sdd_match sdd_match_flow(const struct base_flow_key *key);

bool sdd_match_covers(const struct sdd_match *match, const struct base_flow_key *key);

/* Whether its prefixes and wildcards are within their ranges. */
bool sdd_match_valid(const struct sdd_match *match);

/* Whether a matches every flow that b matches; whether a and b have a flow in common. */
bool sdd_match_includes(const struct sdd_match *a, const struct sdd_match *b);
bool sdd_match_overlaps(const struct sdd_match *a, const struct sdd_match *b);

#ifdef __cplusplus
}
#endif
#endif
