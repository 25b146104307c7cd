/* What the edge in the kernel does, for operators and programs. */
#ifndef EDGE_SHOW_H
#define EDGE_SHOW_H

#include <stdbool.h>

#include <jansson.h>

#include "kernel.h"

/* All of it, as `show --json` prints it: to be released. Null if the maps cannot be read. One
   thread at a time may ask. */
json_t *show_json(const struct kernel_edge *edge);

/* Prints it to the standard output. Returns false if the maps cannot be read. */
bool show(const struct kernel_edge *edge, bool as_json);

#endif
