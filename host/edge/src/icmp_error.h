/* ICMP and ICMPv6 errors about packets of UDP, and what looks like TCP, as raw sockets have them.
 * They are not trusted. */
#ifndef EDGE_ICMP_ERROR_H
#define EDGE_ICMP_ERROR_H

#include <stddef.h>
#include <sys/types.h>

#include "addresses.h"

enum icmp_error_kind {
    ICMP_ERROR_TTL,        /* or hop limit: it ran out on the way */
    ICMP_ERROR_TOO_BIG,    /* "fragmentation needed", "packet too big" */
    ICMP_ERROR_UNREACHABLE /* for any other reason */
};

struct icmp_error {
    enum icmp_error_kind kind;
    uint32_t mtu; /* of one that is too big */
    struct edge_address from;
    /* Of the packet that it quotes: */
    struct edge_address source;
    struct edge_address destination;
    uint16_t id;       /* IPv6 has none: 0 */
    uint32_t length;   /* of the IP packet, as it says */
    uint8_t transport; /* the number of UDP or TCP */
    uint16_t source_port;
    uint16_t destination_port;
    const uint8_t *payload; /* as much as is quoted of what is behind the header of UDP or TCP */
    size_t payload_size;
};

/*
 * A socket that becomes readable when errors of these kinds (bits) arrive, of family 4 or 6, and
 * maybe others; negative errno if there can be none.
 */
int icmp_error_watch(uint32_t family, unsigned kinds);

/* Reads a message and who sent it. Returns its size, -1 if there is none now. */
ssize_t icmp_error_receive(int watch, uint8_t *packet, size_t size, struct edge_address *from);

/*
 * Reads a message as the socket has it: that of IPv4 with its IP header. Returns false if it is
 * no such error or quotes neither UDP nor TCP.
 */
bool icmp_error_read(const uint8_t *packet, size_t size, const struct edge_address *from,
                     struct icmp_error *error);

#endif
