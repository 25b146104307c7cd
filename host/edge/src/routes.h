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
 * Returns false, with an error that names the field, if one cannot be made.
 */
bool routes_apply(const struct config *config, unsigned device, uint32_t mtu, char *error,
                  size_t error_size);

/* Removes all that were made for the device. */
bool routes_remove(unsigned device);

#endif
