/* What the edge in the kernel does, for operators and programs. */
#ifndef EDGE_SHOW_H
#define EDGE_SHOW_H

#include <stdbool.h>

#include "kernel.h"

/* Prints it to the standard output. Returns false if the maps cannot be read. */
bool show(const struct kernel_edge *edge, bool as_json);

#endif
