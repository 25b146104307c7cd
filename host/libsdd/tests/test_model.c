/* Compares libsdd with the model, call by call, on random histories. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "model_random.h"
#include "support.h"

enum { HISTORIES = 60, CALLS = 1000, FLOWS = 9, MOST_BYTES = 40 };

/* For packet slots, in bits times 10^9: the amount allowed so far, and the amount sent. */
struct allowance {
    int64_t allowed, sent;
};

struct pair {
    struct random random;
    struct model model;
    struct sdd *sdd;
    struct sdd_packet packets[MODEL_PACKETS];
    struct sdd_program added[64]; /* conditions to remove again */
    unsigned additions;
    unsigned calls, sent, events, by_slots; /* show that the histories are not empty */
    bool was_sent[MODEL_PACKETS];
    int64_t arrives_ns[MODEL_QUEUES][FLOWS]; /* latest arrival of the last sent packet; -1: none */
    struct allowance allowance[MODEL_QUEUES];
};

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
        struct sdd_program new = random_condition(&pair->random, pair->model.now_ns);
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
    switch (random_between(&pair->random, 0, 9)) {
    case 0:
    case 1:
    case 2:
        if (model->mappings == MODEL_MAPPINGS)
            return;
        uint8_t priority = (uint8_t)random_between(&pair->random, 0, 2);
        assert_int_equal(sdd_map_flow(pair->sdd, queue, &match, priority, model->now_ns), SDD_OK);
        model_map(model, queue, &match, priority);
        return;
    case 3:
    case 4:
    case 5:
        assert_int_equal(sdd_unmap_flow(pair->sdd, &match, model->now_ns),
                         model_unmap(model, &match));
        return;
    case 6:
        sdd_age_mappings(pair->sdd);
        model_age_mappings(model);
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
    struct sdd_program program = random_condition(&pair->random, pair->model.now_ns);
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
        pair->allowance[queue] = (struct allowance){0};
        for (unsigned flow = 0; flow < FLOWS; flow++)
            pair->arrives_ns[queue][flow] = -1;
    } else if (random_one_in(&pair->random, 2)) {
        assert_int_equal(sdd_configure_queue(pair->sdd, queue, &config, model->now_ns), SDD_OK);
        model_configure(model, queue, &config, discipline);
    } else {
        assert_int_equal(sdd_close_queue(pair->sdd, queue, model->now_ns),
                         model_close(model, queue));
    }
}

/* No packet is sent twice, and no packet of a flow arrives before one that its queue sent earlier.
 * By a circuit it arrives at once, by the packet switch after the maximum delay. */
static void check_sent(struct pair *pair, const struct sdd_packet *packet) {
    const struct model *model = &pair->model;
    const unsigned host = packet->key.destination.octets[15];
    int64_t *last_ns =
        &pair->arrives_ns[packet->queue][3 * (host - 1) + packet->key.source_port - 1];
    assert_false(pair->was_sent[number_of(pair, packet)]);
    pair->was_sent[number_of(pair, packet)] = true;
    if (packet->network == SDD_PACKET) {
        *last_ns = model->now_ns;
        return;
    }
    if (*last_ns >= 0)
        assert_true(model->now_ns >= *last_ns + model->packet_delay_ns);
}

static void dequeue(struct pair *pair) {
    struct model *model = &pair->model;
    enum sdd_network network;
    enum model_let let[MODEL_QUEUES];
    model_evaluate_triggers(model);
    for (unsigned q = 0; q < MODEL_QUEUES; q++)
        let[q] = model_may_transmit(model, q);
    int expected = model_dequeue(model, &network);
    const struct sdd_packet *packet = sdd_dequeue(pair->sdd, model->now_ns);
    assert_int_equal(number_of(pair, packet), expected);
    if (expected < 0)
        return;
    assert_int_equal(packet->network, network);
    check_sent(pair, packet);
    pair->sent++;
    if (let[packet->queue] != MODEL_PACKET_SLOT_LETS)
        return;
    struct allowance *allowance = &pair->allowance[packet->queue];
    pair->by_slots++;
    allowance->sent += packet->bytes * INT64_C(8000000000);
    assert_true(allowance->sent <= allowance->allowed + MOST_BYTES * INT64_C(8000000000));
}

static void move_packets(struct pair *pair) {
    struct model *model = &pair->model;
    if (random_one_in(&pair->random, 2)) {
        dequeue(pair);
        return;
    }
    struct sdd_packet *packet = &pair->packets[model->packets];
    *packet = (struct sdd_packet){.key = random_key(&pair->random),
                                  .bytes = (uint32_t)random_between(&pair->random, 1, MOST_BYTES)};
    enum sdd_status expected = model_enqueue(model, &packet->key, packet->bytes);
    assert_int_equal(sdd_enqueue(pair->sdd, packet, model->now_ns), expected);
}

static void add_packet_slot(struct pair *pair, unsigned queue) {
    struct model *model = &pair->model;
    int64_t open = model->now_ns + random_between(&pair->random, -20, 60);
    struct model_slot slot = {{open, open + random_between(&pair->random, 1, 90)},
                              random_between(&pair->random, 1000000000, 40000000000)};
    if (model->queue[queue].packet_slots == MODEL_CONDITIONS)
        return;
    assert_int_equal(
        sdd_add_packet_slot(pair->sdd, queue, slot.window, slot.rate_bps, model->now_ns),
        model_add_packet_slot(model, queue, slot));
}

static void change_network(struct pair *pair) {
    struct model *model = &pair->model;
    if (random_one_in(&pair->random, 2)) {
        model->packet_delay_ns = random_between(&pair->random, 0, 30);
        assert_int_equal(sdd_set_packet_delay(pair->sdd, model->packet_delay_ns, model->now_ns),
                         SDD_OK);
        return;
    }
    model->override = random_one_in(&pair->random, 3)
                          ? (enum sdd_override)random_between(&pair->random, 1, 2)
                          : SDD_BY_CONDITIONS;
    assert_int_equal(sdd_set_override(pair->sdd, model->override, model->now_ns), SDD_OK);
}

static void call(struct pair *pair) {
    struct model *model = &pair->model;
    unsigned queue = (unsigned)random_between(&pair->random, 0, MODEL_QUEUES - 1);
    int kind = (int)random_between(&pair->random, 0, 43);
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
    } else if (kind < 42) {
        add_packet_slot(pair, queue);
    } else if (kind == 42) {
        change_network(pair);
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

/* Triggers that fire at the same time have no defined order. */
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

static void compare_old_mappings(const struct pair *pair) {
    const struct model *model = &pair->model;
    struct sdd_match match;
    uint32_t queue;
    int more = 0; /* libsdd has more events than the model */
    for (uint32_t number = 0; number <= MODEL_MAPPINGS; number++) {
        if (!sdd_old_mapping(pair->sdd, number, &match, &queue))
            continue;
        const unsigned i = model_find_mapping(model, &match);
        assert_true(i < model->mappings && model->mapping[i].old);
        assert_int_equal(queue, model->mapping[i].queue);
        more++;
    }
    for (unsigned i = 0; i < model->mappings; i++)
        more -= model->mapping[i].old;
    assert_int_equal(more, 0);
}

static void compare(struct pair *pair) {
    for (unsigned q = 0; q < MODEL_QUEUES; q++) {
        const struct model_queue *expected = &pair->model.queue[q];
        const struct sdd_queue_stats *stats = sdd_stats(pair->sdd, q);
        assert_int_equal(stats != NULL, expected->open);
        if (stats)
            assert_memory_equal(stats, &expected->stats, sizeof *stats);
        assert_int_equal(sdd_may_transmit(pair->sdd, q, pair->model.now_ns),
                         model_may_transmit(&pair->model, q) != MODEL_SHUT);
    }
    compare_old_mappings(pair);
    compare_events(pair);
}

/* Returns the highest rate of a queue's open packet slots, or 0. */
static int64_t rate_now(const struct model *model, unsigned queue) {
    int64_t rate_bps = 0;
    for (unsigned i = 0; i < model->queue[queue].packet_slots; i++) {
        const struct model_slot *slot = &model->queue[queue].packet_slot[i];
        if (slot->window.open_ns <= model->now_ns && model->now_ns < slot->window.close_ns &&
            slot->rate_bps > rate_bps)
            rate_bps = slot->rate_bps;
    }
    return rate_bps;
}

/* Nothing may happen before the time from sdd_next_ns, except events of other queues. */
static void advance(struct pair *pair) {
    struct model *model = &pair->model;
    int64_t now = model->now_ns;
    if (random_one_in(&pair->random, 2))
        now += random_between(&pair->random, 0, random_one_in(&pair->random, 10) ? 60 : 6);
    int64_t quiet_until = sdd_next_ns(pair->sdd);
    while (model->now_ns < now) {
        for (unsigned q = 0; q < MODEL_QUEUES; q++)
            pair->allowance[q].allowed += rate_now(model, q);
        model_advance(model, model->now_ns + 1);
        for (unsigned q = 0; q < MODEL_QUEUES && model->now_ns < quiet_until; q++)
            assert_int_equal(model_may_transmit(model, q), MODEL_SHUT);
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
                                          .max_slots = 2 * MODEL_QUEUES * MODEL_CONDITIONS,
                                          .max_conditions = MODEL_QUEUES * MODEL_CONDITIONS,
                                          .max_triggers = MODEL_TRIGGERS,
                                          .max_events = MODEL_EVENTS,
                                          .hash_seed = history};
        assert_int_equal(sdd_create(&limits, &pair.sdd), SDD_OK);
        model_init(&pair.model);
        pair.additions = 0;
        memset(pair.was_sent, 0, sizeof pair.was_sent);
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
    fprintf(stderr, "%u calls, %u packets sent, %u by packet slots, %u events\n", pair.calls,
            pair.sent, pair.by_slots, pair.events);
    assert_true(pair.by_slots > pair.sent / 50);
    assert_true(pair.sent > pair.calls / 20);
    assert_true(pair.events > pair.calls / 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_behaves_as_the_model_does),
    };
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
