/* ICMP errors about UDP packets, as raw sockets have them. What they say is not trusted. */
#ifndef EDGE_ICMP_ERROR_H
#define EDGE_ICMP_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Addresses are in network byte order, everything else in the host's. */
struct icmp_error {
    uint8_t type;
    uint8_t code;
    uint16_t mtu;  /* of "fragmentation needed" */
    uint32_t from; /* who says it */
    /* Of the packet that it quotes: */
    uint32_t source;
    uint32_t destination;
    uint16_t id;
    uint16_t source_port;
    uint16_t destination_port;
    const uint8_t *payload; /* as much as is quoted of what is behind the UDP header */
    size_t payload_size;
};

/*
 * A socket that becomes readable when ICMP messages of these types (bits) arrive; negative errno if
 * there can be none.
 */
int icmp_error_watch(uint32_t types);

/* Reads a message with its IP header. Returns false if it quotes no UDP packet. */
bool icmp_error_read(const uint8_t *packet, size_t size, struct icmp_error *error);

#endif
