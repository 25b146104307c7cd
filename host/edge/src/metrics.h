/* What `show` knows as metrics, in Prometheus' text format (docs/reference/metrics.md). */
#ifndef EDGE_METRICS_H
#define EDGE_METRICS_H

#include <stdio.h>

#include <jansson.h>

/* Writes the metrics of an edge. all: what show_json returns, of all peers. Sums over peers and
   paths, so that their number does not show in the number of series. */
void metrics_print(json_t *all, FILE *out);

#endif
