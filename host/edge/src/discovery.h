/*
 * Discovery of paths (Clove, section 3.1): probes with many source ports and rising TTL find the
 * ways to a peer, and the ports whose ways share the fewest links become its paths. This part has
 * the sockets, and writes the results into the maps.
 */
#ifndef EDGE_DISCOVERY_H
#define EDGE_DISCOVERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "kernel.h"
#include "weights.h"

struct discovery {
    const struct config *config;
    const struct kernel_edge *edge;
    const struct weights *weights; /* the controller's */
    struct prober *prober;         /* null: no paths are to be discovered */
    int probes;                    /* raw socket that sends; all -1 where there is none */
    int errors;                    /* of ICMP, about probes */
    int answers;                   /* of peers' edges */
};

/*
 * Starts it for the peers whose configuration asks for it, with what the maps know already. Config,
 * edge and weights must live as long. Returns false with an error.
 */
bool discovery_start(struct discovery *discovery, const struct config *config,
                     const struct kernel_edge *edge, const struct weights *weights, char *error,
                     size_t error_size);
void discovery_stop(struct discovery *discovery);

/* Discovers all peers' paths again now. */
void discovery_hurry(struct discovery *discovery);

/* Whether a discovery that was asked for, the first one too, has not ended. */
bool discovery_is_asked(const struct discovery *discovery);

/* Reads what arrived, and does what is due. */
void discovery_serve(struct discovery *discovery);

/* Until discovery_serve is due without anything that arrives, in ms; -1: never. */
int discovery_wait_ms(const struct discovery *discovery);

#endif
