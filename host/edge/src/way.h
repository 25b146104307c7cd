/*
 * Paths through the fabric, as probes find them, and the links that two of them share.
 *
 * A router that does not answer may be any router. So an unknown hop counts as shared with the hop
 * of another path at the same distance, and a path with an unknown hop equals no other.
 */
#ifndef EDGE_WAY_H
#define EDGE_WAY_H

#include <stdbool.h>
#include <stdint.h>

#include "state.h"

/* Hops that are not known. */
unsigned way_unknown(const struct edge_way *way);

/* Whether routers are on the way and none of them is known. */
bool way_is_dark(const struct edge_way *way);

/* Whether both may be one way: as long, and no hop contradicts. */
bool way_agrees(const struct edge_way *a, const struct edge_way *b);

/* Whether both are one way for certain. */
bool way_equals(const struct edge_way *a, const struct edge_way *b);

/* Fills in hops that are not known as they were on a way that agrees. */
void way_complete(struct edge_way *way, const struct edge_way *before);

/*
 * How many links of the way the other one shares. A link leads from a hop to the next, the first
 * from this host; links are the same wherever on a way they are.
 */
unsigned way_shared(const struct edge_way *way, const struct edge_way *other);

/* What a way is known by: its hops, and the source port where they are not all known. */
uint32_t way_key(const struct edge_way *way, uint16_t source_port);

#endif
