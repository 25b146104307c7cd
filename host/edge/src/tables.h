/* Fills the maps from a configuration, without a loss of what running traffic taught. */
#ifndef EDGE_TABLES_H
#define EDGE_TABLES_H

#include <stdbool.h>

#include "config.h"
#include "kernel.h"

/* Returns false if the kernel has no memory for it. */
bool tables_fill(const struct config *config, const struct kernel_edge *edge);

#endif
