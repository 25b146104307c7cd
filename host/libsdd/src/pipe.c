/*
 * The two-core split. The evaluating core may access all of struct sdd and is the producer of
 * grants. The transmitting core is the consumer of grants, owns `missed` and reads the versions.
 * For receipts the roles are reversed.
 *
 * The ring of receipts is never full: it has the capacity of the ring of grants, which bounds the
 * packets in flight.
 */
#include "sdd/pipe.h"

#include <stdlib.h>

#include "dataplane.h"
#include "dispatch.h"
#include "firing.h"

enum { MAX_GRANTS = 1 << 20 };

struct receipt {
    struct sdd_grant grant;
    int64_t time_ns;
    bool sent;
};

struct sdd_pipe {
    struct base_ring grants;
    struct base_ring receipts;
    struct sdd *sdd;
    uint32_t in_flight; /* evaluating core */
    /* Transmitting core: for each queue, 1 + the version of its last returned grant; 0: none. */
    _Alignas(BASE_CACHE_LINE) uint64_t *missed;
};

enum sdd_status sdd_pipe_create(struct sdd *sdd, uint32_t grants, struct sdd_pipe **created) {
    if (grants < 1 || grants > MAX_GRANTS)
        return SDD_ERR_ARGUMENT;
    if (sdd->piped)
        return SDD_ERR_BUSY;
    struct sdd_pipe *pipe = aligned_alloc(_Alignof(struct sdd_pipe), sizeof *pipe);
    if (!pipe)
        return SDD_ERR_MEMORY;
    *pipe = (struct sdd_pipe){.sdd = sdd};
    pipe->missed = calloc(sdd->limits.max_queues, sizeof *pipe->missed);
    bool grants_ready = base_ring_init(&pipe->grants, grants, sizeof(struct sdd_grant));
    bool receipts_ready = base_ring_init(&pipe->receipts, grants, sizeof(struct receipt));
    sdd->piped = true;
    if (!pipe->missed || !grants_ready || !receipts_ready) {
        sdd_pipe_destroy(pipe);
        return SDD_ERR_MEMORY;
    }
    *created = pipe;
    return SDD_OK;
}

static void take_receipts(struct sdd_pipe *pipe) {
    const struct receipt *receipt;
    while ((receipt = base_ring_front(&pipe->receipts)) != NULL) {
        if (receipt->sent)
            sdd_granted_sent(pipe->sdd, &receipt->grant, receipt->time_ns);
        else
            sdd_granted_back(pipe->sdd, &receipt->grant);
        base_ring_drop(&pipe->receipts);
        pipe->in_flight--;
    }
}

void sdd_pipe_destroy(struct sdd_pipe *pipe) {
    if (!pipe)
        return;
    const struct sdd_grant *grant;
    if (pipe->in_flight > 0)
        take_receipts(pipe);
    while (pipe->in_flight > 0 && (grant = base_ring_front(&pipe->grants)) != NULL) {
        sdd_granted_back(pipe->sdd, grant);
        base_ring_drop(&pipe->grants);
        pipe->in_flight--;
    }
    pipe->sdd->piped = false;
    base_ring_free(&pipe->grants);
    base_ring_free(&pipe->receipts);
    free(pipe->missed);
    free(pipe);
}

uint32_t sdd_pipe_fill(struct sdd_pipe *pipe, int64_t now_ns, uint32_t limit) {
    const uint32_t capacity = base_ring_capacity(&pipe->grants);
    uint32_t count = 0;
    struct sdd_grant grant;
    sdd_advance(pipe->sdd, now_ns);
    take_receipts(pipe);
    sdd_triggers_evaluate(pipe->sdd);
    while (count < limit && pipe->in_flight < capacity && sdd_grant(pipe->sdd, &grant)) {
        /* the transmitting core removed the element before it sent the receipt, so there is room */
        base_ring_push(&pipe->grants, &grant);
        pipe->in_flight++;
        count++;
    }
    return count;
}

uint32_t sdd_pipe_in_flight(const struct sdd_pipe *pipe) {
    return pipe->in_flight;
}

static void report(struct sdd_pipe *pipe, const struct sdd_grant *grant, bool sent,
                   int64_t time_ns) {
    const struct receipt receipt = {.grant = *grant, .time_ns = time_ns, .sent = sent};
    /* in this order, so that a ring slot is free when the other core learns of it */
    base_ring_drop(&pipe->grants);
    base_ring_push(&pipe->receipts, &receipt);
}

struct sdd_packet *sdd_pipe_front(struct sdd_pipe *pipe, int64_t now_ns, int64_t *next_ns) {
    const struct sdd_grant *grant;
    while ((grant = base_ring_front(&pipe->grants)) != NULL) {
        /* acquire: pairs with the release in sdd_gate_recall */
        unsigned version =
            atomic_load_explicit(&pipe->sdd->versions[grant->queue], memory_order_acquire);
        uint64_t *missed = &pipe->missed[grant->queue];
        bool stale = grant->version != version || *missed == UINT64_C(1) + grant->version;
        if (!stale && now_ns < grant->until_ns) {
            if (next_ns)
                *next_ns = grant->from_ns;
            return now_ns >= grant->from_ns ? grant->packet : NULL;
        }
        *missed = UINT64_C(1) + grant->version;
        report(pipe, grant, false, now_ns);
    }
    if (next_ns)
        *next_ns = BASE_FOREVER;
    return NULL;
}

void sdd_pipe_sent(struct sdd_pipe *pipe, int64_t time_ns) {
    report(pipe, base_ring_front(&pipe->grants), true, time_ns);
}
