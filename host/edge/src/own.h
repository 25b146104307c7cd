/* Whether addresses of the configuration are this host's. */
#ifndef EDGE_OWN_H
#define EDGE_OWN_H

#include <stdbool.h>
#include <stddef.h>

#include "config.h"

/* Of the outer header and, where they are configured, the sources of connections. Returns false,
 * with an error that names the field, if one is not. */
bool own_addresses(const struct config *config, char *error, size_t error_size);

#endif
