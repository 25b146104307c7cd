/*
 * Routes through the fabric, as probes find them, and the links that two of them share.
 *
 * A router that does not answer may be any router. An unknown hop therefore counts as shared with
 * the hop of another route at the same distance, and a route with an unknown hop equals no other.
 */
#ifndef EDGE_ROUTE_H
#define EDGE_ROUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "state.h"

/* Returns the number of unknown hops. */
unsigned route_unknown(const struct edge_route *route);

/* Whether the route has routers and all of them are unknown. */
bool route_is_dark(const struct edge_route *route);

/* Whether both may be the same route: equal lengths, and no known hops that differ. */
bool route_agrees(const struct edge_route *a, const struct edge_route *b);

/* Whether both are certainly the same route. */
bool route_equals(const struct edge_route *a, const struct edge_route *b);

/* Fills in unknown hops from an earlier route that agrees. */
void route_complete(struct edge_route *route, const struct edge_route *before);

/*
 * Returns the number of links that the route shares with the other one. A link leads from a hop to
 * the next, the first from this host. Links are compared independently of their position on a
 * route.
 */
unsigned route_shared(const struct edge_route *route, const struct edge_route *other);

/* Returns a key of the route: a hash of its hops, and of the source port unless all hops are
 * known. */
uint32_t route_key(const struct edge_route *route, uint16_t source_port);

#endif
