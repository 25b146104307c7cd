/*
 * Determines the user that owns a flow. A user may map flows of its own sockets: a match names a
 * protocol and a source port, and all sockets at that port that can send such packets must belong
 * to the user. A query to the kernel lists them (SOCK_DIAG), in the network namespace of the TAP
 * device, because in a namespace of its own a user could have any address and port.
 */
#ifndef SDD_HOST_FLOW_OWNER_H
#define SDD_HOST_FLOW_OWNER_H

#include <stdbool.h>
#include <stdint.h>

#include "sdd/match.h"

struct flow_claim {
    const struct sdd_match *match;
    uint32_t user;
    bool good; /* the answer */
    /* while the kernel's list is read */
    bool own, foreign;             /* sockets at the port that may send some of these flows */
    bool own_exact, foreign_exact; /* the connected socket of exactly this flow */
};

/* Whether a match says enough to be claimed by sockets: TCP or UDP, and a source port. */
bool flow_can_be_claimed(const struct sdd_match *match);

/*
 * Answers all claims by one look at the sockets there are. Moves the calling thread into the
 * network namespace of the TAP device. False: the kernel did not answer, errno; no claim is good.
 */
bool flow_owner_check(int tap, struct flow_claim *claims, unsigned count);

/* A socket: local and remote address and port as source and destination, zero where any. */
struct flow_socket {
    struct base_flow_key key;
    uint32_t user;
};

/* Takes one socket into account, and then says whether the claim is good. */
void flow_claim_consider(struct flow_claim *claim, const struct flow_socket *socket);
void flow_claim_decide(struct flow_claim *claim);

#endif
