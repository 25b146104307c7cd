/*
 * Ways through the fabric, as probes find them, and the links that two of them share.
 *
 * A router that does not answer may be any router. An unknown hop therefore counts as shared with
 * the hop of another way at the same distance, and a way with an unknown hop equals no other.
 */
#ifndef EDGE_WAY_H
#define EDGE_WAY_H

#include <stdbool.h>
#include <stdint.h>

#include "state.h"

/* Returns the number of unknown hops. */
unsigned way_unknown(const struct edge_way *way);

/* Whether the way has routers and all of them are unknown. */
bool way_is_dark(const struct edge_way *way);

/* Whether both may be the same way: equal lengths, and no known hops that differ. */
bool way_agrees(const struct edge_way *a, const struct edge_way *b);

/* Whether both are certainly the same way. */
bool way_equals(const struct edge_way *a, const struct edge_way *b);

/* Fills in unknown hops from an earlier way that agrees. */
void way_complete(struct edge_way *way, const struct edge_way *before);

/*
 * Returns the number of links that the way shares with the other one. A link leads from a hop to
 * the next, the first from this host. Links are compared independently of their position on a way.
 */
unsigned way_shared(const struct edge_way *way, const struct edge_way *other);

/* Returns a key of the way: a hash of its hops, and of the source port unless all hops are
 * known. */
uint32_t way_key(const struct edge_way *way, uint16_t source_port);

#endif
