/*
 * Writes probes of discovery as packets, and reads responses to them.
 *
 * A probe is an overlay packet like those of guests: it has the same addresses and ports, so that
 * switches hash it the same way, and no checksum. Geneve's O bit hides it from guests. It carries
 * two random numbers: an identification in the IPv4 header, which every ICMP error quotes, and a
 * nonce in the option, which longer quotes and the peer's answer contain. IPv6 has no
 * identification, but ICMPv6 quotes as much as possible (RFC 4443, section 2.4).
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
    PROBE_PASSED,  /* its TTL expired at a router on its way */
    PROBE_STOPPED, /* a router or host could not forward or deliver it */
    PROBE_ARRIVED  /* it arrived at the peer's edge */
};

/* A response to a probe. It may be forged: the caller must compare the numbers. */
struct probe_answer {
    enum probe_outcome outcome;
    struct edge_address from; /* the sender of the response */
    uint8_t ttl_left;         /* for PROBE_ARRIVED */
    struct probe probe;       /* without TTL; nonce 0 if not quoted */
};

/*
 * Writes a complete IP packet of up to PROBE_BYTES; returns its size. scheme: the sender's, as in
 * its other packets.
 */
size_t probe_write(const struct probe *probe, const struct config *config, uint32_t scheme,
                   uint8_t *packet);

/*
 * Reads an ICMP message as icmp_error_receive returns it. Returns false if it is not about a packet
 * like a probe of this host.
 */
bool probe_read_error(const uint8_t *packet, size_t size, const struct edge_address *from,
                      const struct config *config, struct probe_answer *answer);

/*
 * Reads the payload of a UDP datagram from a host to the overlay's port. The programs convert an
 * answer in the TCP form to UDP. Returns false if it is not an edge's answer.
 */
bool probe_read_answer(const uint8_t *payload, size_t size, const struct edge_address *from,
                       const struct config *config, struct probe_answer *answer);

#endif
