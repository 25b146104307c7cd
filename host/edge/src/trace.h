/* Traces the path of one source port hop by hop. */
#ifndef EDGE_TRACE_H
#define EDGE_TRACE_H

#include "choice.h"
#include "probe.h"

enum { PROBER_TRIES = 3 }; /* per hop: with 1 % loss one in a million hops is missed */

enum trace_state { TRACE_READY, TRACE_WAITS, TRACE_ENDED };

struct trace {
    enum trace_state state;
    bool arrived;
    uint8_t tries;
    struct probe probe; /* the waiting or next probe */
    uint64_t until_ns;  /* time-out of the waiting probe */
    struct edge_route route;
};

void trace_begin(struct trace *trace, const struct peer_config *peer, uint16_t port);

/* Records that the probe is sent. random: 64 random bits. */
void trace_send(struct trace *trace, uint64_t random, uint64_t now_ns, uint64_t timeout_ns);

/* Continues after a time-out. */
void trace_expire(struct trace *trace, unsigned max_ttl, uint64_t now_ns);

/* Processes an answer to its port. Returns false if none of its probes waits for it. */
bool trace_take(struct trace *trace, unsigned max_ttl, const struct probe_answer *answer);

/* Stores the trace's result in a candidate. The route of one that did not arrive is not changed. */
void trace_conclude(const struct trace *trace, struct candidate *candidate);

/* Whether the answer has these numbers; a short quote has no nonce. */
bool probe_is_answered(const struct probe_answer *answer, uint16_t id, uint32_t nonce);

#endif
