/* Packet slots, and the order of packets by two networks. test_model.c tests more. */
#include "support.h"

enum { DELAY_NS = 30, BYTES = 100, PACKETS = 40 };
/* One packet every 20 ns. */
#define RATE_BPS INT64_C(40000000000)

static struct sdd_packet packets[PACKETS];

/* Returns a closed queue of circuits with packets of one flow and room for two slots. */
static struct sdd *shut_queue(void) {
    const struct sdd_limits limits = {
        .max_queues = 2, .max_flows = 2, .max_mappings = 2, .max_slots = 2, .max_events = 1};
    const struct sdd_queue_config shut = {.closed_by_default = true};
    const struct sdd_match all = sdd_match_all();
    struct sdd *sdd;
    assert_int_equal(sdd_create(&limits, &sdd), SDD_OK);
    assert_int_equal(sdd_open_queue(sdd, 0, &shut), SDD_OK);
    assert_int_equal(sdd_map_flow(sdd, 0, &all, 0, 0), SDD_OK);
    assert_int_equal(sdd_set_packet_delay(sdd, DELAY_NS, 0), SDD_OK);
    for (unsigned i = 0; i < PACKETS; i++) {
        packets[i] = (struct sdd_packet){.key = flow_key(1, 1), .bytes = BYTES};
        assert_int_equal(sdd_enqueue(sdd, &packets[i], 0), SDD_OK);
    }
    return sdd;
}

/* Checks that the flow's next packet leaves at at_ns by this network, and not a nanosecond
 * earlier. */
static void assert_next(struct sdd *sdd, int64_t at_ns, enum sdd_network network) {
    assert_null(sdd_dequeue(sdd, at_ns - 1));
    const struct sdd_packet *packet = sdd_dequeue(sdd, at_ns);
    assert_non_null(packet);
    assert_int_equal(packet->network, network);
    assert_int_equal(packet - packets + 1, sdd_stats(sdd, 0)->sent_packets);
}

static void circuits_wait_until_the_packet_switch_has_delivered(void **state) {
    (void)state;
    struct sdd *sdd = shut_queue();
    const struct sdd_program start = condition("TRUE"), stop = condition("FALSE");
    assert_int_equal(sdd_add_packet_slot(sdd, 0, (struct sdd_window){100, 1000}, RATE_BPS, 0),
                     SDD_OK);
    assert_next(sdd, 100, SDD_PACKET);
    assert_next(sdd, 120, SDD_PACKET);
    /* START: no packet by the packet switch, which would delay the circuit further */
    assert_int_equal(sdd_add_dequeue_condition(sdd, 0, &start, 130), SDD_OK);
    assert_next(sdd, 120 + DELAY_NS, SDD_CIRCUIT);
    const struct sdd_packet *packet = sdd_dequeue(sdd, 151);
    assert_ptr_equal(packet, &packets[3]);
    assert_int_equal(packet->network, SDD_CIRCUIT);
    /* STOP: a circuit queues no packets */
    assert_int_equal(sdd_add_dequeue_condition(sdd, 0, &stop, 152), SDD_OK);
    packet = sdd_dequeue(sdd, 152);
    assert_ptr_equal(packet, &packets[4]);
    assert_int_equal(packet->network, SDD_PACKET);
    assert_int_equal(sdd_stats(sdd, 0)->packet_switch_packets, 3);
    assert_int_equal(sdd_stats(sdd, 0)->packet_switch_bytes, 3 * BYTES);
    sdd_destroy(sdd);
}

static void a_packet_slot_ends_when_a_slot_begins(void **state) {
    (void)state;
    struct sdd *sdd = shut_queue();
    assert_int_equal(sdd_add_packet_slot(sdd, 0, (struct sdd_window){0, 1000}, RATE_BPS, 0),
                     SDD_OK);
    assert_int_equal(sdd_add_slot(sdd, 0, (struct sdd_window){35, 60}, 0), SDD_OK);
    assert_non_null(sdd_dequeue(sdd, 0));
    assert_next(sdd, 20, SDD_PACKET);
    assert_next(sdd, 50, SDD_CIRCUIT);
    assert_int_equal(sdd_dequeue(sdd, 59)->network, SDD_CIRCUIT);
    assert_int_equal(sdd_dequeue(sdd, 60)->network, SDD_PACKET);
    sdd_destroy(sdd);
}

static void the_rate_of_whichever_slot_is_open_pays(void **state) {
    (void)state;
    struct sdd *sdd = shut_queue();
    assert_int_equal(sdd_add_packet_slot(sdd, 0, (struct sdd_window){100, 110}, RATE_BPS, 0),
                     SDD_OK);
    assert_int_equal(sdd_add_packet_slot(sdd, 0, (struct sdd_window){200, 1000}, RATE_BPS / 4, 0),
                     SDD_OK);
    assert_next(sdd, 100, SDD_PACKET);
    /* half of the debt in 10 ns; then no slot; the other half in 40 ns */
    assert_next(sdd, 240, SDD_PACKET);
    assert_next(sdd, 320, SDD_PACKET);
    /* waiting earns no credit */
    assert_non_null(sdd_dequeue(sdd, 800));
    assert_next(sdd, 880, SDD_PACKET);
    sdd_destroy(sdd);
}

static void what_can_be_no_packet_slot_is_refused(void **state) {
    (void)state;
    struct sdd *sdd = shut_queue();
    const struct sdd_window slot = {10, 20};
    assert_int_equal(sdd_add_packet_slot(sdd, 1, slot, 1, 0), SDD_ERR_QUEUE);
    assert_int_equal(sdd_add_packet_slot(sdd, 0, slot, 0, 0), SDD_ERR_ARGUMENT);
    assert_int_equal(sdd_add_packet_slot(sdd, 0, slot, SDD_MAX_DRAIN_RATE_BPS + 1, 0),
                     SDD_ERR_ARGUMENT);
    assert_int_equal(sdd_add_packet_slot(sdd, 0, (struct sdd_window){10, 10}, 1, 0),
                     SDD_ERR_ARGUMENT);
    assert_int_equal(sdd_set_packet_delay(sdd, -1, 0), SDD_ERR_ARGUMENT);
    /* a slot in the past needs no room, others do */
    assert_int_equal(sdd_add_packet_slot(sdd, 0, slot, 1, 20), SDD_OK);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(sdd_add_packet_slot(sdd, 0, (struct sdd_window){30, 40}, 1, 20), SDD_OK);
    assert_int_equal(sdd_add_packet_slot(sdd, 0, (struct sdd_window){30, 40}, 1, 20), SDD_ERR_FULL);
    assert_int_equal(sdd_clear_all_but_slots(sdd, 0, 20), SDD_OK);
    assert_int_equal(sdd_add_packet_slot(sdd, 0, (struct sdd_window){30, 40}, 1, 20), SDD_ERR_FULL);
    assert_int_equal(sdd_clear_dequeue_conditions(sdd, 0, 20), SDD_OK);
    assert_int_equal(sdd_add_packet_slot(sdd, 0, (struct sdd_window){30, 40}, 1, 20), SDD_OK);
    /* a queue of the packet switch has no packet slots */
    const struct sdd_queue_config to_packet_switch = {.network = SDD_PACKET};
    assert_int_equal(sdd_open_queue(sdd, 1, &to_packet_switch), SDD_OK);
    assert_int_equal(sdd_add_packet_slot(sdd, 1, (struct sdd_window){30, 40}, 1, 20),
                     SDD_ERR_ARGUMENT);
    sdd_destroy(sdd);
}

static void what_leaves_without_conditions_goes_by_the_packet_switch_and_counts(void **state) {
    (void)state;
    struct sdd *sdd = shut_queue();
    assert_int_equal(sdd_set_override(sdd, SDD_ALL_OPEN, 10), SDD_OK);
    assert_int_equal(sdd_dequeue(sdd, 10)->network, SDD_PACKET);
    assert_int_equal(sdd_dequeue(sdd, 11)->network, SDD_PACKET);
    assert_int_equal(sdd_add_slot(sdd, 0, (struct sdd_window){12, 100}, 11), SDD_OK);
    assert_int_equal(sdd_set_override(sdd, SDD_BY_CONDITIONS, 12), SDD_OK);
    assert_next(sdd, 11 + DELAY_NS, SDD_CIRCUIT);
    sdd_destroy(sdd);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circuits_wait_until_the_packet_switch_has_delivered),
        cmocka_unit_test(a_packet_slot_ends_when_a_slot_begins),
        cmocka_unit_test(the_rate_of_whichever_slot_is_open_pays),
        cmocka_unit_test(what_can_be_no_packet_slot_is_refused),
        cmocka_unit_test(what_leaves_without_conditions_goes_by_the_packet_switch_and_counts),
    };
    return cmocka_run_group_tests_name("packet slots", tests, NULL, NULL);
}
