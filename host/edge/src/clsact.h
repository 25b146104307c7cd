/*
 * The clsact qdisc that a device's filters are on. It has no name or number that identifies its
 * creator, so one without a filter of ours may belong to any program: it counts as ours only with a
 * filter of ours on it.
 */
#ifndef EDGE_CLSACT_H
#define EDGE_CLSACT_H

#include <stdbool.h>

#include "filter.h"

bool clsact_exists(unsigned device);

/*
 * Makes the qdisc with the filter on it, in one message: a process that is killed leaves both or
 * neither. Where somebody else was faster the filter is on theirs.
 *
 * made: whether the qdisc is ours. Returns 0 or a negative errno.
 */
int clsact_make(const struct filter *filter, unsigned device, int program, bool *made);

/* Whether somebody else has filters on it, or that cannot be told. */
bool clsact_is_shared(unsigned device);

/* Takes it off, and in the same step all filters. Returns false if it is there and stays. */
bool clsact_remove(unsigned device);

#endif
