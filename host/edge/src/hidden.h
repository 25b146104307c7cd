/*
 * The programs of the hidden overlay (bpf/hidden.bpf.c) on the edge's device, in front of the
 * edge's own and on its maps. They stay and go as those do.
 */
#ifndef EDGE_HIDDEN_H
#define EDGE_HIDDEN_H

#include <stdbool.h>

#include "kernel.h"

/*
 * Attaches the programs, or replaces attached ones: the one for arriving packets in any case,
 * because a peer may hide packets even if this host does not. hides: whether this host does.
 * Returns 0 or a negative errno.
 */
int hidden_attach(const struct kernel_edge *edge, bool hides);

/* Whether those that this host is to have are there. */
bool hidden_stands(unsigned device, bool hides);

/* Takes them off; false if one that is there stays. */
bool hidden_detach(unsigned device);

#endif
