/* Addresses of either family, inside and outside the overlay's header. */
#ifndef EDGE_ADDRESS_H
#define EDGE_ADDRESS_H

#include <stdint.h>

/* No padding, so that it can be part of a map's key. */
struct edge_address {
    uint32_t family;   /* 4 or 6; 0: none */
    uint32_t words[4]; /* in network byte order; those behind an IPv4 address 0 */
};

#endif
