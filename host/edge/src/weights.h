/*
 * The controller's weights (docs/reference/sdd-protocol.md, section Edges): for each prefix of the
 * fabric, the share of traffic that a switch sends to each next hop. A path's weight is the product
 * of the shares of its hops.
 */
#ifndef EDGE_WEIGHTS_H
#define EDGE_WEIGHTS_H

#include "config.h"
#include "route.h"

enum { MAX_WEIGHTED_PREFIXES = 256, MAX_WEIGHTED_HOPS = 256, WEIGHTS_ONE = 1000000 };

struct weighted_hop {
    struct edge_address address; /* from which the hop answers probes */
    uint32_t share;              /* 1 to WEIGHTS_ONE, which is 100 % */
};

struct weighted_prefix {
    struct prefix_config prefix; /* prefix of peers' addresses */
    unsigned count;
    struct weighted_hop hops[MAX_WEIGHTED_HOPS];
};

struct weights {
    unsigned count;
    struct weighted_prefix *prefixes; /* an array of MAX_WEIGHTED_PREFIXES; freed with free() */
};

/*
 * Replaces a prefix's weights; without hops, removes them. Returns false if out of memory, or if
 * there are too many prefixes.
 */
bool weights_put(struct weights *weights, const struct weighted_prefix *put);

/* Returns the weights of the longest prefix that covers the peer's address; null: none. */
const struct weighted_prefix *weights_of(const struct weights *weights,
                                         const struct edge_address *peer);

/*
 * Fills in the weights of `count` paths by their routes. All weights are 1 if a hop of any route is
 * unknown or there are no weights, because a path's weight is meaningful only in relation to the
 * others.
 *
 * of: may be null.
 */
void weights_fill(const struct weighted_prefix *of, const struct edge_route *const routes[],
                  struct edge_found found[], unsigned count);

#endif
