/*
 * Schedules the probes of discovery and evaluates the answers, without sockets and clocks.
 *
 * Each peer with discovery has periodic rounds. A round begins with knocks (knock.h), for all peers
 * concurrently, those with the fewest knocks first; routes to a peer are traced only if it answers.
 * Each candidate source port is then traced separately, one probe at a time: TTL 1, 2, ... until
 * the peer answers. A hop that does not answer PROBER_TRIES probes is unknown, and the next hop is
 * tried. PROBER_ROUNDS peers are traced at a time, in the order of their answers. All peers
 * together send at most one probe every PROBER_GAP_NS; knocks and traces alternate, so that live
 * peers do not wait for dead ones. Periods and first rounds are random, which spreads hosts and
 * peers in time.
 */
#ifndef EDGE_PROBER_H
#define EDGE_PROBER_H

#include <limits.h>

#include "choice.h"
#include "trace.h"

enum {
    PROBER_GAP_NS = 1000000, /* 1,000 probes a second: 0.9 Mb/s of Ethernet */
    PROBER_ROUNDS = 16,      /* a peer behind a dead router takes long, and must not delay others */
    PROBER_SPREAD_NS =
        100000000, /* minimum spread of first rounds; larger: 2 probes for each peer */
    PROBER_LEAST_NS = 1000000000 /* minimum time until the next round after no answer */
};

/* No further action is scheduled. */
#define PROBER_NEVER UINT64_MAX

struct prober;

/* Creates a prober for the configuration's peers. Returns null if out of memory. */
struct prober *prober_create(const struct config *config, uint64_t seed, uint64_t now_ns);
void prober_free(struct prober *prober);

/* Returns the peer's candidates with their routes, one for each of its configured paths. */
struct candidate *prober_candidates(struct prober *prober, unsigned peer);

/* Schedules rounds of all peers soon; a peer with a round in progress gets another one after it. */
void prober_start_rounds(struct prober *prober, uint64_t now_ns);

/* Whether the first rounds of all peers, or rounds requested by prober_start_rounds, have not
 * ended. */
bool prober_is_pending(const struct prober *prober);

/* Returns the next probe to send in *probe; returns false if none is due. */
bool prober_send(struct prober *prober, uint64_t now_ns, struct probe *probe);

/* Processes an answer. Returns false if no probe waits for it. */
bool prober_take(struct prober *prober, uint64_t now_ns, const struct probe_answer *answer);

/*
 * Returns the next peer whose round has ended, or PROBER_NONE. Its candidates have the round's
 * results: a candidate's `key` changes with its route.
 */
#define PROBER_NONE UINT_MAX
unsigned prober_finish(struct prober *prober, uint64_t now_ns);

/* Returns the next time at which prober_send or prober_finish is due. */
uint64_t prober_next_ns(const struct prober *prober);

#endif
