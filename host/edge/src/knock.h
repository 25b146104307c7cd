/*
 * Checks whether a peer is reachable, before its paths are traced: probes with a sufficient TTL, on
 * one source port after the other, until the peer answers one of them. First on one port, then on
 * two more, four more ... at a time, so that a live peer costs one probe and a dead one little
 * time.
 */
#ifndef EDGE_KNOCK_H
#define EDGE_KNOCK_H

#include <stdbool.h>
#include <stdint.h>

struct knock {
    unsigned wanted; /* probes, if none is answered */
    unsigned sent;
    unsigned together; /* as many may be sent before the time to answer them is over */
    uint64_t until_ns; /* when that is */
    uint32_t nonce;    /* of all of them */
    uint16_t id;
};

/* random: 64 bits. */
void knock_begin(struct knock *knock, unsigned wanted, uint64_t random);

/* Whether one may be sent now. */
bool knock_is_ready(const struct knock *knock, uint64_t now_ns);
void knock_send(struct knock *knock, uint64_t now_ns, uint64_t timeout_ns);

/* Whether all were sent and none was answered in time. */
bool knock_has_failed(const struct knock *knock, uint64_t now_ns);

#endif
