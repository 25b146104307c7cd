/*
 * Determines the user that owns a flow. A user may map flows of its own sockets: a match names a
 * protocol and a source port, and all sockets at that port that can send such packets must belong
 * to the user. A query to the kernel (SOCK_DIAG) lists them in the network namespace of the TAP
 * device, because in its own namespace a user could have any address and port.
 */
#ifndef SDD_HOST_FLOW_OWNER_H
#define SDD_HOST_FLOW_OWNER_H

#include <stdbool.h>
#include <stdint.h>

#include "sdd/match.h"

struct flow_claim {
    const struct sdd_match *match;
    uint32_t user;
    bool good; /* the result */
    /* state while the kernel's list is read */
    bool own, foreign;             /* a socket at the port may send some of these flows */
    bool own_exact, foreign_exact; /* a connected socket has exactly this flow */
};

/* Whether sockets can prove the ownership of a match: it has TCP or UDP and a source port. */
bool flow_can_be_claimed(const struct sdd_match *match);

/*
 * Checks all claims against the existing sockets with one query. Moves the calling thread into the
 * network namespace of the TAP device. Returns false with errno if the kernel did not answer; no
 * claim is good then.
 */
bool flow_owner_check(int tap, struct flow_claim *claims, unsigned count);

/* A socket: local and remote address and port as source and destination; zero: any. */
struct flow_socket {
    struct base_flow_key key;
    uint32_t user;
};

/* Updates the claim with one socket, including the result. */
void flow_claim_consider(struct flow_claim *claim, const struct flow_socket *socket);
void flow_claim_decide(struct flow_claim *claim);

#endif
