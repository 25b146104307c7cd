/* Calls that a dataplane rejects, and that a rejected call changes nothing. */
#include "small_dataplane.h"

static void every_capacity_is_kept_and_said(void **state) {
    struct small_dataplane *dataplane = *state;
    struct sdd *sdd = dataplane->sdd;
    struct sdd_program slot = condition("currTime < 100 OR currTime > 200 AND currTime < 300");
    struct sdd_program rate = condition("currTime - lastXmitTime > 10");
    struct sdd_queue_config tiny = {.max_packets = 1};
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(sdd_add_dequeue_condition(sdd, 1, &slot, 0), SDD_OK);
    assert_int_equal(sdd_add_dequeue_condition(sdd, 1, &slot, 0), SDD_ERR_FULL);
    assert_int_equal(sdd_add_slot(sdd, 2, (struct sdd_window){5, 9}, 0), SDD_ERR_FULL);
    /* at 100 half of them are over */
    assert_int_equal(sdd_add_slot(sdd, 2, (struct sdd_window){150, 190}, 100), SDD_OK);
    assert_int_equal(sdd_add_dequeue_condition(sdd, 2, &rate, 100), SDD_OK);
    assert_int_equal(sdd_add_dequeue_condition(sdd, 2, &rate, 100), SDD_OK);
    assert_int_equal(sdd_add_dequeue_condition(sdd, 2, &rate, 100), SDD_ERR_FULL);
    assert_int_equal(sdd_configure_queue(sdd, 3, &tiny, 100), SDD_OK);
    put(dataplane, 3, 1, 100);
    assert_int_equal(put_sized(dataplane, 3, 1, 1, 100), SDD_ERR_FULL);
    assert_int_equal(sdd_stats(sdd, 3)->dropped_packets, 1);
    for (uint16_t port = 2; port <= 8; port++) /* eight flows, with the one in queue 3 */
        put(dataplane, 1, port, 100);
    assert_int_equal(put_sized(dataplane, 1, 9, 1, 100), SDD_ERR_FULL);
    assert_int_equal(sdd_discard(sdd, 1, 100) == &dataplane->packets[1], true);
    put(dataplane, 1, 9, 100); /* replaces the flow that is now idle */
    for (unsigned i = 0; i < 5; i++) {
        struct sdd_match match = sdd_match_to_ipv4(0x0b000000, 8 + i);
        assert_int_equal(sdd_map_flow(sdd, 1, &match, 0, 100), SDD_OK);
    }
    struct sdd_match ninth = sdd_match_all();
    assert_int_equal(sdd_map_flow(sdd, 1, &ninth, 0, 100), SDD_ERR_FULL);
}

static void bad_arguments_change_nothing(void **state) {
    struct small_dataplane *dataplane = *state;
    struct sdd *sdd = dataplane->sdd, *other = NULL;
    struct sdd_limits limits = small;
    struct sdd_queue_config queue = {.priority = SDD_PRIORITIES};
    struct sdd_match match = sdd_match_all();
    struct sdd_program broken = {.length = 1, .code = {7}}, far = condition("Q[8].packets > 1");
    limits.max_queues = SDD_MAX_QUEUES + 1;
    assert_int_equal(sdd_create(&limits, &other), SDD_ERR_ARGUMENT);
    assert_null(other);
    assert_int_equal(sdd_open_queue(sdd, 4, &queue), SDD_ERR_ARGUMENT);
    queue = (struct sdd_queue_config){.drain_rate_bps = -1};
    assert_int_equal(sdd_configure_queue(sdd, 1, &queue, 0), SDD_ERR_ARGUMENT);
    queue = (struct sdd_queue_config){0};
    assert_int_equal(sdd_open_queue(sdd, 8, &queue), SDD_ERR_ARGUMENT);
    assert_int_equal(sdd_open_queue(sdd, 1, &queue), SDD_ERR_EXISTS);
    assert_int_equal(sdd_configure_queue(sdd, 4, &queue, 0), SDD_ERR_QUEUE);
    assert_int_equal(sdd_queue_config(sdd, 4, &queue), SDD_ERR_QUEUE);
    assert_int_equal(sdd_close_queue(sdd, 4, 0), SDD_ERR_QUEUE);
    assert_int_equal(sdd_close_queue(sdd, 1, 0), SDD_ERR_BUSY);
    assert_int_equal(sdd_map_flow(sdd, 4, &match, 0, 0), SDD_ERR_QUEUE);
    assert_int_equal(sdd_map_flow(sdd, 1, &match, SDD_FLOW_PRIORITIES, 0), SDD_ERR_ARGUMENT);
    match.source_prefix_bits = 129;
    assert_int_equal(sdd_map_flow(sdd, 1, &match, 0, 0), SDD_ERR_ARGUMENT);
    assert_int_equal(sdd_unmap_flow(sdd, &match, 0), SDD_ERR_NOT_FOUND);
    assert_int_equal(sdd_add_dequeue_condition(sdd, 1, &broken, 0), SDD_ERR_PROGRAM);
    assert_int_equal(sdd_add_dequeue_condition(sdd, 1, &far, 0), SDD_ERR_PROGRAM);
    assert_int_equal(sdd_remove_dequeue_condition(sdd, 1, &broken, 0), SDD_ERR_PROGRAM);
    assert_int_equal(sdd_add_dequeue_condition(sdd, 4, &far, 0), SDD_ERR_QUEUE);
    assert_int_equal(put_sized(dataplane, 1, 1, 0, 0), SDD_ERR_ARGUMENT);
    assert_int_equal(put_sized(dataplane, 1, 1, SDD_MAX_PACKET_BYTES + 1, 0), SDD_ERR_ARGUMENT);
    assert_int_equal(put_sized(dataplane, 4, 1, 1, 0), SDD_ERR_UNMAPPED);
    assert_null(sdd_stats(sdd, 4));
    assert_null(sdd_discard(sdd, 4, 0));
    /* queue 1 is unchanged */
    put(dataplane, 1, 1, 0);
    assert_int_equal(next(dataplane, 0), 0);
    assert_string_equal(sdd_status_text(SDD_ERR_UNMAPPED), "no mapping matches the flow");
}

static void a_closed_queue_leaves_nothing_behind(void **state) {
    struct small_dataplane *dataplane = *state;
    struct sdd_match to_1 = sdd_match_to_ipv4(0x0a000101, 32);
    struct sdd_program soon = condition("currTime > 50");
    struct sdd_event event;
    uint32_t trigger;
    add(dataplane, 1, "FALSE", 0);
    assert_int_equal(sdd_add_trigger(dataplane->sdd, 1, &soon, SDD_TO_CONTROLLER, 0, 0, &trigger),
                     SDD_OK);
    assert_int_equal(sdd_unmap_flow(dataplane->sdd, &to_1, 0), SDD_OK);
    assert_int_equal(sdd_close_queue(dataplane->sdd, 1, 0), SDD_OK);
    sdd_poll(dataplane->sdd, 100);
    assert_false(sdd_take_event(dataplane->sdd, SDD_CONTROLLER, &event));
    const struct sdd_queue_config plain = {0};
    assert_int_equal(sdd_open_queue(dataplane->sdd, 1, &plain), SDD_OK);
    assert_int_equal(sdd_map_flow(dataplane->sdd, 1, &to_1, 0, 0), SDD_OK);
    put(dataplane, 1, 1, 100);
    assert_int_equal(next(dataplane, 100), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_A_SMALL_DATAPLANE(every_capacity_is_kept_and_said),
        ON_A_SMALL_DATAPLANE(bad_arguments_change_nothing),
        ON_A_SMALL_DATAPLANE(a_closed_queue_leaves_nothing_behind),
    };
    return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
