/* Finds the edge for a command. */
#ifndef EDGE_FIND_H
#define EDGE_FIND_H

#include <stdbool.h>

#include "kernel_edge.h"

/*
 * Finds the device's edge, or, if device is null, the only edge. remains: also accepts the remains
 * of an edge and an edge of another version. Prints on standard error why there is none.
 */
bool find_edge(const char *device, bool remains, struct kernel_edge *edge);

#endif
