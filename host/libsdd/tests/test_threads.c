/*
 * The two-core split on two threads, between which packets circulate. run-tests also builds it with
 * ThreadSanitizer. The test has its own clock: the evaluating thread advances it, but not far
 * beyond the time that the transmitting thread has seen, so that slots are not always missed if
 * both threads share a core.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/ring.h"
#include "sdd/pipe.h"
#include "support.h"

enum {
    QUEUES = 4,
    FLOWS = 8,
    IN_CIRCULATION = 256,
    TO_SEND = 15000,
    GRANTS = 32,
    PERIOD_NS = 40, /* queue 1 may send in the first half of each */
    SLOT_NS = PERIOD_NS / 2,
    GAP_NS = 7, /* of queue 2 */
    LEAD_NS = 30
};

struct traveller {
    struct sdd_packet packet; /* first: their addresses are the same */
    unsigned flow;
    unsigned number; /* within its flow */
};

struct stress {
    struct sdd *sdd;
    struct sdd_pipe *pipe;
    struct base_ring home; /* packets sent, for reuse */
    atomic_bool done;
    atomic_llong now_ns;  /* written by the evaluating thread */
    atomic_llong seen_ns; /* written by the transmitting thread */

    /* owned by the transmitting thread */
    unsigned expected[FLOWS];
    unsigned sent, out_of_order, out_of_slot, too_close;
    int64_t last_paced_ns;
};

static void check(struct stress *stress, const struct traveller *traveller, int64_t now_ns) {
    unsigned queue = traveller->flow / 2;
    stress->out_of_order += traveller->number != stress->expected[traveller->flow]++;
    if (queue == 1)
        stress->out_of_slot += now_ns % PERIOD_NS >= SLOT_NS;
    if (queue == 2) {
        stress->too_close += now_ns - stress->last_paced_ns < GAP_NS;
        stress->last_paced_ns = now_ns;
    }
}

static void *transmit(void *argument) {
    struct stress *stress = argument;
    while (!atomic_load(&stress->done)) {
        int64_t now_ns = atomic_load(&stress->now_ns);
        struct sdd_packet *packet = sdd_pipe_front(stress->pipe, now_ns, NULL);
        if (!packet) {
            atomic_store(&stress->seen_ns, now_ns);
            sched_yield();
            continue;
        }
        check(stress, (const struct traveller *)(const void *)packet, now_ns);
        sdd_pipe_sent(stress->pipe, now_ns);
        base_ring_push(&stress->home, &packet);
        stress->sent++;
    }
    return NULL;
}

static void set_up(struct stress *stress) {
    const struct sdd_limits limits = {.max_queues = QUEUES,
                                      .max_flows = FLOWS,
                                      .max_mappings = 2 * QUEUES,
                                      .max_slots = 64,
                                      .max_conditions = 4,
                                      .max_events = 64};
    const struct sdd_queue_config plain = {.get_next = sdd_next_round_robin};
    struct sdd_program paced = condition("currTime - lastXmitTime >= %d", GAP_NS);
    stress->last_paced_ns = -GAP_NS;
    assert_int_equal(sdd_create(&limits, &stress->sdd), SDD_OK);
    for (unsigned q = 0; q < QUEUES; q++) {
        struct sdd_match to = sdd_match_to_ipv4(0x0a000100 + q, 32);
        assert_int_equal(sdd_open_queue(stress->sdd, q, &plain), SDD_OK);
        assert_int_equal(sdd_map_flow(stress->sdd, q, &to, 0, 0), SDD_OK);
    }
    assert_int_equal(sdd_add_dequeue_condition(stress->sdd, 2, &paced, 0), SDD_OK);
    assert_int_equal(sdd_pipe_create(stress->sdd, GRANTS, &stress->pipe), SDD_OK);
    assert_true(base_ring_init(&stress->home, IN_CIRCULATION, sizeof(struct sdd_packet *)));
}

static void both_threads_keep_order_slots_and_rates(void **state) {
    (void)state;
    static struct stress stress;
    static struct traveller travellers[IN_CIRCULATION];
    struct random random = {seed()};
    unsigned numbers[FLOWS] = {0}, put = 0, recalls = 0;
    bool stopped = false;
    pthread_t thread;
    set_up(&stress);
    int64_t next_slot_ns = 0, now_ns = 0;
    for (unsigned i = 0; i < IN_CIRCULATION; i++) {
        struct sdd_packet *packet = &travellers[i].packet;
        assert_true(base_ring_push(&stress.home, &packet));
    }
    assert_int_equal(pthread_create(&thread, NULL, transmit, &stress), 0);
    struct sdd_program always = condition("TRUE"), never = condition("FALSE");
    for (unsigned back = 0; back < TO_SEND;) {
        if (now_ns < atomic_load(&stress.seen_ns) + LEAD_NS)
            atomic_store(&stress.now_ns, now_ns += random_between(&random, 0, 2));
        struct sdd_packet *const *home;
        while (next_slot_ns < now_ns + INT64_C(4) * PERIOD_NS) {
            struct sdd_window slot = {next_slot_ns, next_slot_ns + SLOT_NS};
            assert_int_equal(sdd_add_slot(stress.sdd, 1, slot, now_ns), SDD_OK);
            next_slot_ns += PERIOD_NS;
        }
        if (random_one_in(&random, 50)) {
            stopped = !stopped;
            recalls += stopped && sdd_pipe_in_flight(stress.pipe) > 0;
            assert_int_equal(
                sdd_add_dequeue_condition(stress.sdd, 0, stopped ? &never : &always, now_ns),
                SDD_OK);
        }
        /* a packet is queued again only after its receipt */
        if (sdd_pipe_fill(stress.pipe, now_ns, GRANTS) == 0)
            sched_yield();
        for (unsigned i = 0; i < 8 && (home = base_ring_front(&stress.home)) != NULL; i++) {
            struct traveller *traveller = (struct traveller *)(void *)*home;
            base_ring_drop(&stress.home);
            back += put >= IN_CIRCULATION;
            traveller->flow = (unsigned)random_between(&random, 0, FLOWS - 1);
            traveller->number = numbers[traveller->flow]++;
            traveller->packet = (struct sdd_packet){
                .key = flow_key(traveller->flow / 2, (uint16_t)(traveller->flow % 2)),
                .bytes = 1500};
            assert_int_equal(sdd_enqueue(stress.sdd, &traveller->packet, now_ns), SDD_OK);
            put++;
        }
    }
    atomic_store(&stress.done, true);
    pthread_join(thread, NULL);
    sdd_pipe_destroy(stress.pipe);
    int64_t left = 0, sent = 0;
    for (unsigned q = 0; q < QUEUES; q++) {
        left += sdd_stats(stress.sdd, q)->packets;
        sent += sdd_stats(stress.sdd, q)->sent_packets;
    }
    fprintf(stderr, "%u sent, %u stops with packets in flight\n", stress.sent, recalls);
    assert_int_equal(sent, stress.sent);
    assert_int_equal(sent + left, put);
    assert_int_equal(stress.out_of_order, 0);
    assert_int_equal(stress.out_of_slot, 0);
    assert_int_equal(stress.too_close, 0);
    assert_true(recalls > 0);
    base_ring_free(&stress.home);
    sdd_destroy(stress.sdd);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_threads_keep_order_slots_and_rates),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
