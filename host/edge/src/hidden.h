/*
 * The programs of the hidden overlay (bpf/hidden.bpf.c) on the edge's device. They run before the
 * edge's programs, share its maps, and are attached and removed with them.
 */
#ifndef EDGE_HIDDEN_H
#define EDGE_HIDDEN_H

#include <stdbool.h>

#include "kernel_edge.h"

/*
 * Attaches the programs, or replaces attached ones: the one for arriving packets in any case,
 * because a peer may hide packets even if this host does not. hides: whether this host does.
 * Returns 0 or a negative errno.
 */
int hidden_attach(const struct kernel_edge *edge, bool hides);

/* Whether the programs that this host needs are attached. */
bool hidden_is_attached(unsigned device, bool hides);

/* Detaches the programs; returns false if one is attached and cannot be removed. */
bool hidden_detach(unsigned device);

#endif
