/*
 * The controller's order to an edge (docs/reference/sdd-protocol.md, section Edges): a scheme and
 * its parameters, for each destination prefix.
 */
#ifndef EDGE_ORDER_H
#define EDGE_ORDER_H

#include "config.h"

enum { MAX_ORDERED_PREFIXES = 256 };

#define NOT_ORDERED UINT32_MAX /* of a parameter: as the file has it */

struct ordered {
    uint32_t scheme; /* enum edge_scheme */
    uint32_t gap_ns;
    uint32_t gap_percent;
    uint32_t rtt_ns;
    uint32_t relay_ns;
    uint32_t metric_age_ns;
    uint32_t delay_ns; /* from here on of IntFlow */
    uint32_t window_ns;
    uint32_t timeout_ns;
    uint32_t settle_ns;
    uint32_t size_bytes;
};

/* 0.0.0.0/0 is for whatever no other prefix holds, in IPv6 too. */
struct ordered_prefix {
    struct prefix_config prefix;
    struct ordered what;
};

struct order {
    uint32_t report_ms; /* between reports */
    unsigned count;
    struct ordered_prefix prefixes[MAX_ORDERED_PREFIXES];
};

/*
 * Whether each prefix holds all that is behind a peer in its family or nothing of it, and whether
 * what is ordered of a peer's IPv4 and of its IPv6 prefixes is the same, as a peer has one scheme.
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
