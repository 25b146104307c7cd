/* Examples of the API: the recipes of section 5.4 and the calls of section 5.3.3. */
#include <string.h>

#include "small_dataplane.h"

static void tightly_coupled_tdma_starts_and_stops(void **state) {
    struct small_dataplane *dataplane = *state;
    add(dataplane, 1, "FALSE", 0);
    put(dataplane, 1, 1, 10);
    put(dataplane, 1, 1, 10);
    assert_int_equal(next(dataplane, 20), -1);
    add(dataplane, 1, "TRUE", 30); /* p_start, section 5.4.1 */
    assert_int_equal(next(dataplane, 30), 0);
    add(dataplane, 1, "FALSE", 40); /* p_end */
    assert_int_equal(next(dataplane, 41), -1);
    assert_int_equal(sdd_next_ns(dataplane->sdd), BASE_FOREVER);
}

static void loosely_coupled_tdma_keeps_to_its_slots(void **state) {
    struct small_dataplane *dataplane = *state;
    add(dataplane, 1, "currTime() > 1000 && currTime() < 2000", 0);
    add(dataplane, 2, "currTime() > 2000 && currTime() < 3000", 0);
    add(dataplane, 1, "currTime() > 3000 && currTime() < 4000", 0);
    for (unsigned i = 0; i < 4; i++)
        put(dataplane, 1 + i % 2, 1, 5);
    assert_int_equal(next(dataplane, 1000), -1);
    assert_int_equal(sdd_next_ns(dataplane->sdd), 1001);
    assert_int_equal(next(dataplane, 1001), 0);
    assert_int_equal(next(dataplane, 2000), -1);
    assert_int_equal(next(dataplane, 2999), 1);
    assert_int_equal(next(dataplane, 3000), -1);
    assert_int_equal(next(dataplane, 3999), 2);
    /* queue 2 has no slot left: it stays closed until its conditions are cleared */
    assert_int_equal(next(dataplane, 9000), -1);
    assert_int_equal(sdd_clear_dequeue_conditions(dataplane->sdd, 2, 9000), SDD_OK);
    assert_int_equal(next(dataplane, 9000), 3);
}

static void slots_stay_when_all_else_is_cleared(void **state) {
    struct small_dataplane *dataplane = *state;
    add(dataplane, 1, "currTime > 1000 && currTime < 2000", 0);
    add(dataplane, 1, "currTime - lastXmitTime >= 100", 0);
    add(dataplane, 1, "FALSE", 0);
    add(dataplane, 2, "currTime - lastXmitTime >= 5000", 0);
    for (unsigned i = 0; i < 4; i++)
        put(dataplane, 1 + i / 3, 1, 5);
    assert_int_equal(next(dataplane, 200), 0);
    assert_int_equal(next(dataplane, 250), -1);
    assert_int_equal(sdd_clear_all_but_slots(dataplane->sdd, 1, 300), SDD_OK);
    assert_int_equal(next(dataplane, 900), -1);
    assert_int_equal(next(dataplane, 1001), 1);
    assert_int_equal(next(dataplane, 2000), -1);
    /* without slots no condition remains that could keep it closed */
    assert_int_equal(sdd_clear_all_but_slots(dataplane->sdd, 2, 2100), SDD_OK);
    assert_int_equal(next(dataplane, 2100), 3);
    assert_int_equal(sdd_clear_all_but_slots(dataplane->sdd, 60000, 2100), SDD_ERR_QUEUE);
}

static void a_slot_can_be_taken_back(void **state) {
    struct small_dataplane *dataplane = *state;
    const struct sdd_window slot = {1000, 2000}, other = {1000, 2001};
    assert_int_equal(sdd_add_slot(dataplane->sdd, 1, slot, 0), SDD_OK);
    put(dataplane, 1, 1, 10);
    put(dataplane, 1, 1, 10);
    assert_int_equal(next(dataplane, 1000), 0);
    assert_int_equal(sdd_remove_slot(dataplane->sdd, 1, other, 1001), SDD_ERR_NOT_FOUND);
    assert_int_equal(sdd_remove_slot(dataplane->sdd, 1, slot, 1001), SDD_OK);
    assert_int_equal(sdd_remove_slot(dataplane->sdd, 1, slot, 1001), SDD_ERR_NOT_FOUND);
    assert_int_equal(sdd_remove_slot(dataplane->sdd, 60000, slot, 1001), SDD_ERR_QUEUE);
}

static void an_override_counts_instead_of_conditions_and_leaves_them(void **state) {
    struct small_dataplane *dataplane = *state;
    add(dataplane, 1, "FALSE", 0);
    add(dataplane, 2, "currTime >= 100 AND currTime < 200", 0);
    add(dataplane, 3, "Q[1].packets > 0", 0);
    for (unsigned queue = 1; queue <= 3; queue++) {
        put(dataplane, queue, 1, 10);
        put(dataplane, queue, 1, 10);
    }
    assert_int_equal(sdd_set_override(dataplane->sdd, SDD_ALL_CLOSED, 110), SDD_OK);
    assert_int_equal(next(dataplane, 120), -1);
    assert_int_equal(sdd_set_override(dataplane->sdd, SDD_ALL_OPEN, 130), SDD_OK);
    unsigned left = 0;
    while (next(dataplane, 130) >= 0)
        left++;
    assert_int_equal(left, 6);
    for (unsigned queue = 1; queue <= 3; queue++)
        put(dataplane, queue, 1, 140);
    assert_int_equal(sdd_set_override(dataplane->sdd, SDD_BY_CONDITIONS, 150), SDD_OK);
    assert_false(sdd_may_transmit(dataplane->sdd, 1, 150));
    assert_true(sdd_may_transmit(dataplane->sdd, 2, 150));
    assert_true(sdd_may_transmit(dataplane->sdd, 3, 150));
    assert_false(sdd_may_transmit(dataplane->sdd, 2, 200));
    assert_int_equal(sdd_set_override(dataplane->sdd, (enum sdd_override)3, 200), SDD_ERR_ARGUMENT);
}

static void a_packet_says_which_slot_let_it_go(void **state) {
    struct small_dataplane *dataplane = *state;
    assert_int_equal(sdd_add_slot(dataplane->sdd, 1, (struct sdd_window){100, 200}, 0), SDD_OK);
    put(dataplane, 1, 1, 10);
    put(dataplane, 2, 1, 10);
    struct sdd_packet *packet = sdd_dequeue(dataplane->sdd, 20);
    assert_int_equal(packet->queue, 2);
    assert_int_equal(packet->close_ns, BASE_FOREVER);
    packet = sdd_dequeue(dataplane->sdd, 150);
    assert_int_equal(packet->queue, 1);
    assert_int_equal(packet->open_ns, 100);
    assert_int_equal(packet->close_ns, 200);
}

static void a_rate_condition_keeps_packets_apart(void **state) {
    struct small_dataplane *dataplane = *state;
    add(dataplane, 1, "currTime() - stats.lastXmit > 12us", 0);
    for (unsigned i = 0; i < 3; i++)
        put(dataplane, 1, 1, 50000);
    assert_int_equal(next(dataplane, 50000), 0);
    assert_int_equal(next(dataplane, 62000), -1);
    assert_true(sdd_next_ns(dataplane->sdd) > 62000 && sdd_next_ns(dataplane->sdd) <= 62001);
    assert_int_equal(next(dataplane, 62001), 1);
    assert_int_equal(next(dataplane, 74001), -1);
    /* the new rate of section 5.4.3: remove the old condition, add the new one */
    struct sdd_program old = condition("currTime - lastXmitTime > 12000");
    assert_int_equal(sdd_remove_dequeue_condition(dataplane->sdd, 1, &old, 62100), SDD_OK);
    add(dataplane, 1, "currTime - lastXmitTime > 13000", 74001);
    assert_int_equal(next(dataplane, 75001), -1);
    assert_int_equal(next(dataplane, 75002), 2);
}

static void flows_of_a_queue_share_it_in_turns(void **state) {
    struct small_dataplane *dataplane = *state;
    const struct sdd_queue_config fair = {.get_next = sdd_next_round_robin};
    assert_int_equal(sdd_configure_queue(dataplane->sdd, 1, &fair, 0), SDD_OK);
    for (unsigned i = 0; i < 6; i++)
        put(dataplane, 1, i < 4 ? 1 : (uint16_t)i,
            0); /* four packets of one flow, one of two others */
    static const int order[] = {0, 4, 5, 1, 2, 3};
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(next(dataplane, 1), order[i]);
}

static void a_flow_of_higher_priority_goes_first(void **state) {
    struct small_dataplane *dataplane = *state;
    const struct sdd_queue_config strict = {.get_next = sdd_next_strict_priority};
    struct base_flow_key urgent = flow_key(1, 9);
    struct sdd_match match = sdd_match_flow(&urgent);
    assert_int_equal(sdd_configure_queue(dataplane->sdd, 1, &strict, 0), SDD_OK);
    assert_int_equal(sdd_map_flow(dataplane->sdd, 1, &match, 7, 0), SDD_OK);
    put(dataplane, 1, 1, 0);
    put(dataplane, 1, 9, 0);
    put(dataplane, 1, 9, 0);
    assert_int_equal(next(dataplane, 1), 1);
    assert_int_equal(next(dataplane, 1), 2);
    assert_int_equal(next(dataplane, 1), 0);
}

/* A user-defined getNext(): the flow whose first packet is smallest. */
static struct sdd_flow *shortest_head(struct sdd_queue *queue, void *context) {
    struct sdd_flow *best = sdd_first_flow(queue);
    for (struct sdd_flow *flow = best; flow; flow = sdd_following_flow(queue, flow))
        if (sdd_flow_head(flow)->bytes < sdd_flow_head(best)->bytes)
            best = flow;
    *(unsigned *)context += 1;
    return best;
}

static struct sdd_flow *nonsense(struct sdd_queue *queue, void *context) {
    (void)context;
    assert_true(sdd_stats_of(queue)->packets > 0);
    return NULL;
}

static void get_next_can_be_replaced(void **state) {
    struct small_dataplane *dataplane = *state;
    unsigned calls = 0;
    struct sdd_queue_config config = {.get_next = shortest_head, .get_next_context = &calls};
    assert_int_equal(sdd_configure_queue(dataplane->sdd, 1, &config, 0), SDD_OK);
    assert_int_equal(put_sized(dataplane, 1, 1, 900, 0), SDD_OK);
    assert_int_equal(put_sized(dataplane, 1, 2, 100, 0), SDD_OK);
    assert_int_equal(put_sized(dataplane, 1, 3, 500, 0), SDD_OK);
    assert_int_equal(next(dataplane, 1), 1);
    assert_int_equal(next(dataplane, 1), 2);
    assert_int_equal(calls, 2);
    config.get_next = nonsense;
    assert_int_equal(sdd_configure_queue(dataplane->sdd, 1, &config, 0), SDD_OK);
    assert_int_equal(next(dataplane, 1), 0);
}

static void moved_flows_take_their_packets_along_in_order(void **state) {
    struct small_dataplane *dataplane = *state;
    struct sdd_match to_1 = sdd_match_to_ipv4(0x0a000101, 32);
    add(dataplane, 1, "FALSE", 0);
    for (unsigned i = 0; i < 6; i++)
        put(dataplane, 1 + i % 2, 1, 0); /* even packets in queue 1, odd ones in queue 2 */
    assert_int_equal(sdd_move_flows(dataplane->sdd, 1, 2, &to_1, 1), SDD_OK);
    assert_int_equal(sdd_stats(dataplane->sdd, 1)->packets, 0);
    assert_int_equal(sdd_stats(dataplane->sdd, 1)->received_packets, 3);
    assert_int_equal(sdd_stats(dataplane->sdd, 2)->packets, 6);
    assert_int_equal(sdd_stats(dataplane->sdd, 2)->bytes, 9000);
    assert_int_equal(sdd_stats(dataplane->sdd, 2)->flows, 2);
    put(dataplane, 1, 1, 1);
    for (int i = 0; i < 7; i++)
        assert_int_equal(next(dataplane, 2), i);
    assert_int_equal(sdd_move_flows(dataplane->sdd, 1, 2, &to_1, 1), SDD_ERR_NOT_FOUND);
}

static void queues_for_flows_are_those_that_can_get_one(void **state) {
    struct small_dataplane *dataplane = *state;
    struct sdd_match all = sdd_match_all(), port = all, to_1 = sdd_match_to_ipv4(0x0a000101, 32);
    struct base_flow_key key = flow_key(1, 5);
    struct sdd_match one = sdd_match_flow(&key);
    uint32_t queues[4] = {99, 99, 99, 99};
    assert_int_equal(sdd_queues_for_flows(dataplane->sdd, &all, queues, 4), 3);
    assert_int_equal(queues[0] + queues[1] + queues[2], 1 + 2 + 3);
    assert_int_equal(sdd_map_flow(dataplane->sdd, 3, &all, 0, 0), SDD_OK);
    assert_int_equal(sdd_queues_for_flows(dataplane->sdd, &all, queues, 0), 3);
    /* the wildcard's queue gets no packets to host 1 */
    assert_int_equal(sdd_queues_for_flows(dataplane->sdd, &to_1, queues, 4), 1);
    assert_int_equal(queues[0], 1);
    port.wildcards = SDD_ANY_SOURCE_PORT | SDD_ANY_PROTOCOL;
    port.destination_port = 80;
    assert_int_equal(sdd_queues_for_flows(dataplane->sdd, &port, queues, 4), 3);
    port.destination_port = 81;
    assert_int_equal(sdd_map_flow(dataplane->sdd, 2, &one, 0, 0), SDD_OK);
    assert_int_equal(sdd_queues_for_flows(dataplane->sdd, &to_1, queues, 4), 2);
    assert_int_equal(sdd_queues_for_flows(dataplane->sdd, &one, queues, 4), 1);
    assert_int_equal(queues[0], 2);
}

static void a_mapping_is_found_by_exactly_its_flows(void **state) {
    struct small_dataplane *dataplane = *state;
    const struct sdd_match wide = sdd_match_to_ipv4(0x0a630000, 16);
    const struct sdd_match narrow = sdd_match_to_ipv4(0x0a630001, 32);
    uint32_t queue = 0;
    assert_int_equal(sdd_map_flow(dataplane->sdd, 2, &wide, 0, 0), SDD_OK);
    assert_int_equal(sdd_mapped_queue(dataplane->sdd, &wide, &queue), SDD_OK);
    assert_int_equal(queue, 2);
    assert_int_equal(sdd_mapped_queue(dataplane->sdd, &narrow, &queue), SDD_ERR_NOT_FOUND);
    assert_true(sdd_match_includes(&wide, &narrow));
    assert_false(sdd_match_includes(&narrow, &wide));
}

/* Takes the controller's next event. */
static bool take(struct small_dataplane *dataplane, struct sdd_event *event) {
    return sdd_take_event(dataplane->sdd, SDD_CONTROLLER, event);
}

static void a_trigger_fires_when_its_condition_becomes_true(void **state) {
    struct small_dataplane *dataplane = *state;
    struct sdd_event event;
    uint32_t long_queue, silence;
    struct sdd_program two = condition("packets >= 2"), quiet = condition(
                                                            "currTime - lastRecvTime "
                                                            "> 100 AND packets > 0");
    assert_int_equal(
        sdd_add_trigger(dataplane->sdd, 1, &two, SDD_TO_CONTROLLER, 77, 0, &long_queue), SDD_OK);
    assert_int_equal(
        sdd_add_trigger(dataplane->sdd, 1, &quiet, SDD_TO_APPLICATION, 78, 0, &silence), SDD_OK);
    assert_int_equal(sdd_add_trigger(dataplane->sdd, 1, &two, SDD_TO_CONTROLLER, 0, 0, &silence),
                     SDD_ERR_FULL);
    add(dataplane, 1, "FALSE", 0);
    put(dataplane, 1, 1, 10);
    assert_false(take(dataplane, &event));
    put(dataplane, 1, 1, 20);
    put(dataplane, 1, 1, 30); /* still true: no second event */
    assert_true(take(dataplane, &event));
    assert_int_equal(event.trigger, long_queue);
    assert_int_equal(event.target, SDD_TO_CONTROLLER);
    assert_int_equal(event.cookie, 77);
    assert_int_equal(event.time_ns, 20);
    assert_int_equal(event.packets, 2);
    assert_int_equal(event.bytes, 3000);
    assert_false(take(dataplane, &event));
    /* evaluated late, but true since 131 */
    sdd_poll(dataplane->sdd, 500);
    assert_false(take(dataplane, &event));
    assert_int_equal(sdd_events_fired(dataplane->sdd, SDD_APPLICATIONS), 1);
    assert_true(sdd_take_event(dataplane->sdd, SDD_APPLICATIONS, &event));
    assert_int_equal(event.cookie, 78);
    assert_int_equal(event.target, SDD_TO_APPLICATION);
    assert_int_equal(event.time_ns, 131);
    uint32_t queue = 0;
    assert_int_equal(sdd_trigger_queue(dataplane->sdd, long_queue, &queue), SDD_OK);
    assert_int_equal(queue, 1);
    assert_int_equal(sdd_remove_trigger(dataplane->sdd, long_queue, 500), SDD_OK);
    assert_int_equal(sdd_trigger_queue(dataplane->sdd, long_queue, &queue), SDD_ERR_NOT_FOUND);
    assert_int_equal(sdd_remove_trigger(dataplane->sdd, long_queue, 500), SDD_ERR_NOT_FOUND);
}

static void events_beyond_the_capacity_are_counted(void **state) {
    struct small_dataplane *dataplane = *state;
    struct sdd_program odd = condition("packets = 1");
    struct sdd_event event;
    uint32_t trigger;
    assert_int_equal(sdd_add_trigger(dataplane->sdd, 1, &odd, SDD_TO_CONTROLLER, 0, 0, &trigger),
                     SDD_OK);
    for (unsigned i = 0; i < 3; i++) {
        put(dataplane, 1, 1, i);
        assert_int_equal(next(dataplane, i), i);
    }
    assert_true(take(dataplane, &event));
    assert_true(take(dataplane, &event));
    assert_false(take(dataplane, &event));
    assert_int_equal(sdd_events_lost(dataplane->sdd, SDD_CONTROLLER), 1);
}

static void time_does_not_go_back(void **state) {
    struct small_dataplane *dataplane = *state;
    add(dataplane, 1, "currTime < 100", 0);
    put(dataplane, 1, 1, 200);
    assert_int_equal(next(dataplane, 50), -1);
    assert_int_equal(sdd_stats(dataplane->sdd, 1)->last_recv_ns, 200);
    put(dataplane, 2, 1, -5);
    assert_int_equal(next(dataplane, 0), 1);
    assert_int_equal(sdd_stats(dataplane->sdd, 2)->last_xmit_ns, 200);
}

static void the_drain_rate_holds_in_the_long_run(void **state) {
    struct small_dataplane *dataplane = *state;
    /* 64 bytes at 100 Gb/s take 5.12 ns: rounding to whole nanoseconds would err by 2 to 17 % */
    const struct sdd_queue_config config = {.drain_rate_bps = 100000000000};
    assert_int_equal(sdd_configure_queue(dataplane->sdd, 1, &config, 0), SDD_OK);
    int64_t now = 0, sent = 0;
    assert_int_equal(put_sized(dataplane, 1, 1, 64, 0), SDD_OK);
    for (; now < 51200; now++) {
        struct sdd_packet *packet = sdd_dequeue(dataplane->sdd, now);
        if (!packet)
            continue;
        sent++;
        assert_int_equal(sdd_enqueue(dataplane->sdd, packet, now), SDD_OK);
    }
    /* 10,000 in 51,200 ns; the next one is due at the end */
    assert_int_equal(sent, 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_A_SMALL_DATAPLANE(tightly_coupled_tdma_starts_and_stops),
        ON_A_SMALL_DATAPLANE(loosely_coupled_tdma_keeps_to_its_slots),
        ON_A_SMALL_DATAPLANE(slots_stay_when_all_else_is_cleared),
        ON_A_SMALL_DATAPLANE(a_slot_can_be_taken_back),
        ON_A_SMALL_DATAPLANE(an_override_counts_instead_of_conditions_and_leaves_them),
        ON_A_SMALL_DATAPLANE(a_packet_says_which_slot_let_it_go),
        ON_A_SMALL_DATAPLANE(a_rate_condition_keeps_packets_apart),
        ON_A_SMALL_DATAPLANE(flows_of_a_queue_share_it_in_turns),
        ON_A_SMALL_DATAPLANE(a_flow_of_higher_priority_goes_first),
        ON_A_SMALL_DATAPLANE(get_next_can_be_replaced),
        ON_A_SMALL_DATAPLANE(moved_flows_take_their_packets_along_in_order),
        ON_A_SMALL_DATAPLANE(queues_for_flows_are_those_that_can_get_one),
        ON_A_SMALL_DATAPLANE(a_mapping_is_found_by_exactly_its_flows),
        ON_A_SMALL_DATAPLANE(a_trigger_fires_when_its_condition_becomes_true),
        ON_A_SMALL_DATAPLANE(events_beyond_the_capacity_are_counted),
        ON_A_SMALL_DATAPLANE(time_does_not_go_back),
        ON_A_SMALL_DATAPLANE(the_drain_rate_holds_in_the_long_run),
    };
    return cmocka_run_group_tests_name("queues", tests, NULL, NULL);
}
