/* Fills the maps from a configuration, and preserves what was learned from running traffic. */
#ifndef EDGE_TABLES_H
#define EDGE_TABLES_H

#include <stdbool.h>

#include "config.h"
#include "kernel.h"
#include "weights.h"

/* Returns false if the kernel has no memory for it. */
bool tables_fill(const struct config *config, const struct kernel_edge *edge);

/* The paths that a peer has. Returns false if there is no such peer. */
bool tables_get_paths(const struct kernel_edge *edge, const struct edge_address *peer,
                      struct edge_paths *paths);

/*
 * Gives a peer the paths that discovery found. Paths that live on keep their places, weights and
 * measurements; of the others nothing is known. Nothing is written where they are those that the
 * peer has. Returns false if the kernel refuses.
 */
bool tables_set_paths(const struct kernel_edge *edge, const struct edge_address *peer,
                      const struct edge_found *found, unsigned count);

/*
 * Gives a peer's discovered paths the controller's weights as prior (weights.h), as far as their
 * ways are known. Null: equal ones. Returns false if the kernel refuses.
 */
bool tables_weigh(const struct kernel_edge *edge, const struct edge_address *peer,
                  const struct weighted_prefix *of);

#endif
