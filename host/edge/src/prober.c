#include "prober.h"

#include <stdlib.h>

_Static_assert(MAX_TTL <= EDGE_HOPS, "a way has room for all hops");

enum trace_state { TRACE_READY, TRACE_WAITS, TRACE_ENDED };

/* A source port in a round. */
struct trace {
    enum trace_state state;
    bool arrived;
    uint8_t tries;
    struct probe probe; /* the one that waits or is next */
    uint64_t until_ns;  /* while it waits */
    struct edge_way way;
};

struct target {
    const struct peer_config *config;
    bool active;       /* a round is under way */
    bool again;        /* another one is to follow */
    bool asked;        /* for a round that has not ended */
    unsigned failures; /* rounds in a row that the peer did not answer in */
    uint64_t start_ns; /* of the next round */
    struct candidate *candidates;
    struct trace *traces;
};

struct prober {
    uint64_t random;
    uint64_t paced_ns; /* before this nothing leaves */
    unsigned targets_count;
    unsigned active[PROBER_ROUNDS], active_count;
    unsigned turn; /* which trace is looked at first */
    struct target targets[];
};

/* SplitMix64. */
static uint64_t draw(struct prober *prober) {
    uint64_t z = prober->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Soon, and not all at once. */
static void spread(struct prober *prober, uint64_t now_ns) {
    unsigned peers = 0;
    for (unsigned i = 0; i < prober->targets_count; i++)
        peers += prober->targets[i].candidates != NULL;
    for (unsigned i = 0; i < prober->targets_count; i++) {
        struct target *target = &prober->targets[i];
        if (!target->candidates)
            continue;
        uint64_t span_ns = (uint64_t)peers * PROBER_SPREAD_NS;
        if (span_ns > target->config->discover.period_ns)
            span_ns = target->config->discover.period_ns;
        target->again = target->active;
        target->asked = true;
        target->start_ns = now_ns + draw(prober) % span_ns;
    }
}

struct prober *prober_create(const struct config *config, uint64_t seed, uint64_t now_ns) {
    struct prober *prober =
        calloc(1, sizeof *prober + config->peers_count * sizeof *prober->targets);
    if (!prober)
        return NULL;
    prober->random = seed;
    prober->targets_count = config->peers_count;
    for (unsigned i = 0; i < config->peers_count; i++) {
        const struct peer_config *peer = &config->peers[i];
        struct target *target = &prober->targets[i];
        target->config = peer;
        if (peer->discover.paths == 0)
            continue;
        target->candidates = calloc(peer->paths_count, sizeof *target->candidates);
        target->traces = calloc(peer->paths_count, sizeof *target->traces);
        if (!target->candidates || !target->traces) {
            prober_free(prober);
            return NULL;
        }
        for (unsigned p = 0; p < peer->paths_count; p++)
            target->candidates[p].port = peer->paths[p].port;
    }
    spread(prober, now_ns);
    return prober;
}

void prober_free(struct prober *prober) {
    for (unsigned i = 0; prober && i < prober->targets_count; i++) {
        free(prober->targets[i].candidates);
        free(prober->targets[i].traces);
    }
    free(prober);
}

struct candidate *prober_candidates(struct prober *prober, unsigned peer) {
    return prober->targets[peer].candidates;
}

void prober_hurry(struct prober *prober, uint64_t now_ns) {
    spread(prober, now_ns);
}

bool prober_is_asked(const struct prober *prober) {
    for (unsigned i = 0; i < prober->targets_count; i++)
        if (prober->targets[i].asked)
            return true;
    return false;
}

/* The peer whose round is to begin first; PROBER_NONE if there is none or no room for one. */
static unsigned first_to_start(const struct prober *prober) {
    unsigned first = PROBER_NONE;
    for (unsigned i = 0; i < prober->targets_count; i++) {
        const struct target *target = &prober->targets[i];
        if (target->candidates && !target->active &&
            (first == PROBER_NONE || target->start_ns < prober->targets[first].start_ns))
            first = i;
    }
    return prober->active_count < PROBER_ROUNDS ? first : PROBER_NONE;
}

static void begin_round(struct prober *prober, unsigned peer) {
    struct target *target = &prober->targets[peer];
    target->active = true;
    target->again = false;
    prober->active[prober->active_count++] = peer;
    for (unsigned i = 0; i < target->config->paths_count; i++)
        target->traces[i] = (struct trace){.probe = {.peer = target->config->address,
                                                     .source_port = target->candidates[i].port,
                                                     .ttl = 1}};
}

/* The hop at the current TTL is found, or stays unknown: none. */
static void advance(const struct target *target, struct trace *trace, struct edge_address hop) {
    trace->way.hops[trace->way.length++] = hop;
    trace->tries = 0;
    trace->state =
        trace->probe.ttl++ < target->config->discover.max_ttl ? TRACE_READY : TRACE_ENDED;
}

static void expire(const struct target *target, struct trace *trace, uint64_t now_ns) {
    if (trace->state != TRACE_WAITS || now_ns < trace->until_ns)
        return;
    if (trace->tries < PROBER_TRIES)
        trace->state = TRACE_READY;
    else
        advance(target, trace, (struct edge_address){0});
}

static void send_probe(struct prober *prober, const struct target *target, struct trace *trace,
                       uint64_t now_ns) {
    /* Drawn once for a hop: an answer to the first try counts after the second too. */
    if (trace->tries++ == 0) {
        const uint64_t drawn = draw(prober);
        trace->probe.nonce = (uint32_t)drawn ? (uint32_t)drawn : 1;
        trace->probe.id = (uint16_t)(1 + (drawn >> 32) % UINT16_MAX);
    }
    trace->state = TRACE_WAITS;
    trace->until_ns = now_ns + target->config->discover.timeout_ns;
    prober->paced_ns = now_ns + PROBER_GAP_NS;
}

bool prober_send(struct prober *prober, uint64_t now_ns, struct probe *probe) {
    unsigned starting;
    while ((starting = first_to_start(prober)) != PROBER_NONE &&
           prober->targets[starting].start_ns <= now_ns)
        begin_round(prober, starting);
    /* Peers take turns, and of each the trace that is behind the others. */
    struct trace *next = NULL;
    const struct target *target = NULL;
    for (unsigned a = 0; a < prober->active_count; a++) {
        const unsigned at = (prober->turn + a) % prober->active_count;
        const struct target *here = &prober->targets[prober->active[at]];
        struct trace *ready = NULL;
        for (unsigned i = 0; i < here->config->paths_count; i++) {
            struct trace *trace = &here->traces[i];
            expire(here, trace, now_ns);
            if (trace->state == TRACE_READY && (!ready || trace->probe.ttl < ready->probe.ttl))
                ready = trace;
        }
        if (ready && !next) {
            next = ready;
            target = here;
        }
    }
    if (!next || now_ns < prober->paced_ns)
        return false;
    prober->turn++;
    send_probe(prober, target, next, now_ns);
    *probe = next->probe;
    return true;
}

static struct trace *find_trace(const struct target *target, uint16_t port) {
    for (unsigned i = 0; i < target->config->paths_count; i++)
        if (target->candidates[i].port == port)
            return &target->traces[i];
    return NULL;
}

/*
 * The peer has it. How far it is says the TTL that was left: answers to probes that ran out there
 * may have been lost, as when the peer's own paths lead over a dead router.
 */
static bool arrive(struct trace *trace, const struct probe_answer *answer) {
    if (answer->ttl_left == 0 || answer->ttl_left > trace->probe.ttl)
        return false;
    const uint32_t before = trace->probe.ttl - answer->ttl_left; /* routers */
    for (uint32_t i = before; i < trace->way.length; i++)
        trace->way.hops[i] = (struct edge_address){0};
    trace->way.hops[before] = answer->from;
    trace->way.length = before + 1;
    trace->arrived = true;
    return true;
}

bool prober_take(struct prober *prober, const struct probe_answer *answer) {
    const struct target *target = NULL;
    for (unsigned a = 0; a < prober->active_count && !target; a++)
        if (address_same(&prober->targets[prober->active[a]].config->address, &answer->probe.peer))
            target = &prober->targets[prober->active[a]];
    struct trace *trace = target ? find_trace(target, answer->probe.source_port) : NULL;
    if (!trace || trace->state == TRACE_ENDED || trace->tries == 0 ||
        trace->probe.id != answer->probe.id || address_is_any(&answer->from) ||
        (answer->probe.nonce != 0 && trace->probe.nonce != answer->probe.nonce))
        return false;
    if (answer->outcome == PROBE_PASSED) {
        advance(target, trace, answer->from);
        return true;
    }
    if (answer->outcome == PROBE_ARRIVED && !arrive(trace, answer))
        return false;
    trace->state = TRACE_ENDED;
    return true;
}

/* What a round says of a candidate. Of one that did not arrive the way is kept as it was. */
static void conclude(const struct trace *trace, struct candidate *candidate) {
    candidate->arrives = trace->arrived;
    if (!trace->arrived)
        return;
    const struct edge_way before = candidate->way;
    candidate->way = trace->way;
    if (way_agrees(&candidate->way, &before))
        way_complete(&candidate->way, &before);
    else
        candidate->key = way_key(&candidate->way, candidate->port);
}

static bool has_ended(const struct target *target) {
    for (unsigned i = 0; i < target->config->paths_count; i++)
        if (target->traces[i].state != TRACE_ENDED)
            return false;
    return true;
}

/* Periods differ by an eighth to either side, so that hosts started together drift apart. */
static uint64_t next_start_ns(struct prober *prober, const struct target *target, uint64_t now_ns) {
    const uint64_t period_ns = target->config->discover.period_ns;
    if (target->again)
        return now_ns;
    if (target->failures > 0) {
        const unsigned doublings = target->failures < 32 ? target->failures - 1 : 31;
        const uint64_t soon_ns = (uint64_t)PROBER_LEAST_NS << doublings;
        if (soon_ns < period_ns)
            return now_ns + soon_ns;
    }
    return now_ns + period_ns - period_ns / 8 + draw(prober) % (period_ns / 4);
}

unsigned prober_finish(struct prober *prober, uint64_t now_ns) {
    unsigned at = 0;
    while (at < prober->active_count && !has_ended(&prober->targets[prober->active[at]]))
        at++;
    if (at == prober->active_count)
        return PROBER_NONE;
    const unsigned peer = prober->active[at];
    struct target *target = &prober->targets[peer];
    bool any = false;
    for (unsigned i = 0; i < target->config->paths_count; i++) {
        conclude(&target->traces[i], &target->candidates[i]);
        any |= target->candidates[i].arrives;
    }
    prober->active[at] = prober->active[--prober->active_count];
    target->active = false;
    target->asked = target->again;
    target->failures = any ? 0 : target->failures + 1;
    target->start_ns = next_start_ns(prober, target, now_ns);
    return peer;
}

uint64_t prober_next_ns(const struct prober *prober) {
    const unsigned starting = first_to_start(prober);
    uint64_t next_ns = starting == PROBER_NONE ? PROBER_NEVER : prober->targets[starting].start_ns;
    for (unsigned a = 0; a < prober->active_count; a++) {
        const struct target *target = &prober->targets[prober->active[a]];
        if (has_ended(target))
            return 0;
        for (unsigned i = 0; i < target->config->paths_count; i++) {
            const struct trace *trace = &target->traces[i];
            if (trace->state != TRACE_ENDED) {
                const uint64_t due_ns =
                    trace->state == TRACE_READY ? prober->paced_ns : trace->until_ns;
                next_ns = due_ns < next_ns ? due_ns : next_ns;
            }
        }
    }
    return next_ns;
}
