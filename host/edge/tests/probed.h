/* Peers with discovery, for tests in virtual time. */
#ifndef EDGE_TESTS_PROBED_H
#define EDGE_TESTS_PROBED_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "probe.h"

enum { MS = 1000000 };
#define S (1000 * (uint64_t)MS)

/* Fills in peers with 4 paths each, source ports from 50000 on, a period of 30 s, and a time-out of
 * 0.2 s for probes. */
static void probed_peers(struct peer_config *peers, unsigned count, unsigned ports) {
    for (unsigned i = 0; i < count; i++) {
        peers[i] = (struct peer_config){
            .address = address_ipv4(1000 + i),
            .discover = {.paths = 4, .max_ttl = 8, .period_ns = 30 * S, .timeout_ns = S / 5},
            .paths_count = ports};
        for (unsigned p = 0; p < ports; p++)
            peers[i].paths[p].port = (uint16_t)(50000 + p);
    }
}

static bool all_answer(const struct probe *probe) {
    (void)probe;
    return true;
}

static bool none_answers(const struct probe *probe) {
    (void)probe;
    return false;
}

#endif
