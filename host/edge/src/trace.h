/* The path of one source port, traced hop by hop. */
#ifndef EDGE_TRACE_H
#define EDGE_TRACE_H

#include "choice.h"
#include "probe.h"

enum { PROBER_TRIES = 3 }; /* for a hop: 1 % of loss hides one once in a million */

enum trace_state { TRACE_READY, TRACE_WAITS, TRACE_ENDED };

struct trace {
    enum trace_state state;
    bool arrived;
    uint8_t tries;
    struct probe probe; /* the one that waits or is next */
    uint64_t until_ns;  /* while it waits */
    struct edge_way way;
};

void trace_begin(struct trace *trace, const struct peer_config *peer, uint16_t port);

/* The probe leaves. random: 64 bits. */
void trace_send(struct trace *trace, uint64_t random, uint64_t now_ns, uint64_t timeout_ns);

/* Goes on without an answer whose time is over. */
void trace_expire(struct trace *trace, unsigned max_ttl, uint64_t now_ns);

/* Takes an answer to its port. Returns false if none of its probes waits for it. */
bool trace_take(struct trace *trace, unsigned max_ttl, const struct probe_answer *answer);

/* What the trace says of a candidate. Of one that did not arrive the way is kept as it was. */
void trace_conclude(const struct trace *trace, struct candidate *candidate);

/* Whether what was answered has these numbers; a short quote has no nonce. */
bool probe_is_answered(const struct probe_answer *answer, uint16_t id, uint32_t nonce);

#endif
