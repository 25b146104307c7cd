/* Commands that change an attached edge. They report the reason of a failure on the standard error.
 * */
#ifndef EDGE_ACT_H
#define EDGE_ACT_H

#include <stdbool.h>

#include "kernel.h"

/* Has the device's process discover paths. Returns false if it cannot, or a peer has none. */
bool act_discover(const struct kernel_edge *edge);

/* Whether discovery found a path to each peer the last time, as far as it has tried. */
bool act_look_for_paths(const struct kernel_edge *edge);

/* Takes the edge off; not under a process, which would make routes again that lead to no programs.
 * Forgets it in any case. */
bool act_stop(struct kernel_edge *edge);

/* Takes the congestion control out of the kernel that no edge has any more. */
bool act_release(void);

/* Says why a device's process cannot be had: of instance_take. */
void act_explain(const char *device, int error);

#endif
