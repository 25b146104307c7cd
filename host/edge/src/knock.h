/*
 * Checks whether a peer is reachable before its paths are traced: sends probes with a sufficient
 * TTL on successive source ports until the peer answers one. It sends on one port first, then on
 * two more at a time, four more, and so on, so that a live peer costs one probe and a dead one
 * little time.
 */
#ifndef EDGE_KNOCK_H
#define EDGE_KNOCK_H

#include <stdbool.h>
#include <stdint.h>

struct knock {
    unsigned wanted; /* number of probes without an answer before the knock fails */
    unsigned sent;
    unsigned together; /* number of probes that may be sent before the time-out */
    uint64_t until_ns; /* when the time-out ends */
    uint32_t nonce;    /* the same in all probes */
    uint16_t id;
};

/* Begins a knock. random: 64 random bits. */
void knock_begin(struct knock *knock, unsigned wanted, uint64_t random);

/* Whether a probe may be sent now. */
bool knock_is_ready(const struct knock *knock, uint64_t now_ns);
void knock_send(struct knock *knock, uint64_t now_ns, uint64_t timeout_ns);

/* Whether all probes were sent and none was answered in time. */
bool knock_has_failed(const struct knock *knock, uint64_t now_ns);

#endif
