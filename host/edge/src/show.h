/* Shows the state of the edge in the kernel, for operators and programs. */
#ifndef EDGE_SHOW_H
#define EDGE_SHOW_H

#include <stdbool.h>

#include <jansson.h>

#include "kernel_edge.h"

/* Selects the peers to show: a range in the kernel's order, which is stable while peers do not
 * change, or one peer. */
struct show_peers {
    unsigned first;                  /* index of the first, from 0 */
    unsigned limit;                  /* maximum number */
    const struct edge_address *only; /* a single peer; null: the range */
};

/* Returns the output of `show --json`, which the caller releases, or null if the maps cannot be
 * read. Not thread-safe. */
json_t *show_json(const struct kernel_edge *edge, const struct show_peers *which);

/* The output format. */
enum show_form { SHOW_TEXT, SHOW_JSON, SHOW_METRICS };

/* Prints the edge's state to standard output. Returns false if the maps cannot be read. */
bool show(const struct kernel_edge *edge, const struct show_peers *which, enum show_form form);

#endif
