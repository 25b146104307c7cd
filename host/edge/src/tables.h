/* Fills the maps from a configuration, and preserves measurements of running traffic. */
#ifndef EDGE_TABLES_H
#define EDGE_TABLES_H

#include <stdbool.h>

#include "config.h"
#include "kernel_edge.h"
#include "weights.h"

/* Fills all maps. Returns false if the kernel has no memory. */
bool tables_fill(const struct config *config, const struct kernel_edge *edge);

/* Reads a peer's paths. Returns false if the peer does not exist. */
bool tables_get_paths(const struct kernel_edge *edge, const struct edge_address *peer,
                      struct edge_paths *paths);

/*
 * Sets a peer's paths to those that discovery found. Paths that remain keep their indexes, weights
 * and measurements; new ones have none. Writes nothing if the paths are unchanged. Returns false if
 * the kernel refuses.
 */
bool tables_set_paths(const struct kernel_edge *edge, const struct edge_address *peer,
                      const struct edge_found *found, unsigned count);

/*
 * Sets the priors of a peer's discovered paths to the controller's weights (weights.h), as far as
 * their routes are known. Null: equal priors. Returns false if the kernel refuses.
 */
bool tables_weigh(const struct kernel_edge *edge, const struct edge_address *peer,
                  const struct weighted_prefix *of);

#endif
