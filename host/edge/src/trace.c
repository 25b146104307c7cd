#include "trace.h"

_Static_assert(MAX_TTL <= EDGE_HOPS, "a route has room for all hops");

void trace_begin(struct trace *trace, const struct peer_config *peer, uint16_t port) {
    *trace = (struct trace){.probe = {.peer = peer->address, .source_port = port, .ttl = 1}};
}

/* Records the hop at the current TTL and continues with the next. hop: family 0 if unknown. */
static void advance(struct trace *trace, unsigned max_ttl, struct edge_address hop) {
    trace->route.hops[trace->route.length++] = hop;
    trace->tries = 0;
    trace->state = trace->probe.ttl++ < max_ttl ? TRACE_READY : TRACE_ENDED;
}

void trace_expire(struct trace *trace, unsigned max_ttl, uint64_t now_ns) {
    if (trace->state != TRACE_WAITS || now_ns < trace->until_ns)
        return;
    if (trace->tries < PROBER_TRIES)
        trace->state = TRACE_READY;
    else
        advance(trace, max_ttl, (struct edge_address){0});
}

void trace_send(struct trace *trace, uint64_t random, uint64_t now_ns, uint64_t timeout_ns) {
    /* Drawn once for each hop: an answer to the first try is accepted after the second, too. */
    if (trace->tries++ == 0) {
        trace->probe.nonce = (uint32_t)random ? (uint32_t)random : 1;
        trace->probe.id = (uint16_t)(1 + (random >> 32) % UINT16_MAX);
    }
    trace->state = TRACE_WAITS;
    trace->until_ns = now_ns + timeout_ns;
}

/*
 * Ends the trace at the peer. The remaining TTL gives its distance, because answers to probes that
 * expired there may have been lost, for example if the peer's own paths use a dead router.
 */
static bool arrive(struct trace *trace, const struct probe_answer *answer) {
    if (answer->ttl_left == 0 || answer->ttl_left > trace->probe.ttl)
        return false;
    const uint32_t before = trace->probe.ttl - answer->ttl_left; /* number of routers */
    for (uint32_t i = before; i < trace->route.length; i++)
        trace->route.hops[i] = (struct edge_address){0};
    trace->route.hops[before] = answer->from;
    trace->route.length = before + 1;
    trace->arrived = true;
    return true;
}

bool probe_is_answered(const struct probe_answer *answer, uint16_t id, uint32_t nonce) {
    return answer->probe.id == id && !address_is_any(&answer->from) &&
           (answer->probe.nonce == 0 || answer->probe.nonce == nonce);
}

bool trace_take(struct trace *trace, unsigned max_ttl, const struct probe_answer *answer) {
    if (trace->state == TRACE_ENDED || trace->tries == 0 ||
        !probe_is_answered(answer, trace->probe.id, trace->probe.nonce))
        return false;
    if (answer->outcome == PROBE_PASSED) {
        advance(trace, max_ttl, answer->from);
        return true;
    }
    if (answer->outcome == PROBE_ARRIVED && !arrive(trace, answer))
        return false;
    trace->state = TRACE_ENDED;
    return true;
}

void trace_conclude(const struct trace *trace, struct candidate *candidate) {
    candidate->arrives = trace->arrived;
    if (!trace->arrived)
        return;
    const struct edge_route before = candidate->route;
    candidate->route = trace->route;
    if (route_agrees(&candidate->route, &before))
        route_complete(&candidate->route, &before);
    else
        candidate->key = route_key(&candidate->route, candidate->port);
}
