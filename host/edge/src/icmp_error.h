/* ICMP and ICMPv6 errors about UDP and TCP packets, as raw sockets receive them. Their content is
 * not trusted. */
#ifndef EDGE_ICMP_ERROR_H
#define EDGE_ICMP_ERROR_H

#include <stddef.h>
#include <sys/types.h>

#include "addresses.h"

enum icmp_error_kind {
    ICMP_ERROR_TTL,        /* the TTL or hop limit was exceeded */
    ICMP_ERROR_TOO_BIG,    /* "fragmentation needed" or "packet too big" */
    ICMP_ERROR_UNREACHABLE /* for any other reason */
};

struct icmp_error {
    enum icmp_error_kind kind;
    uint32_t mtu; /* for ICMP_ERROR_TOO_BIG */
    struct edge_address from;
    /* Fields of the quoted packet: */
    struct edge_address source;
    struct edge_address destination;
    uint16_t id;       /* IPv6 has none: 0 */
    uint32_t length;   /* from the IP header */
    uint8_t transport; /* protocol number: UDP or TCP */
    uint16_t source_port;
    uint16_t destination_port;
    const uint8_t *payload; /* the quoted part of the data after the UDP or TCP header */
    size_t payload_size;
};

/*
 * Returns a socket that becomes readable when errors of these kinds (bits) arrive, and possibly
 * others, or a negative errno. family: 4 or 6.
 */
int icmp_error_watch(uint32_t family, unsigned kinds);

/* Reads a message and its sender. Returns its size, or -1 if there is none now. */
ssize_t icmp_error_receive(int watch, uint8_t *packet, size_t size, struct edge_address *from);

/*
 * Parses a message from the socket; an IPv4 message includes its IP header. Returns false if it is
 * not such an error or quotes neither UDP nor TCP.
 */
bool icmp_error_read(const uint8_t *packet, size_t size, const struct edge_address *from,
                     struct icmp_error *error);

#endif
