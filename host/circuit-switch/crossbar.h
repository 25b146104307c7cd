/*
 * The switch's ports and forwarding: over circuits by the matchings, and through the packet switch
 * for packets with its DSCP.
 *
 * The arrival time of a packet is the kernel's time stamp, not the time at which this program reads
 * it: a real optical switch is not descheduled.
 */
#ifndef CIRCUIT_SWITCH_CROSSBAR_H
#define CIRCUIT_SWITCH_CROSSBAR_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "followed.h"
#include "matchings.h"
#include "switch_config.h"

struct port_counters {
    uint64_t circuit_packets, circuit_bytes;
    uint64_t packet_packets, packet_bytes;
    uint64_t dropped_in_night, dropped_out_of_slot, dropped_other;
};

/* An output of the packet switch: a policer at its rate, which drops packets that exceed its
 * queue. */
struct packet_output {
    int64_t free_ns; /* when its queue is empty */
};

struct crossbar {
    const struct switch_config *config;
    pthread_mutex_t lock; /* protects matchings and counters, which the client's thread shares */
    struct matchings matchings;
    struct port_counters counters[MAX_SWITCH_PORTS];
    struct packet_output outputs[MAX_SWITCH_PORTS];
    uint8_t addresses[MAX_SWITCH_PORTS][6]; /* the last source address seen at each port */
    int sockets[MAX_SWITCH_PORTS];
    int ready;
    struct followed followed;        /* of the controllers */
    _Atomic int64_t last_request_ns; /* of the followed controller */
    _Atomic int64_t
        take_over_after_ns; /* after this time without a request the controller counts as silent */
};

/* Opens all ports. Returns false after logging an error. */
bool crossbar_open(struct crossbar *crossbar, const struct switch_config *config);
void crossbar_close(struct crossbar *crossbar);

/* Forwards packets until `stop` is readable. */
void crossbar_run(struct crossbar *crossbar, int stop);

/* Returns the time of the configured clock. */
int64_t crossbar_now(const struct crossbar *crossbar);

#endif
