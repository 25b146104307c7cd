/* IPv4 and IPv6 addresses of inner and outer packets. */
#ifndef EDGE_ADDRESS_H
#define EDGE_ADDRESS_H

#include <stdint.h>

/* Has no padding, so that it can be part of a map's key. */
struct edge_address {
    uint32_t family;   /* 4 or 6; 0: none */
    uint32_t words[4]; /* in network byte order; for IPv4 the last three are 0 */
};

#endif
