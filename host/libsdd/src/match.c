/* Flow match expressions. */
#include <string.h>

#include "matcher.h"

enum { ADDRESS_BITS = 128, IPV4_BITS = 32, IPV4_MAPPED_BITS = ADDRESS_BITS - IPV4_BITS };

struct sdd_match sdd_match_all(void) {
    return (struct sdd_match){.wildcards = SDD_ANY_PORTS_AND_PROTOCOL};
}

struct sdd_match sdd_match_to_ipv4(uint32_t host_order, unsigned prefix_bits) {
    struct sdd_match match = sdd_match_all();
    match.destination = base_ipv4(host_order);
    match.destination_prefix_bits =
        (uint8_t)(IPV4_MAPPED_BITS + (prefix_bits < IPV4_BITS ? prefix_bits : IPV4_BITS));
    return match;
}

struct sdd_match sdd_match_flow(const struct base_flow_key *key) {
    return (struct sdd_match){.source = key->source,
                              .destination = key->destination,
                              .source_port = key->source_port,
                              .destination_port = key->destination_port,
                              .protocol = key->protocol,
                              .source_prefix_bits = ADDRESS_BITS,
                              .destination_prefix_bits = ADDRESS_BITS};
}

bool sdd_match_valid(const struct sdd_match *match) {
    return match->source_prefix_bits <= ADDRESS_BITS &&
           match->destination_prefix_bits <= ADDRESS_BITS &&
           match->wildcards <= SDD_ANY_PORTS_AND_PROTOCOL;
}

static bool same_prefix(const struct base_ip_address *a, const struct base_ip_address *b,
                        unsigned bits) {
    unsigned bytes = bits / 8, rest = bits % 8;
    return memcmp(a, b, bytes) == 0 &&
           (rest == 0 || (a->octets[bytes] ^ b->octets[bytes]) >> (8 - rest) == 0);
}

bool sdd_match_includes(const struct sdd_match *a, const struct sdd_match *b) {
    return a->source_prefix_bits <= b->source_prefix_bits &&
           a->destination_prefix_bits <= b->destination_prefix_bits &&
           (b->wildcards & ~a->wildcards) == 0 && sdd_match_overlaps(a, b);
}

bool sdd_match_overlaps(const struct sdd_match *a, const struct sdd_match *b) {
    unsigned either = a->wildcards | b->wildcards;
    unsigned source_bits = a->source_prefix_bits < b->source_prefix_bits ? a->source_prefix_bits
                                                                         : b->source_prefix_bits;
    unsigned destination_bits = a->destination_prefix_bits < b->destination_prefix_bits
                                    ? a->destination_prefix_bits
                                    : b->destination_prefix_bits;
    return same_prefix(&a->source, &b->source, source_bits) &&
           same_prefix(&a->destination, &b->destination, destination_bits) &&
           ((either & SDD_ANY_SOURCE_PORT) || a->source_port == b->source_port) &&
           ((either & SDD_ANY_DESTINATION_PORT) || a->destination_port == b->destination_port) &&
           ((either & SDD_ANY_PROTOCOL) || a->protocol == b->protocol);
}

bool sdd_match_covers(const struct sdd_match *match, const struct base_flow_key *key) {
    struct sdd_match flow = sdd_match_flow(key);
    return sdd_match_overlaps(match, &flow);
}

static int fixed(const struct sdd_match *match, unsigned field) {
    return (match->wildcards & field) == 0;
}

static int fixed_bits(const struct sdd_match *match) {
    return match->source_prefix_bits + match->destination_prefix_bits +
           16 * (fixed(match, SDD_ANY_SOURCE_PORT) + fixed(match, SDD_ANY_DESTINATION_PORT)) +
           8 * fixed(match, SDD_ANY_PROTOCOL);
}

int sdd_match_precedence(const struct sdd_match *a, const struct sdd_match *b) {
    int by = fixed_bits(a) - fixed_bits(b);
    if (by == 0)
        by = a->destination_prefix_bits - b->destination_prefix_bits;
    if (by == 0)
        by = a->source_prefix_bits - b->source_prefix_bits;
    if (by == 0)
        by = fixed(a, SDD_ANY_DESTINATION_PORT) - fixed(b, SDD_ANY_DESTINATION_PORT);
    if (by == 0)
        by = fixed(a, SDD_ANY_SOURCE_PORT) - fixed(b, SDD_ANY_SOURCE_PORT);
    return by;
}
