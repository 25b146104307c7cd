/*
 * Discovery of paths (Clove, section 3.1): probes with many source ports and increasing TTL find
 * the routes to a peer, and the ports whose routes share the fewest links become its paths. This
 * module owns the sockets and writes the results into the maps.
 */
#ifndef EDGE_DISCOVERY_H
#define EDGE_DISCOVERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "kernel_edge.h"
#include "weights.h"

struct discovery {
    const struct config *config;
    const struct kernel_edge *edge;
    const struct weights *weights; /* the controller's */
    struct prober *prober;         /* null: discovery is off */
    int probes;                    /* raw socket for sending; all sockets are -1 if not open */
    int errors;                    /* ICMP errors about probes */
    int answers;                   /* answers of peers' edges */
};

/*
 * Starts discovery for the peers that are configured for it, with the results in the maps as a
 * start. Config, edge and weights must exist as long as discovery. Returns false with an error.
 */
bool discovery_start(struct discovery *discovery, const struct config *config,
                     const struct kernel_edge *edge, const struct weights *weights, char *error,
                     size_t error_size);
void discovery_stop(struct discovery *discovery);

/* Starts discovery of all peers' paths now. */
void discovery_start_rounds(struct discovery *discovery);

/* Whether a requested discovery, including the initial one, has not ended. */
bool discovery_is_pending(const struct discovery *discovery);

/* Reads arrived packets and sends probes that are due. */
void discovery_serve(struct discovery *discovery);

/* Returns the time until discovery_serve is due without arrivals, in ms; -1: never. */
int discovery_wait_ms(const struct discovery *discovery);

#endif
