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

/* A prefix of a peer's inner addresses. */
struct prefix_config {
    struct edge_address address; /* without host bits */
    uint8_t bits;                /* prefix length, up to 32 or 128 */
};

/* Reads a prefix such as "10.0.0.0/24" or "2001:db8::/64"; returns false for other texts, and if
 * host bits are set. */
bool prefix_read(const char *text, struct prefix_config *prefix);

/* Writes a prefix in the form that prefix_read reads; returns text. */
const char *prefix_write(const struct prefix_config *prefix, char text[PREFIX_TEXT_BYTES]);

/* Whether the prefix contains the address. */
bool prefix_covers(const struct prefix_config *prefix, const struct edge_address *address);

/* Whether the prefix may have remote hosts: it is not loopback, link-local, multicast or
 * reserved. */
bool prefix_is_unicast(const struct prefix_config *prefix);

bool prefix_same(const struct prefix_config *a, const struct prefix_config *b);

/* Returns the map's key for the prefix. */
struct edge_prefix prefix_key(const struct prefix_config *prefix);
struct prefix_config prefix_of_key(const struct edge_prefix *key);

#endif
