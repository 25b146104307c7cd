/*
 * The programs of the hidden overlay (bpf/hidden.bpf.c) on the edge's device, in front of the
 * edge's own and on its maps. They stay and go as those do.
 */
#ifndef EDGE_HIDDEN_H
#define EDGE_HIDDEN_H

#include <stdbool.h>

#include "kernel.h"

/*
 * Puts them there, or in the place of those that are there: that of what arrives in any case, for a
 * peer may hide what this host does not. hides: whether this host does. Returns 0 or a negative
 * errno.
 */
int hidden_attach(const struct kernel_edge *edge, bool hides);

/* Whether those that this host is to have are there. */
bool hidden_stands(unsigned device, bool hides);

/* Takes them off; false if one that is there stays. */
bool hidden_detach(unsigned device);

#endif
