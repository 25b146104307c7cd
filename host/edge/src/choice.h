/* Chooses source ports as paths: those whose routes share the fewest links (Clove, section 3.1). */
#ifndef EDGE_CHOICE_H
#define EDGE_CHOICE_H

#include "route.h"

/* A source port and the results of its probes. */
struct candidate {
    uint16_t port;
    bool arrives; /* the peer answered and is the route's last hop */
    bool in_use;
    uint32_t key; /* of the route: unchanged while the route may be the same */
    struct edge_route route;
};

/*
 * Chooses up to `wanted` of `count` candidates (EDGE_MAX_PATHS at most), greedily: each step adds
 * the candidate that shares the fewest links with the chosen ones; a link counts once for each
 * chosen candidate that uses it. Ties: fewer unknown hops, then in use, then first. Only candidates
 * that arrive are eligible, and only one of those that certainly have the same route, so there may
 * be fewer than wanted. If no router of any route is known, all candidates that arrive are chosen.
 *
 * Fills `chosen` with indices; returns their number. O(wanted * count).
 */
unsigned choose_ways(const struct candidate *candidates, unsigned count, unsigned wanted,
                     unsigned chosen[EDGE_MAX_PATHS]);

#endif
