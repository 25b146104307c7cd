/*
 * Decides when which probe leaves, and evaluates answers: discovery without sockets and clocks.
 *
 * For each peer whose paths are to be discovered there is a round now and then. It begins with
 * knocks (knock.h), to all peers at once, those that were asked least first; a peer that answers
 * none has none of its ways traced. Of one that does, every candidate source port is traced by
 * itself, one probe at a time: TTL 1, 2, ... until the peer answers. A hop that does not answer
 * TRIES probes is not known, and the next one is tried. PROBER_ROUNDS peers are traced at a time,
 * in the order of their answers. All peers together send one probe every PROBER_GAP_NS at most,
 * knocks and traces in turn, so that peers that live do not wait for the dead. Periods and first
 * rounds are drawn at random, so that hosts and peers spread out.
 */
#ifndef EDGE_PROBER_H
#define EDGE_PROBER_H

#include <limits.h>

#include "choice.h"
#include "trace.h"

enum {
    PROBER_GAP_NS = 1000000,      /* 1,000 probes a second: 0.9 Mb/s of Ethernet */
    PROBER_ROUNDS = 16,           /* one with a dead router takes long, and holds up no others */
    PROBER_SPREAD_NS = 100000000, /* of first rounds at the least, or 2 probes for each peer */
    PROBER_LEAST_NS = 1000000000  /* until the next round, where the peer did not answer */
};

/* Nothing is to come. */
#define PROBER_NEVER UINT64_MAX

struct prober;

/* For the configuration's peers, at the time now. Null: out of memory. */
struct prober *prober_create(const struct config *config, uint64_t seed, uint64_t now_ns);
void prober_free(struct prober *prober);

/* What is known of the peer's candidates, one for each of its configured paths. */
struct candidate *prober_candidates(struct prober *prober, unsigned peer);

/* Starts the rounds of all peers soon; a peer with a round in progress gets another one after
 * it. */
void prober_hurry(struct prober *prober, uint64_t now_ns);

/* Whether the first rounds of all peers, or those that prober_hurry asked for, have not ended. */
bool prober_is_asked(const struct prober *prober);

/* The next probe to send now; false: there is none now. */
bool prober_send(struct prober *prober, uint64_t now_ns, struct probe *probe);

/* Takes an answer. Returns false if no probe waits for it. */
bool prober_take(struct prober *prober, uint64_t now_ns, const struct probe_answer *answer);

/*
 * The next peer whose round has ended, PROBER_NONE if there is none. Its candidates are as the
 * round found them: `key` is another one where the way is.
 */
#define PROBER_NONE UINT_MAX
unsigned prober_finish(struct prober *prober, uint64_t now_ns);

/* When prober_send or prober_finish has something to do again. */
uint64_t prober_next_ns(const struct prober *prober);

#endif
