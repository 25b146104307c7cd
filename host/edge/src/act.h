/* Commands that change an attached edge. They print the reason of a failure on standard error. */
#ifndef EDGE_ACT_H
#define EDGE_ACT_H

#include <stdbool.h>

#include "kernel_edge.h"

/* Requests discovery of paths from the device's process. Returns false if discovery fails or a peer
 * has no path. */
bool act_discover(const struct kernel_edge *edge);

/* Whether the last discovery found a path to each peer that it tried. */
bool act_check_paths(const struct kernel_edge *edge);

/* Removes the edge, unless a process manages it, which would add its routes again without programs.
 * Closes `edge` in any case. */
bool act_stop(struct kernel_edge *edge);

/* Removes the congestion control mdctcp from the kernel if no edge uses it. */
bool act_release(void);

/* Prints why instance_take failed. */
void act_print_reason(const char *device, int error);

#endif
