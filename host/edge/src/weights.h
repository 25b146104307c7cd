/*
 * The controller's weights (docs/reference/sdd-protocol.md, section Edges): towards a prefix of the
 * fabric, what share of its traffic a switch gives each next hop. A path's weight is the product
 * of the shares of the hops on its way.
 */
#ifndef EDGE_WEIGHTS_H
#define EDGE_WEIGHTS_H

#include "config.h"
#include "way.h"

enum { MAX_WEIGHTED_PREFIXES = 256, MAX_WEIGHTED_HOPS = 256, WEIGHTS_ONE = 1000000 };

struct weighted_hop {
    struct edge_address address; /* that it answers probes with */
    uint32_t share;              /* 1 to WEIGHTS_ONE, which is all */
};

struct weighted_prefix {
    struct prefix_config prefix; /* of peers' addresses */
    unsigned count;
    struct weighted_hop hops[MAX_WEIGHTED_HOPS];
};

struct weights {
    unsigned count;
    struct weighted_prefix *prefixes; /* MAX_WEIGHTED_PREFIXES, all null at first; by free() */
};

/*
 * Replaces a prefix's weights; without hops, removes them. False: out of memory, or there are too
 * many prefixes.
 */
bool weights_put(struct weights *weights, const struct weighted_prefix *put);

/* Those of the longest prefix that covers the peer's address; null: there are none. */
const struct weighted_prefix *weights_of(const struct weights *weights,
                                         const struct edge_address *peer);

/*
 * Fills in the weights of `count` paths by their ways. Where a hop of any way is not known, or
 * nothing is known of weights, all are 1: a path's weight counts beside the others' only.
 *
 * of: may be null.
 */
void weights_fill(const struct weighted_prefix *of, const struct edge_way *const ways[],
                  struct edge_found found[], unsigned count);

#endif
