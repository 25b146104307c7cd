/* Shows the state of the edge in the kernel, for operators and programs. */
#ifndef EDGE_SHOW_H
#define EDGE_SHOW_H

#include <stdbool.h>

#include <jansson.h>

#include "kernel.h"

/* Which peers are shown: in the kernel's order, which stays while peers do, or one. */
struct show_peers {
    unsigned first;                  /* from 0 */
    unsigned limit;                  /* so many at most */
    const struct edge_address *only; /* null: not one alone */
};

/* What `show --json` prints: to be released. Null if the maps cannot be read. One thread at a time
   may ask. */
json_t *show_json(const struct kernel_edge *edge, const struct show_peers *which);

/* Forms of what is shown. */
enum show_form { SHOW_TEXT, SHOW_JSON, SHOW_METRICS };

/* Prints it to the standard output. Returns false if the maps cannot be read. */
bool show(const struct kernel_edge *edge, const struct show_peers *which, enum show_form form);

#endif
