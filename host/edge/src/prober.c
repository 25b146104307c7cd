#include "prober.h"

#include <stdlib.h>

#include "knock.h"
#include "trace.h"

enum target_state {
    TARGET_RESTS,
    TARGET_KNOCKS,  /* checks whether the peer answers */
    TARGET_ANSWERS, /* the peer answered, and waits for its trace */
    TARGET_TRACED
};

struct target {
    const struct peer_config *config;
    enum target_state state;
    struct knock knock;
    unsigned first;       /* first candidate of the next round's knocks */
    uint64_t answered_ns; /* orders the waiting peers */
    bool again;           /* another round follows */
    bool requested;       /* a requested round has not ended */
    unsigned failures;    /* number of successive rounds without an answer */
    uint64_t start_ns;    /* start of the next round */
    struct candidate *candidates;
    struct trace *traces;
};

struct prober {
    uint64_t random;
    uint64_t paced_ns; /* no probe is sent before this time */
    unsigned targets_count;
    unsigned traced[PROBER_ROUNDS], traced_count;
    unsigned turn;     /* the trace to check first */
    bool knocked_last; /* the last probe was a knock */
    struct target targets[];
};

/* A SplitMix64 generator. */
static uint64_t draw(struct prober *prober) {
    uint64_t z = prober->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Schedules rounds soon, but spread over time. */
static void spread(struct prober *prober, uint64_t now_ns) {
    unsigned peers = 0;
    for (unsigned i = 0; i < prober->targets_count; i++)
        peers += prober->targets[i].candidates != NULL;
    for (unsigned i = 0; i < prober->targets_count; i++) {
        struct target *target = &prober->targets[i];
        if (!target->candidates)
            continue;
        uint64_t span_ns = (uint64_t)peers * 2 * PROBER_GAP_NS;
        if (span_ns < PROBER_SPREAD_NS)
            span_ns = PROBER_SPREAD_NS;
        target->again = target->state != TARGET_RESTS;
        target->requested = true;
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

void prober_start_rounds(struct prober *prober, uint64_t now_ns) {
    spread(prober, now_ns);
}

bool prober_is_pending(const struct prober *prober) {
    for (unsigned i = 0; i < prober->targets_count; i++)
        if (prober->targets[i].requested)
            return true;
    return false;
}

/* A peer that did not answer last time gets few knocks, on different ports each time, unless
 * discovery was requested. */
static void begin_round(struct prober *prober, struct target *target) {
    const unsigned all = target->config->paths_count;
    const bool fully = target->failures == 0 || target->requested;
    target->state = TARGET_KNOCKS;
    target->again = false;
    knock_begin(&target->knock, fully && all > PROBER_TRIES ? all : PROBER_TRIES, draw(prober));
}

static void begin_trace(struct prober *prober, unsigned peer) {
    struct target *target = &prober->targets[peer];
    target->state = TARGET_TRACED;
    prober->traced[prober->traced_count++] = peer;
    for (unsigned i = 0; i < target->config->paths_count; i++)
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it has candidates */
        trace_begin(&target->traces[i], target->config, target->candidates[i].port);
}

/* Begins due rounds, and traces of peers in the order of their answers. */
static void begin_due(struct prober *prober, uint64_t now_ns) {
    for (unsigned i = 0; i < prober->targets_count; i++) {
        struct target *target = &prober->targets[i];
        if (target->candidates && target->state == TARGET_RESTS && target->start_ns <= now_ns)
            begin_round(prober, target);
    }
    while (prober->traced_count < PROBER_ROUNDS) {
        unsigned first = PROBER_NONE;
        for (unsigned i = 0; i < prober->targets_count; i++)
            if (prober->targets[i].state == TARGET_ANSWERS &&
                (first == PROBER_NONE ||
                 prober->targets[i].answered_ns < prober->targets[first].answered_ns))
                first = i;
        if (first == PROBER_NONE)
            return;
        begin_trace(prober, first);
    }
}

static struct probe send_knock(struct target *target, uint64_t now_ns) {
    struct knock *knock = &target->knock;
    const unsigned at = (target->first + knock->sent) % target->config->paths_count;
    knock_send(knock, now_ns, target->config->discover.timeout_ns);
    return (struct probe){.peer = target->config->address,
                          .nonce = knock->nonce,
                          .id = knock->id,
                          .source_port = target->candidates[at].port,
                          .ttl = target->config->discover.max_ttl};
}

/* Returns the peer with the fewest knocks among those that may be knocked now; null: none. */
static struct target *next_to_knock(struct prober *prober, uint64_t now_ns) {
    struct target *next = NULL;
    for (unsigned i = 0; i < prober->targets_count; i++) {
        struct target *target = &prober->targets[i];
        if (target->state == TARGET_KNOCKS && knock_is_ready(&target->knock, now_ns) &&
            (!next || target->knock.sent < next->knock.sent ||
             (target->knock.sent == next->knock.sent && target->start_ns < next->start_ns)))
            next = target;
    }
    return next;
}

/* Returns the next trace: peers take turns, each with its least advanced trace. Null: none is
 * ready. */
static struct trace *next_trace(struct prober *prober, uint64_t now_ns,
                                const struct target **target) {
    struct trace *next = NULL;
    for (unsigned a = 0; a < prober->traced_count; a++) {
        const unsigned at = (prober->turn + a) % prober->traced_count;
        const struct target *here = &prober->targets[prober->traced[at]];
        struct trace *ready = NULL;
        for (unsigned i = 0; i < here->config->paths_count; i++) {
            struct trace *trace = &here->traces[i];
            trace_expire(trace, here->config->discover.max_ttl, now_ns);
            if (trace->state == TRACE_READY && (!ready || trace->probe.ttl < ready->probe.ttl))
                ready = trace;
        }
        if (ready && !next) {
            next = ready;
            *target = here;
        }
    }
    return next;
}

bool prober_send(struct prober *prober, uint64_t now_ns, struct probe *probe) {
    const struct target *traced = NULL;
    begin_due(prober, now_ns);
    struct trace *trace = next_trace(prober, now_ns, &traced);
    struct target *knocked = next_to_knock(prober, now_ns);
    if ((!trace && !knocked) || now_ns < prober->paced_ns)
        return false;
    /* Knocks and traces alternate, so that live peers do not wait for dead ones, nor new peers for
     * known ones. */
    prober->knocked_last = knocked && !(trace && prober->knocked_last);
    if (prober->knocked_last) {
        *probe = send_knock(knocked, now_ns);
    } else {
        prober->turn++;
        trace_send(trace, draw(prober), now_ns, traced->config->discover.timeout_ns);
        *probe = trace->probe;
    }
    prober->paced_ns = now_ns + PROBER_GAP_NS;
    return true;
}

static struct trace *find_trace(const struct target *target, uint16_t port) {
    for (unsigned i = 0; i < target->config->paths_count; i++)
        if (target->candidates[i].port == port)
            return &target->traces[i];
    return NULL;
}

static struct target *find_target(struct prober *prober, const struct edge_address *peer) {
    for (unsigned i = 0; i < prober->targets_count; i++)
        if (prober->targets[i].state != TARGET_RESTS &&
            address_same(&prober->targets[i].config->address, peer))
            return &prober->targets[i];
    return NULL;
}

/* Only the peer's own answer proves that it is reachable, on any of its ports. */
static bool take_knock(struct target *target, const struct probe_answer *answer, uint64_t now_ns) {
    if (target->knock.sent == 0 || !find_trace(target, answer->probe.source_port) ||
        !probe_is_answered(answer, target->knock.id, target->knock.nonce))
        return false;
    if (answer->outcome != PROBE_ARRIVED)
        return true;
    if (answer->ttl_left == 0 || answer->ttl_left > target->config->discover.max_ttl)
        return false;
    target->state = TARGET_ANSWERS;
    target->answered_ns = now_ns;
    return true;
}

bool prober_take(struct prober *prober, uint64_t now_ns, const struct probe_answer *answer) {
    struct target *target = find_target(prober, &answer->probe.peer);
    if (target && target->state == TARGET_KNOCKS)
        return take_knock(target, answer, now_ns);
    struct trace *trace = target && target->state == TARGET_TRACED
                              ? find_trace(target, answer->probe.source_port)
                              : NULL;
    return trace && trace_take(trace, target->config->discover.max_ttl, answer);
}

static bool has_ended(const struct target *target) {
    for (unsigned i = 0; i < target->config->paths_count; i++)
        if (target->traces[i].state != TRACE_ENDED)
            return false;
    return true;
}

/* Periods vary by an eighth in both directions, so that hosts that started together drift apart. */
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

/* Removes and returns a traced peer whose round has ended; PROBER_NONE: none. */
static unsigned take_ended(struct prober *prober, uint64_t now_ns) {
    for (unsigned at = 0; at < prober->traced_count; at++) {
        const unsigned peer = prober->traced[at];
        if (has_ended(&prober->targets[peer])) {
            prober->traced[at] = prober->traced[--prober->traced_count];
            return peer;
        }
    }
    for (unsigned i = 0; i < prober->targets_count; i++)
        if (prober->targets[i].state == TARGET_KNOCKS &&
            knock_has_failed(&prober->targets[i].knock, now_ns))
            return i;
    return PROBER_NONE;
}

unsigned prober_finish(struct prober *prober, uint64_t now_ns) {
    const unsigned peer = take_ended(prober, now_ns);
    if (peer == PROBER_NONE)
        return PROBER_NONE;
    struct target *target = &prober->targets[peer];
    bool any = false;
    for (unsigned i = 0; i < target->config->paths_count; i++) {
        if (target->state == TARGET_TRACED)
            trace_conclude(&target->traces[i], &target->candidates[i]);
        else
            target->candidates[i].arrives = false;
        any |= target->candidates[i].arrives;
    }
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a peer with a round has candidates */
    target->first = (target->first + target->knock.sent) % target->config->paths_count;
    target->state = TARGET_RESTS;
    target->requested = target->again;
    target->failures = any ? 0 : target->failures + 1;
    target->start_ns = next_start_ns(prober, target, now_ns);
    return peer;
}

/* Returns the time of a target's next action other than a trace; a past time means at once. */
static uint64_t due_ns(const struct prober *prober, const struct target *target) {
    switch (target->state) {
    case TARGET_RESTS:
        return target->candidates ? target->start_ns : PROBER_NEVER;
    case TARGET_KNOCKS: {
        const struct knock *knock = &target->knock;
        if (knock->sent < knock->wanted &&
            (knock->sent < knock->together || knock->until_ns < prober->paced_ns))
            return prober->paced_ns;
        return knock->until_ns;
    }
    case TARGET_ANSWERS:
        return prober->traced_count < PROBER_ROUNDS ? 0 : PROBER_NEVER;
    case TARGET_TRACED:
        break;
    }
    return PROBER_NEVER;
}

uint64_t prober_next_ns(const struct prober *prober) {
    uint64_t next_ns = PROBER_NEVER;
    for (unsigned i = 0; i < prober->targets_count; i++) {
        const uint64_t due = due_ns(prober, &prober->targets[i]);
        next_ns = due < next_ns ? due : next_ns;
    }
    for (unsigned a = 0; a < prober->traced_count; a++) {
        const struct target *target = &prober->targets[prober->traced[a]];
        if (has_ended(target))
            return 0;
        for (unsigned i = 0; i < target->config->paths_count; i++) {
            const struct trace *trace = &target->traces[i];
            if (trace->state != TRACE_ENDED) {
                const uint64_t due =
                    trace->state == TRACE_READY ? prober->paced_ns : trace->until_ns;
                next_ns = due < next_ns ? due : next_ns;
            }
        }
    }
    return next_ns;
}
