/* Checks that addresses of the configuration are this host's. */
#ifndef EDGE_OWN_H
#define EDGE_OWN_H

#include <stdbool.h>
#include <stddef.h>

#include "config.h"

/* Checks the outer header's address and, if configured, the source addresses of connections.
 * Returns false with an error that names the field. */
bool own_addresses(const struct config *config, char *error, size_t error_size);

#endif
