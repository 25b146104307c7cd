/* Prefixes of inner addresses, IPv4 and IPv6. */
#ifndef EDGE_PREFIX_CONFIG_H
#define EDGE_PREFIX_CONFIG_H

#include <arpa/inet.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "addresses.h"
#include "state.h"

enum { PREFIX_TEXT_BYTES = INET6_ADDRSTRLEN + 4 };

/* Inner addresses behind a peer. */
struct prefix_config {
    struct edge_address address; /* without bits of hosts */
    uint8_t bits;                /* of the address, up to 32 or 128 */
};

/* Reads "10.0.0.0/24" or "2001:db8::/64"; false for anything else, and with bits of hosts. */
bool prefix_read(const char *text, struct prefix_config *prefix);

/* Writes what prefix_read reads; returns text. */
const char *prefix_write(const struct prefix_config *prefix, char text[PREFIX_TEXT_BYTES]);

/* Whether the address is of the prefix. */
bool prefix_covers(const struct prefix_config *prefix, const struct edge_address *address);

/* Whether it may have hosts in another place: it is none of loopback, of a link, of multicast or
 * reserved. */
bool prefix_is_unicast(const struct prefix_config *prefix);

bool prefix_same(const struct prefix_config *a, const struct prefix_config *b);

/* As the map has them. */
struct edge_prefix prefix_key(const struct prefix_config *prefix);
struct prefix_config prefix_of_key(const struct edge_prefix *key);

#endif
