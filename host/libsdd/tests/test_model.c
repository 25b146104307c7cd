/* libsdd beside the model, call by call, on random histories. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "support.h"

enum { HISTORIES = 60, CALLS = 1000 };

struct pair {
    struct random random;
    struct model model;
    struct sdd *sdd;
    struct sdd_packet packets[MODEL_PACKETS];
    struct sdd_program added[64]; /* conditions to remove again */
    unsigned additions;
    unsigned calls, sent, events; /* that the histories are not empty */
};

static struct base_flow_key random_key(struct random *random) {
    struct base_flow_key key =
        flow_key((unsigned)random_between(random, 1, 3), (uint16_t)random_between(random, 1, 3));
    key.protocol = 6;
    return key;
}

static struct sdd_match random_match(struct random *random) {
    struct base_flow_key key = random_key(random);
    struct sdd_match match = sdd_match_flow(&key);
    if (random_one_in(random, 2))
        return match;
    match.wildcards = (uint8_t)random_between(random, 0, 7);
    /* fields that are wildcards are zero here, so that equal matches are equal bytes */
    match.source_port = match.wildcards & SDD_ANY_SOURCE_PORT ? 0 : match.source_port;
    match.destination_port = match.wildcards & SDD_ANY_DESTINATION_PORT ? 0 : 80;
    match.protocol = match.wildcards & SDD_ANY_PROTOCOL ? 0 : 6;
    if (random_one_in(random, 2)) {
        match.destination_prefix_bits = 0;
        memset(&match.destination, 0, sizeof match.destination);
    }
    return match;
}

static struct sdd_program random_condition(struct pair *pair) {
    struct random *random = &pair->random;
    long long near = pair->model.now_ns + random_between(random, -20, 60);
    long long later = near + random_between(random, 0, 60);
    long long few = random_between(random, 0, 6), gap = random_between(random, 0, 40);
    long long other = random_between(random, 0, MODEL_QUEUES - 1);
    switch (random_between(random, 0, 13)) {
    case 0:
        return condition("TRUE");
    case 1:
        return condition("FALSE");
    case 2:
        return condition("currTime >= %lld AND currTime < %lld", near, later);
    case 3:
        return condition("currTime < %lld OR currTime > %lld", near, later);
    case 4:
        return condition("currTime >= %lld AND currTime < %lld OR currTime = %lld", near,
                         near + few, later);
    case 5:
        return condition("currTime - lastXmitTime > %lld", gap);
    case 6:
        return condition("packets > %lld", few);
    case 7:
        return condition("currTime - lastRecvTime >= %lld AND bytes < %lld", gap, 20 * few);
    case 8:
        return condition("Q[%lld].packets > packets", other);
    case 9:
        return condition("Q[%lld].bytes = 0 AND currTime < %lld", other, later);
    case 10:
        return condition("flows >= 2 OR currTime - lastXmitTime < %lld", gap);
    case 11:
        return condition("3*currTime - 2*lastXmitTime <= %lld AND sentPackets - 2*packets < %lld",
                         later, few);
    case 12:
        return condition("droppedPackets != %lld AND currTime != %lld", few, later);
    default:
        return condition("receivedPackets > %lld AND receivedBytes - sentBytes > %lld", few, gap);
    }
}

static struct sdd_queue_config random_config(struct random *random,
                                             enum model_discipline *discipline) {
    static const sdd_get_next get_next[] = {NULL, sdd_next_round_robin, sdd_next_strict_priority};
    *discipline = (enum model_discipline)random_between(random, 0, 2);
    return (struct sdd_queue_config){
        .priority = (uint8_t)(random_one_in(random, 4) ? 63 : random_between(random, 0, 1)),
        .closed_by_default = random_one_in(random, 4),
        .drain_rate_bps =
            random_one_in(random, 2) ? 0 : random_between(random, 1000000000, 20000000000),
        .max_packets = random_one_in(random, 2) ? 0 : random_between(random, 1, 12),
        .max_bytes = random_one_in(random, 2) ? 0 : random_between(random, 1, 200),
        .get_next = get_next[*discipline]};
}

static int number_of(const struct pair *pair, const struct sdd_packet *packet) {
    return packet ? (int)(packet - pair->packets) : -1;
}

static void change_conditions(struct pair *pair, unsigned queue) {
    struct model *model = &pair->model;
    if (random_one_in(&pair->random, 12)) {
        assert_int_equal(sdd_clear_dequeue_conditions(pair->sdd, queue, model->now_ns), SDD_OK);
        model_clear(model, queue);
    } else if (pair->additions > 0 && random_one_in(&pair->random, 2)) {
        unsigned last = pair->additions < 64 ? pair->additions - 1 : 63;
        const struct sdd_program *old = &pair->added[random_between(&pair->random, 0, last)];
        assert_int_equal(sdd_remove_dequeue_condition(pair->sdd, queue, old, model->now_ns),
                         model_remove(model, queue, old));
    } else if (random_one_in(&pair->random, 4)) {
        int64_t open = model->now_ns + random_between(&pair->random, 0, 60);
        int64_t close = open + random_between(&pair->random, 1, 40);
        struct sdd_program same =
            condition("currTime >= %lld AND currTime < %lld", (long long)open, (long long)close);
        if (model->queue[queue].windows + 4 > MODEL_CONDITIONS)
            return;
        pair->added[pair->additions++ % 64] = same;
        assert_int_equal(
            sdd_add_slot(pair->sdd, queue, (struct sdd_window){open, close}, model->now_ns),
            model_add(model, queue, &same));
    } else {
        struct sdd_program new = random_condition(pair);
        if (model->queue[queue].windows + 4 > MODEL_CONDITIONS ||
            model->queue[queue].programs == MODEL_CONDITIONS)
            return;
        pair->added[pair->additions++ % 64] = new;
        assert_int_equal(sdd_add_dequeue_condition(pair->sdd, queue, &new, model->now_ns),
                         model_add(model, queue, &new));
    }
}

static void change_mappings(struct pair *pair, unsigned queue) {
    struct model *model = &pair->model;
    struct sdd_match match = random_match(&pair->random);
    unsigned other = (unsigned)random_between(&pair->random, 0, MODEL_QUEUES - 1);
    switch (random_between(&pair->random, 0, 2)) {
    case 0:
        if (model->mappings == MODEL_MAPPINGS)
            return;
        uint8_t priority = (uint8_t)random_between(&pair->random, 0, 2);
        assert_int_equal(sdd_map_flow(pair->sdd, queue, &match, priority, model->now_ns), SDD_OK);
        model_map(model, queue, &match, priority);
        return;
    case 1:
        assert_int_equal(sdd_unmap_flow(pair->sdd, &match, model->now_ns),
                         model_unmap(model, &match));
        return;
    default:
        assert_int_equal(sdd_move_flows(pair->sdd, queue, other, &match, model->now_ns),
                         model->queue[other].open ? model_move(model, queue, other, &match)
                                                  : SDD_ERR_QUEUE);
    }
}

static void change_triggers(struct pair *pair, unsigned queue) {
    unsigned number = (unsigned)random_between(&pair->random, 0, MODEL_TRIGGERS - 1);
    struct model_trigger *trigger = &pair->model.trigger[number];
    if (random_one_in(&pair->random, 2)) {
        assert_int_equal(sdd_remove_trigger(pair->sdd, number, pair->model.now_ns),
                         trigger->used ? SDD_OK : SDD_ERR_NOT_FOUND);
        trigger->used = false;
        return;
    }
    struct sdd_program program = random_condition(pair);
    uint64_t cookie = random_next(&pair->random);
    uint32_t added;
    enum sdd_status status = sdd_add_trigger(pair->sdd, queue, &program, SDD_TO_CONTROLLER, cookie,
                                             pair->model.now_ns, &added);
    if (status == SDD_OK) {
        assert_false(pair->model.trigger[added].used);
        model_add_trigger(&pair->model, added, queue, &program, cookie);
    } else {
        assert_int_equal(status, SDD_ERR_FULL);
        for (unsigned i = 0; i < MODEL_TRIGGERS; i++)
            assert_true(pair->model.trigger[i].used);
    }
}

static void open_or_close(struct pair *pair, unsigned queue) {
    struct model *model = &pair->model;
    enum model_discipline discipline;
    struct sdd_queue_config config = random_config(&pair->random, &discipline);
    if (!model->queue[queue].open) {
        assert_int_equal(sdd_open_queue(pair->sdd, queue, &config), SDD_OK);
        model_open(model, queue, &config, discipline);
    } else if (random_one_in(&pair->random, 2)) {
        assert_int_equal(sdd_configure_queue(pair->sdd, queue, &config, model->now_ns), SDD_OK);
        model_configure(model, queue, &config, discipline);
    } else {
        assert_int_equal(sdd_close_queue(pair->sdd, queue, model->now_ns),
                         model_close(model, queue));
    }
}

static void move_packets(struct pair *pair) {
    struct model *model = &pair->model;
    if (random_one_in(&pair->random, 2)) {
        int expected = model_dequeue(model);
        assert_int_equal(number_of(pair, sdd_dequeue(pair->sdd, model->now_ns)), expected);
        pair->sent += expected >= 0;
        return;
    }
    struct sdd_packet *packet = &pair->packets[model->packets];
    *packet = (struct sdd_packet){.key = random_key(&pair->random),
                                  .bytes = (uint32_t)random_between(&pair->random, 1, 40)};
    enum sdd_status expected = model_enqueue(model, &packet->key, packet->bytes);
    assert_int_equal(sdd_enqueue(pair->sdd, packet, model->now_ns), expected);
}

static void call(struct pair *pair) {
    struct model *model = &pair->model;
    unsigned queue = (unsigned)random_between(&pair->random, 0, MODEL_QUEUES - 1);
    int kind = (int)random_between(&pair->random, 0, 39);
    if (kind < 26) {
        move_packets(pair);
    } else if (kind == 26 || !model->queue[queue].open) {
        open_or_close(pair, queue);
    } else if (kind < 34) {
        change_conditions(pair, queue);
    } else if (kind < 37) {
        change_mappings(pair, queue);
    } else if (kind == 37) {
        change_triggers(pair, queue);
    } else if (kind == 38) {
        int expected = model_discard(model, queue);
        assert_int_equal(number_of(pair, sdd_discard(pair->sdd, queue, model->now_ns)), expected);
    } else {
        sdd_poll(pair->sdd, model->now_ns);
        model_evaluate_triggers(model);
    }
}

static int by_time(const void *left, const void *right) {
    const struct sdd_event *a = left, *b = right;
    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? -1 : 1;
    return a->trigger < b->trigger ? -1 : a->trigger > b->trigger;
}

/* Triggers that fire at the same time do so in no particular order. */
static void compare_events(struct pair *pair) {
    struct sdd_event events[MODEL_EVENTS];
    unsigned count = 0;
    while (sdd_take_event(pair->sdd, SDD_CONTROLLER, &events[count]))
        count++;
    assert_int_equal(count, pair->model.events);
    qsort(events, count, sizeof *events, by_time);
    qsort(pair->model.event, count, sizeof *events, by_time);
    for (unsigned i = 0; i < count; i++) {
        const struct sdd_event *event = &events[i], *expected = &pair->model.event[i];
        assert_int_equal(event->trigger, expected->trigger);
        assert_int_equal(event->queue, expected->queue);
        assert_int_equal(event->cookie, expected->cookie);
        assert_int_equal(event->time_ns, expected->time_ns);
        assert_int_equal(event->packets, expected->packets);
        assert_int_equal(event->bytes, expected->bytes);
    }
    pair->events += count;
    pair->model.events = 0;
}

static void compare(struct pair *pair) {
    for (unsigned q = 0; q < MODEL_QUEUES; q++) {
        const struct model_queue *expected = &pair->model.queue[q];
        const struct sdd_queue_stats *stats = sdd_stats(pair->sdd, q);
        assert_int_equal(stats != NULL, expected->open);
        if (stats)
            assert_memory_equal(stats, &expected->stats, sizeof *stats);
        assert_int_equal(sdd_may_transmit(pair->sdd, q, pair->model.now_ns),
                         model_may_transmit(&pair->model, q));
    }
    compare_events(pair);
}

/* Nothing may happen before the time that sdd_next_ns names, but for events of other queues. */
static void advance(struct pair *pair) {
    struct model *model = &pair->model;
    int64_t now = model->now_ns;
    if (random_one_in(&pair->random, 2))
        now += random_between(&pair->random, 0, random_one_in(&pair->random, 10) ? 60 : 6);
    int64_t quiet_until = sdd_next_ns(pair->sdd);
    while (model->now_ns < now) {
        model_advance(model, model->now_ns + 1);
        for (unsigned q = 0; q < MODEL_QUEUES && model->now_ns < quiet_until; q++)
            assert_false(model_may_transmit(model, q));
        assert_true(model->events == 0 || model->now_ns >= quiet_until ||
                    quiet_until <= model->event[0].time_ns);
    }
}

static void a_host_behaves_as_the_model_does(void **state) {
    (void)state;
    static struct pair pair;
    pair.random.state = seed();
    for (unsigned history = 0; history < HISTORIES; history++) {
        const struct sdd_limits limits = {.max_queues = MODEL_QUEUES,
                                          .max_flows = MODEL_FLOWS,
                                          .max_mappings = MODEL_MAPPINGS,
                                          .max_slots = MODEL_QUEUES * MODEL_CONDITIONS,
                                          .max_conditions = MODEL_QUEUES * MODEL_CONDITIONS,
                                          .max_triggers = MODEL_TRIGGERS,
                                          .max_events = MODEL_EVENTS,
                                          .hash_seed = history};
        assert_int_equal(sdd_create(&limits, &pair.sdd), SDD_OK);
        model_init(&pair.model);
        pair.additions = 0;
        for (unsigned q = 0; q < MODEL_QUEUES; q++)
            open_or_close(&pair, q);
        for (unsigned i = 0; i < CALLS && pair.model.now_ns < MODEL_HORIZON - 200; i++) {
            advance(&pair);
            call(&pair);
            compare(&pair);
            pair.calls++;
        }
        sdd_destroy(pair.sdd);
    }
    fprintf(stderr, "%u calls, %u packets sent, %u events\n", pair.calls, pair.sent, pair.events);
    assert_true(pair.sent > pair.calls / 20);
    assert_true(pair.events > pair.calls / 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_behaves_as_the_model_does),
    };
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
