/* What only user space does with a destination's paths. */
#include <string.h>

#include "edge/paths.h"

void edge_set_paths(struct edge_paths *paths, const struct edge_found *found, uint32_t count) {
    struct edge_paths before = *paths;
    memset(paths, 0, sizeof *paths);
    paths->count = count < EDGE_MAX_PATHS ? count : EDGE_MAX_PATHS;
    paths->generation = before.generation + 1;
    paths->recovered_ns = before.recovered_ns;
    edge_set_priors(paths, found, paths->count);
    for (uint32_t i = 0; i < paths->count; i++) {
        paths->key[i] = found[i].key;
        paths->port[i] = found[i].port;
        for (uint32_t j = 0; j < before.count && j < EDGE_MAX_PATHS; j++) {
            if (before.key[j] == found[i].key) {
                paths->metric[i] = before.metric[j];
                paths->noted_ns[i] = before.noted_ns[j];
                paths->rtt_ns[i] = before.rtt_ns[j];
            }
        }
    }
}
