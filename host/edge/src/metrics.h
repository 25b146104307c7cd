/* Prints the edge's state as metrics in Prometheus' text format (docs/reference/metrics.md). */
#ifndef EDGE_METRICS_H
#define EDGE_METRICS_H

#include <stdio.h>

#include <jansson.h>

/* Writes the metrics of an edge, summed over peers and paths so that the number of series does not
 * depend on theirs. all: the result of show_json for all peers. */
void metrics_print(json_t *all, FILE *out);

#endif
