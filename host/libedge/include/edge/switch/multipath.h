/*
 * A WCMP group as a switch's table holds it: slots of equal share, each with a member port (Tewari
 * 2015, section 3.3.1). The simulator enters the groups of the controller's plan unchanged.
 */
#ifndef EDGE_SWITCH_MULTIPATH_H
#define EDGE_SWITCH_MULTIPATH_H

#include "edge/arithmetic.h"

#define EDGE_SLOTS 256u

struct edge_multipath {
    uint32_t slots; /* 1 to EDGE_SLOTS */
    uint16_t port[EDGE_SLOTS];
};

/*
 * Fills the table by weight; the slots of a port are adjacent.
 *
 * weights: one for each of `count` ports; their sum is 1 to EDGE_SLOTS. Otherwise returns false and
 * changes nothing.
 */
EDGE_INLINE bool edge_multipath_set(struct edge_multipath *table, const uint16_t *ports,
                                    const uint32_t *weights, uint32_t count) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < EDGE_SLOTS && i < count; i++)
        sum += weights[i];
    if (count > EDGE_SLOTS || sum == 0 || sum > EDGE_SLOTS)
        return false;
    uint32_t slot = 0;
    for (uint32_t i = 0; i < EDGE_SLOTS && i < count; i++)
        for (uint32_t w = 0; w < EDGE_SLOTS && w < weights[i]; w++)
            table->port[slot++ & (EDGE_SLOTS - 1)] = ports[i];
    table->slots = (uint32_t)sum;
    return true;
}

/* The member port for a flow's hash. */
EDGE_INLINE uint16_t edge_multipath_port(const struct edge_multipath *table, uint32_t hash) {
    return table->port[edge_bounded(hash, table->slots) & (EDGE_SLOTS - 1)];
}

#endif
