/*
 * Which source ports are to be paths: those whose ways share the fewest links (Clove, section 3.1).
 */
#ifndef EDGE_CHOICE_H
#define EDGE_CHOICE_H

#include "way.h"

/* A source port, and what its probes found. */
struct candidate {
    uint16_t port;
    bool arrives; /* the peer answered: it is the way's last hop */
    bool in_use;
    uint32_t key; /* of the way: stays while it may be the same one */
    struct edge_way way;
};

/*
 * Chooses up to `wanted` of `count` candidates (EDGE_MAX_PATHS at most). One after the other is
 * added, each time the one that shares the fewest links with those chosen, a link counted for each
 * of them. Among equals: fewer unknown hops, then in use, then first. Only those that arrive count,
 * and of those that are one way for certain one; so there may be fewer than wanted. Where no router
 * of any way is known there is nothing to choose by, and all that arrive are chosen.
 *
 * Fills `chosen` with indices; returns how many. O(wanted * count).
 */
unsigned choose_ways(const struct candidate *candidates, unsigned count, unsigned wanted,
                     unsigned chosen[EDGE_MAX_PATHS]);

#endif
