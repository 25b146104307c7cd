/* The two-core split with both cores in one thread, so that the test chooses the interleaving. */
#include <stdio.h>
#include <string.h>

#include "sdd/pipe.h"
#include "support.h"

enum { QUEUES = 4, PACKETS = 3000, FLOWS = 8 };
/* Queue 1: the packet switch's delay, and the interval between packets of 100 bytes. */
enum { PACKET_DELAY_NS = 12, PACKET_GAP_NS = 20 };
#define PACKET_RATE_BPS INT64_C(40000000000)

struct split {
    struct sdd *sdd;
    struct sdd_pipe *pipe;
    struct sdd_packet packets[PACKETS];
    unsigned flow_of[PACKETS];
    unsigned arrived, sent;
    int64_t last_of_flow[FLOWS]; /* number of the packet sent last; -1: none */
};

/* Creates the dataplane, in which queue q has the flows to host q. grants: of the pipe. */
static void split_up(struct split *split, uint32_t grants) {
    const struct sdd_limits limits = {.max_queues = QUEUES,
                                      .max_flows = FLOWS,
                                      .max_mappings = 2 * QUEUES,
                                      .max_slots = 4000,
                                      .max_conditions = 8,
                                      .max_events = 1};
    const struct sdd_queue_config shut = {.closed_by_default = true};
    memset(split, 0, sizeof *split);
    memset(split->last_of_flow, 0xff, sizeof split->last_of_flow);
    assert_int_equal(sdd_create(&limits, &split->sdd), SDD_OK);
    for (unsigned q = 0; q < QUEUES; q++) {
        struct sdd_match to = sdd_match_to_ipv4(0x0a000100 + q, 32);
        assert_int_equal(sdd_open_queue(split->sdd, q, &shut), SDD_OK);
        assert_int_equal(sdd_map_flow(split->sdd, q, &to, 0, 0), SDD_OK);
    }
    assert_int_equal(sdd_pipe_create(split->sdd, grants, &split->pipe), SDD_OK);
}

static void split_down(struct split *split) {
    sdd_pipe_destroy(split->pipe);
    sdd_destroy(split->sdd);
}

/* Queues a packet of one of two flows to the host. */
static void arrive(struct split *split, unsigned host, unsigned which, int64_t now_ns) {
    struct sdd_packet *packet = &split->packets[split->arrived];
    *packet = (struct sdd_packet){.key = flow_key(host, (uint16_t)which), .bytes = 100};
    split->flow_of[split->arrived++] = 2 * host + which;
    assert_int_equal(sdd_enqueue(split->sdd, packet, now_ns), SDD_OK);
}

/* Runs the transmitting core at now_ns. Returns the packet that it sends, or -1; checks the order
 * within flows. */
static int transmit(struct split *split, int64_t now_ns) {
    struct sdd_packet *packet = sdd_pipe_front(split->pipe, now_ns, NULL);
    if (!packet)
        return -1;
    int number = (int)(packet - split->packets);
    int64_t *last = &split->last_of_flow[split->flow_of[number]];
    assert_true(number > *last);
    *last = number;
    split->sent++;
    sdd_pipe_sent(split->pipe, now_ns);
    return number;
}

static void start(struct split *split, unsigned queue, int64_t now_ns) {
    struct sdd_program always = condition("TRUE");
    assert_int_equal(sdd_add_dequeue_condition(split->sdd, queue, &always, now_ns), SDD_OK);
}

static void stop(struct split *split, unsigned queue, int64_t now_ns) {
    struct sdd_program never = condition("FALSE");
    assert_int_equal(sdd_add_dequeue_condition(split->sdd, queue, &never, now_ns), SDD_OK);
}

static void stop_reaches_packets_in_flight(void **state) {
    (void)state;
    static struct split split;
    split_up(&split, 16);
    for (unsigned i = 0; i < 6; i++)
        arrive(&split, 1, i % 2, 0);
    start(&split, 1, 0);
    assert_int_equal(sdd_pipe_fill(split.pipe, 0, 100), 6);
    assert_int_equal(sdd_stats(split.sdd, 1)->packets, 0);
    assert_int_equal(transmit(&split, 1), 0);
    stop(&split, 1, 2);
    assert_int_equal(transmit(&split, 2), -1);
    /* START again: no packet until all have returned, then in order */
    start(&split, 1, 3);
    assert_int_equal(sdd_pipe_in_flight(split.pipe), 6);
    assert_int_equal(sdd_pipe_fill(split.pipe, 3, 100), 5);
    assert_int_equal(sdd_stats(split.sdd, 1)->sent_packets, 1);
    for (int i = 1; i < 6; i++)
        assert_int_equal(transmit(&split, 4), i);
    split_down(&split);
}

static void a_packet_too_late_for_its_slot_waits_for_the_next(void **state) {
    (void)state;
    static struct split split;
    int64_t next_ns;
    split_up(&split, 16);
    assert_int_equal(sdd_add_slot(split.sdd, 1, (struct sdd_window){100, 200}, 0), SDD_OK);
    assert_int_equal(sdd_add_slot(split.sdd, 1, (struct sdd_window){300, 400}, 0), SDD_OK);
    for (unsigned i = 0; i < 3; i++)
        arrive(&split, 1, 0, 0);
    /* in advance: granted for 100, and not sent earlier */
    assert_int_equal(sdd_pipe_fill(split.pipe, 100, 2), 2);
    assert_null(sdd_pipe_front(split.pipe, 99, &next_ns));
    assert_int_equal(next_ns, 100);
    assert_int_equal(transmit(&split, 100), 0);
    /* the third is granted for the second slot while the second has missed the first */
    assert_int_equal(sdd_pipe_fill(split.pipe, 300, 1), 1);
    assert_int_equal(transmit(&split, 300), -1);
    assert_null(sdd_pipe_front(split.pipe, 300, &next_ns));
    assert_int_equal(next_ns, BASE_FOREVER);
    assert_int_equal(sdd_pipe_fill(split.pipe, 310, 9), 2);
    assert_int_equal(transmit(&split, 310), 1);
    assert_int_equal(transmit(&split, 399), 2);
    split_down(&split);
}

static void a_paced_queue_waits_for_the_time_of_transmission(void **state) {
    (void)state;
    static struct split split;
    struct sdd_program rate = condition("currTime - lastXmitTime > 50");
    split_up(&split, 16);
    assert_int_equal(sdd_add_dequeue_condition(split.sdd, 1, &rate, 0), SDD_OK);
    for (unsigned i = 0; i < 3; i++)
        arrive(&split, 1, 0, 60);
    assert_int_equal(sdd_pipe_fill(split.pipe, 60, 9), 1);
    assert_int_equal(transmit(&split, 90), 0); /* late */
    assert_int_equal(sdd_pipe_fill(split.pipe, 140, 9), 0);
    assert_int_equal(sdd_pipe_fill(split.pipe, 141, 9), 1);
    split_down(&split);
}

static void a_moved_flow_waits_for_its_packets_in_flight(void **state) {
    (void)state;
    static struct split split;
    struct sdd_match to_1 = sdd_match_to_ipv4(0x0a000101, 32);
    split_up(&split, 16);
    for (unsigned i = 0; i < 4; i++)
        arrive(&split, 1, 0, 0);
    start(&split, 1, 0);
    start(&split, 2, 0);
    assert_int_equal(sdd_pipe_fill(split.pipe, 0, 2), 2);
    assert_int_equal(sdd_move_flows(split.sdd, 1, 2, &to_1, 1), SDD_OK);
    assert_int_equal(sdd_stats(split.sdd, 2)->packets, 2);
    assert_int_equal(sdd_pipe_fill(split.pipe, 1, 9), 0);
    assert_int_equal(transmit(&split, 2), -1);
    assert_int_equal(sdd_pipe_fill(split.pipe, 3, 9), 4);
    assert_int_equal(sdd_stats(split.sdd, 1)->packets, 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(transmit(&split, 4), i);
    split_down(&split);
}

static void destroying_the_pipe_returns_what_is_in_flight(void **state) {
    (void)state;
    static struct split split;
    struct sdd_pipe *second;
    split_up(&split, 4);
    assert_int_equal(sdd_pipe_create(split.sdd, 4, &second), SDD_ERR_BUSY);
    for (unsigned i = 0; i < 5; i++)
        arrive(&split, 1, 0, 0);
    start(&split, 1, 0);
    assert_int_equal(sdd_pipe_fill(split.pipe, 0, 9), 4); /* its capacity */
    assert_int_equal(transmit(&split, 0), 0);
    sdd_pipe_destroy(split.pipe);
    assert_int_equal(sdd_stats(split.sdd, 1)->sent_packets, 1);
    for (int i = 1; i < 5; i++)
        assert_ptr_equal(sdd_dequeue(split.sdd, 1), &split.packets[i]);
    assert_int_equal(sdd_pipe_create(split.sdd, 0, &split.pipe), SDD_ERR_ARGUMENT);
    assert_int_equal(sdd_pipe_create(split.sdd, 1, &split.pipe), SDD_OK);
    split_down(&split);
}

/* The calls to the evaluating core, against which transmissions are checked. */
struct told {
    bool started[QUEUES];
    bool slotted[QUEUES];
    struct sdd_window slots[QUEUES][2000];
    unsigned slot_count[QUEUES];
    struct sdd_window packet_slots[2000]; /* of queue 1 */
    unsigned packet_slot_count, by_slots;
    int64_t last_packet_ns; /* last transmission by the packet switch */
    int64_t last_sent[QUEUES], gap_ns[QUEUES];
};

static bool in_one_of(const struct sdd_window *slots, unsigned count, int64_t now_ns) {
    for (unsigned i = 0; i < count; i++)
        if (slots[i].open_ns <= now_ns && now_ns < slots[i].close_ns)
            return true;
    return false;
}

/* Randomly changes the state of queue 0, or adds a slot or a packet slot to queue 1. */
static void change_conditions(struct split *split, struct told *told, struct random *random,
                              int64_t now) {
    if (random_one_in(random, 4)) {
        told->started[0] = !told->started[0];
        (told->started[0] ? start : stop)(split, 0, now);
    }
    const unsigned slots = told->slot_count[1];
    if (random_one_in(random, 4) && slots < 2000) {
        const int64_t free_ns = slots > 0 ? told->slots[1][slots - 1].close_ns : 0;
        struct sdd_window slot = {free_ns + random_between(random, 0, 30), 0};
        slot.open_ns = slot.open_ns > now ? slot.open_ns : now;
        slot.close_ns = slot.open_ns + random_between(random, 1, 30);
        told->slots[1][told->slot_count[1]++] = slot;
        assert_int_equal(sdd_add_slot(split->sdd, 1, slot, now), SDD_OK);
    }
    if (random_one_in(random, 4) && told->packet_slot_count < 2000) {
        const int64_t open_ns = now + random_between(random, 0, 30);
        const struct sdd_window slot = {open_ns, open_ns + random_between(random, 1, 60)};
        told->packet_slots[told->packet_slot_count++] = slot;
        assert_int_equal(sdd_add_packet_slot(split->sdd, 1, slot, PACKET_RATE_BPS, now), SDD_OK);
    }
}

/* Checks a packet of queue 1: it leaves in a slot of its network, by a circuit only after the
 * packet switch's delay, and by the packet switch at most at the slots' rate. */
static void check_network(struct told *told, enum sdd_network network, int64_t now) {
    if (network == SDD_CIRCUIT) {
        assert_true(in_one_of(told->slots[1], told->slot_count[1], now));
        assert_true(now - told->last_packet_ns >= PACKET_DELAY_NS);
        return;
    }
    assert_true(in_one_of(told->packet_slots, told->packet_slot_count, now));
    assert_true(now - told->last_packet_ns >= PACKET_GAP_NS);
    told->last_packet_ns = now;
    told->by_slots++;
}

static void transmit_as_told(struct split *split, struct told *told, int64_t now) {
    int number = transmit(split, now);
    if (number < 0)
        return;
    unsigned queue = split->flow_of[number] / 2;
    assert_true(queue != 0 || told->started[0]);
    if (queue == 1)
        check_network(told, split->packets[number].network, now);
    assert_true(now - told->last_sent[queue] >= told->gap_ns[queue]);
    told->last_sent[queue] = now;
}

/*
 * Queue 0: START and STOP. 1: slots and packet slots. 2: rate. 3: drain rate. Flows never move
 * between queues 0 and 1, because the check could not tell which rule applies. Packets of each flow
 * always leave in order.
 */
static void whatever_the_interleaving_packets_keep_to_conditions_and_order(void **state) {
    (void)state;
    static struct split split;
    static struct told told;
    struct random random = {seed()};
    unsigned total = 0, by_slots = 0;
    for (unsigned round = 0; round < 60; round++) {
        const struct sdd_queue_config drained = {.drain_rate_bps = 20000000000}; /* 40 ns each */
        struct sdd_program rate = condition("currTime - lastXmitTime >= 30");
        int64_t now = 0, looked = 0;
        split_up(&split, (uint32_t)random_between(&random, 1, 20));
        memset(&told, 0, sizeof told);
        told.gap_ns[2] = 30;
        told.last_sent[2] = -30;
        told.last_packet_ns = -PACKET_DELAY_NS;
        assert_int_equal(sdd_set_packet_delay(split.sdd, PACKET_DELAY_NS, 0), SDD_OK);
        assert_int_equal(sdd_add_dequeue_condition(split.sdd, 2, &rate, 0), SDD_OK);
        assert_int_equal(sdd_configure_queue(split.sdd, 3, &drained, 0), SDD_OK);
        for (unsigned step = 0; step < 8000 && split.arrived < PACKETS; step++) {
            now += random_between(&random, 0, 4);
            switch (random_between(&random, 0, 7)) {
            case 0:
            case 1:
                arrive(&split, (unsigned)random_between(&random, 0, 3),
                       (unsigned)random_between(&random, 0, 1), now);
                break;
            case 2:
                /* in advance, and never backwards */
                if (now + 10 > looked)
                    looked = now + random_between(&random, 0, 10);
                sdd_pipe_fill(split.pipe, looked, (uint32_t)random_between(&random, 0, 6));
                break;
            case 3:
                change_conditions(&split, &told, &random, now);
                break;
            default:
                transmit_as_told(&split, &told, now);
            }
        }
        total += split.sent;
        by_slots += told.by_slots;
        /* no packet is lost: unsent packets are still queued */
        sdd_pipe_destroy(split.pipe);
        int64_t left = 0;
        for (unsigned q = 0; q < QUEUES; q++)
            left += sdd_stats(split.sdd, q)->packets;
        assert_int_equal(left + split.sent, split.arrived);
        sdd_destroy(split.sdd);
    }
    fprintf(stderr, "%u packets sent, %u by packet slots\n", total, by_slots);
    assert_true(total > 10000 && by_slots > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stop_reaches_packets_in_flight),
        cmocka_unit_test(a_packet_too_late_for_its_slot_waits_for_the_next),
        cmocka_unit_test(a_paced_queue_waits_for_the_time_of_transmission),
        cmocka_unit_test(a_moved_flow_waits_for_its_packets_in_flight),
        cmocka_unit_test(destroying_the_pipe_returns_what_is_in_flight),
        cmocka_unit_test(whatever_the_interleaving_packets_keep_to_conditions_and_order),
    };
    return cmocka_run_group_tests_name("pipe", tests, NULL, NULL);
}
