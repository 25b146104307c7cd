/*
 * The controller's order to an edge (docs/reference/sdd-protocol.md, section Edges): a scheme with
 * its parameters for each destination prefix.
 */
#ifndef EDGE_ORDER_H
#define EDGE_ORDER_H

#include "config.h"

enum { MAX_ORDERED_PREFIXES = 256 };

#define NOT_ORDERED UINT32_MAX /* value of a parameter: use the file's */

struct ordered {
    uint32_t scheme; /* enum edge_scheme */
    uint32_t gap_ns;
    uint32_t gap_percent;
    uint32_t rtt_ns;
    uint32_t relay_ns;
    uint32_t metric_age_ns;
    uint32_t delay_ns; /* this and the following: IntFlow */
    uint32_t window_ns;
    uint32_t timeout_ns;
    uint32_t settle_ns;
    uint32_t size_bytes;
};

/* 0.0.0.0/0 is the default for addresses that no other prefix covers, also for IPv6. */
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
 * Whether the order is valid for the configuration. Each prefix must cover all of a peer's prefixes
 * of its family or none, except parts that belong to another peer's longer prefix. The orders for a
 * peer's IPv4 and IPv6 prefixes must be equal, because a peer has one scheme. On failure returns
 * false with an error that begins with the prefix's path. O(ordered prefixes * peers' prefixes).
 */
bool order_fits(const struct order *order, const struct config *config, char *error,
                size_t error_size);

/*
 * Sets each peer's parameters to those of the longest ordered prefix that covers it, or to its own
 * if there is none. The order must fit.
 */
void order_apply(const struct order *order, struct config *config);

#endif
