/*
 * Probes of discovery as packets: what leaves, and what comes back.
 *
 * A probe is a packet of the overlay like those of guests: same addresses and ports, so that
 * switches hash it the same way, and no checksum. Geneve's O bit keeps it from guests. It
 * carries two numbers drawn for it: an identification in the IPv4 header, which every ICMP error
 * quotes, and with a nonce in the option, which only longer quotes have and the peer's answer has.
 * IPv6 has no identification, but ICMPv6 quotes as much as there is (RFC 4443, section 2.4).
 */
#ifndef EDGE_PROBE_H
#define EDGE_PROBE_H

#include "config.h"

enum { PROBE_BYTES = 88 + 20 }; /* the overlay's longest header, and an empty IP packet */

struct probe {
    struct edge_address peer;
    uint32_t nonce;
    uint16_t id; /* not 0 */
    uint16_t source_port;
    uint8_t ttl;
};

enum probe_outcome {
    PROBE_PASSED,  /* its TTL ran out at a router on its way */
    PROBE_STOPPED, /* somebody could not forward or deliver it */
    PROBE_ARRIVED  /* the peer's edge has it */
};

/* What came back. Nothing says yet that the probe is one of ours: compare its numbers. */
struct probe_answer {
    enum probe_outcome outcome;
    struct edge_address from; /* who answers */
    uint8_t ttl_left;         /* of one that arrived */
    struct probe probe;       /* without TTL; nonce 0 if it is not quoted */
};

/*
 * Writes a whole IP packet of up to PROBE_BYTES; returns its size. scheme: the sender's, as in its
 * other packets.
 */
size_t probe_write(const struct probe *probe, const struct config *config, uint32_t scheme,
                   uint8_t *packet);

/*
 * Reads an ICMP message as icmp_error.h has it. Returns false if it is not about a packet like a
 * probe of this host.
 */
bool probe_read_error(const uint8_t *packet, size_t size, const struct edge_address *from,
                      const struct config *config, struct probe_answer *answer);

/*
 * Reads the payload of a UDP datagram from a host to the overlay's port; the programs make one of
 * an answer in what looks like TCP. Returns false if it is not
 * the answer of an edge.
 */
bool probe_read_answer(const uint8_t *payload, size_t size, const struct edge_address *from,
                       const struct config *config, struct probe_answer *answer);

#endif
