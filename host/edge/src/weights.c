#include "weights.h"

#include <stdlib.h>

static struct weighted_prefix *place_of(const struct weights *weights,
                                        const struct prefix_config *prefix) {
    unsigned i = 0;
    while (i < weights->count && !prefix_same(&weights->prefixes[i].prefix, prefix))
        i++;
    return &weights->prefixes[i];
}

bool weights_put(struct weights *weights, const struct weighted_prefix *put) {
    if (!weights->prefixes)
        weights->prefixes = calloc(MAX_WEIGHTED_PREFIXES, sizeof *weights->prefixes);
    if (!weights->prefixes)
        return false;
    struct weighted_prefix *place = place_of(weights, &put->prefix);
    const bool is_new = place == &weights->prefixes[weights->count];
    if (put->count == 0) {
        if (!is_new)
            *place = weights->prefixes[--weights->count];
        return true;
    }
    if (is_new && weights->count == MAX_WEIGHTED_PREFIXES)
        return false;
    *place = *put;
    weights->count += is_new;
    return true;
}

const struct weighted_prefix *weights_of(const struct weights *weights,
                                         const struct edge_address *peer) {
    const struct weighted_prefix *longest = NULL;
    for (unsigned i = 0; i < weights->count; i++) {
        const struct weighted_prefix *found = &weights->prefixes[i];
        if (prefix_covers(&found->prefix, peer) &&
            (!longest || found->prefix.bits > longest->prefix.bits))
            longest = found;
    }
    return longest;
}

/* Returns the share of traffic that takes the route from its first hop on, in units of 1/2^30; at
 * least 1. */
static uint32_t share_of(const struct weighted_prefix *of, const struct edge_route *route) {
    uint64_t share = UINT64_C(1) << 30;
    for (uint32_t hop = 0; hop < route->length && hop < EDGE_HOPS; hop++)
        for (unsigned i = 0; i < of->count; i++)
            if (address_same(&of->hops[i].address, &route->hops[hop]))
                share = share * of->hops[i].share / WEIGHTS_ONE;
    return share ? (uint32_t)share : 1;
}

void weights_fill(const struct weighted_prefix *of, const struct edge_route *const routes[],
                  struct edge_found found[], unsigned count) {
    bool known = of != NULL;
    for (unsigned i = 0; known && i < count; i++)
        known = routes[i] && routes[i]->length > 0 && route_unknown(routes[i]) == 0;
    for (unsigned i = 0; i < count; i++)
        found[i].weight = known ? share_of(of, routes[i]) : 1;
}
