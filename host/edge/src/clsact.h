/*
 * The clsact qdisc of a device, to which filters are attached. It has no name or number that
 * identifies its creator, so a qdisc without a filter of ours may belong to any program: it counts
 * as ours only with a filter of ours.
 */
#ifndef EDGE_CLSACT_H
#define EDGE_CLSACT_H

#include <stdbool.h>

#include "filter.h"

bool clsact_exists(unsigned device);

/*
 * Creates the qdisc with the filter in one message, so that a killed process leaves both or
 * neither. If another program created the qdisc first, the filter is attached to that one.
 *
 * made: receives whether the qdisc is ours. Returns 0 or a negative errno.
 */
int clsact_make(const struct filter *filter, unsigned device, int program, bool *made);

/* Whether another program has filters on the qdisc, or this is unknown. */
bool clsact_is_shared(unsigned device);

/* Removes the qdisc with all its filters in one step. Returns false if it exists and cannot be
 * removed. */
bool clsact_remove(unsigned device);

#endif
