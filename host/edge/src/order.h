/*
 * What the controller orders of an edge (docs/reference/sdd-protocol.md, section Edges): a scheme,
 * and the idle time that begins a flowlet, for each destination prefix.
 */
#ifndef EDGE_ORDER_H
#define EDGE_ORDER_H

#include "config.h"

enum { MAX_ORDERED_PREFIXES = 256 };

struct ordered_prefix {
    struct prefix_config prefix;
    enum edge_scheme scheme;
    uint32_t gap_ns; /* 0: as the file has it */
};

struct order {
    uint32_t report_ms; /* between reports */
    unsigned count;
    struct ordered_prefix prefixes[MAX_ORDERED_PREFIXES];
};

/*
 * Whether each prefix holds all that is behind a peer or nothing of it, as a peer has one scheme.
 * What another peer's longer prefix takes away is not behind the peer. False: the error begins with
 * the prefix's path. O(ordered prefixes times peers' prefixes).
 */
bool order_fits(const struct order *order, const struct config *config, char *error,
                size_t error_size);

/*
 * Gives each peer the parameters of the longest ordered prefix that holds it, and its own where
 * there is none. The order must fit.
 */
void order_apply(const struct order *order, struct config *config);

#endif
