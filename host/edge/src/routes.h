/*
 * Routes to peers' prefixes: over the next hop to the peer, with an MTU that leaves room for the
 * overlay's header, so that TCP creates segments that fit, and IP answers "fragmentation needed"
 * for larger packets. They are identified by their protocol number.
 */
#ifndef EDGE_ROUTES_H
#define EDGE_ROUTES_H

#include <stdbool.h>

#include "config.h"

/*
 * Changes the routes of this device to those of the configuration; correct ones remain untouched.
 * mtu: maximum length of an overlay packet, with its header.
 *
 * Adds all routes that are possible. Returns false with an error that names the field if one
 * failed; returns true with a warning in error if a foreign route prevents one.
 */
bool routes_apply(const struct config *config, unsigned device, uint32_t mtu, char *error,
                  size_t error_size);

/* Whether all peers are reachable through the device, and packets have room. Changes nothing. */
bool routes_check(const struct config *config, unsigned device, uint32_t mtu, char *error,
                  size_t error_size);

/* Whether the device has any routes of the edge. */
bool routes_exist(unsigned device);

/* Removes the edge's routes of the device. */
bool routes_remove(unsigned device);

#endif
