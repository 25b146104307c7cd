/*
 * Routes to peers' prefixes: by the way that leads to the peer itself, with an MTU that leaves room
 * for the overlay's header, so that TCP makes segments that fit and IP answers "fragmentation
 * needed" for what does not. They are known by their protocol number.
 */
#ifndef EDGE_ROUTES_H
#define EDGE_ROUTES_H

#include <stdbool.h>

#include "config.h"

/*
 * Brings the routes of this device to what the configuration says; those that are right stay. mtu:
 * the longest packet of the overlay, with its header.
 *
 * Those that can be made are made. Returns false, with an error that names the field, if one cannot
 * be; true, with a remark in its place, if one is not made because somebody else's is there.
 */
bool routes_apply(const struct config *config, unsigned device, uint32_t mtu, char *error,
                  size_t error_size);

/* Whether all peers are reached through the device, and packets have room. Changes nothing. */
bool routes_check(const struct config *config, unsigned device, uint32_t mtu, char *error,
                  size_t error_size);

/* Whether any that were made for the device are there. */
bool routes_exist(unsigned device);

/* Removes all that were made for the device. */
bool routes_remove(unsigned device);

#endif
