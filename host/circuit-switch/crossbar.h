/*
 * The switch's ports and what happens to a packet: circuits by the matchings, and the packet switch
 * beside them for packets that are marked for it.
 *
 * The time of a packet is when the kernel saw it arrive, not when this program came to it: a real
 * optical switch is not descheduled.
 */
#ifndef CIRCUIT_SWITCH_CROSSBAR_H
#define CIRCUIT_SWITCH_CROSSBAR_H

#include <pthread.h>
#include <stdint.h>

#include "matchings.h"
#include "switch_config.h"

struct port_counters {
    uint64_t circuit_packets, circuit_bytes;
    uint64_t packet_packets, packet_bytes;
    uint64_t dropped_in_night, dropped_out_of_slot, dropped_other;
};

/* The packet switch: an output queue of its rate, as a policer that drops what would not fit. */
struct packet_output {
    int64_t free_ns; /* when it has sent everything */
};

struct crossbar {
    const struct switch_config *config;
    pthread_mutex_t lock; /* of matchings and counters, which the controller's thread uses too */
    struct matchings matchings;
    struct port_counters counters[MAX_SWITCH_PORTS];
    struct packet_output outputs[MAX_SWITCH_PORTS];
    uint8_t addresses[MAX_SWITCH_PORTS][6]; /* the last source address seen at each port */
    int sockets[MAX_SWITCH_PORTS];
    int ready;
};

/* Opens all ports. False: said why. */
bool crossbar_open(struct crossbar *crossbar, const struct switch_config *config);
void crossbar_close(struct crossbar *crossbar);

/* Forwards packets until `stop` is readable. */
void crossbar_run(struct crossbar *crossbar, int stop);

/* Time of the configured clock. */
int64_t crossbar_now(const struct crossbar *crossbar);

#endif
