/* The programs of a leaf's ports: the uplinks that LetFlow and IntFlow choose. */
#include <arpa/inet.h>
#include <linux/pkt_cls.h>
#include <string.h>

#include "leaves.h"
#include "testing.h"

enum { FLOWLETS = 4000 };

/* An overlay packet from here to there, recreated for each test. */
static uint8_t outer[FRAME + HEADER];

static int make_packet(void **state) {
    (void)state;
    if (object)
        make_overlay(outer);
    return 0;
}

static void a_flow_keeps_its_uplink_while_a_flowlet_lasts(void **state) {
    (void)state;
    if (!object)
        skip();
    for (uint32_t i = EDGE_LEAF_LETFLOW; i <= EDGE_LEAF_INTFLOW; i++) {
        be_leaves(i, never_ns);
        const uint32_t uplink = send_by(0, outer, 0);
        const uint64_t began = look(0)->sent[uplink].flowlets;
        for (unsigned packet = 1; packet < 50; packet++)
            assert_int_equal(send_by(0, outer, 0), uplink);
        assert_int_equal(found.sent[uplink].packets, 50);
        assert_int_equal(found.sent[uplink].bytes, (uint64_t)50 * (FRAME - ETHERNET));
        assert_int_equal(found.sent[uplink].flowlets, began);
    }
}

/* Overlay flows are distinguished by their inner headers if the outer ones are equal. */
static void flows_are_those_inside_the_overlay(void **state) {
    (void)state;
    if (!object)
        skip();
    be_leaves(EDGE_LEAF_LETFLOW, never_ns);
    unsigned used = 0;
    for (unsigned flow = 0; flow < 100; flow++) {
        outer[ETHERNET + HEADER + 21] = (uint8_t)flow; /* the inner source port */
        used |= 1u << send_by(0, outer, 0);
    }
    assert_int_equal(used, (1u << UPLINKS) - 1);
}

/* FLOWLETS over 4 uplinks: standard deviation 27. The test allows five. */
static void letflow_draws_an_uplink_for_each_flowlet(void **state) {
    (void)state;
    if (!object)
        skip();
    uint8_t inner[FRAME];
    make_inner(inner);
    memcpy(inner + SOURCE, &here, 4); /* from a host without an overlay */
    memcpy(inner + DESTINATION, &there, 4);
    for (unsigned overlay = 0; overlay < 2; overlay++) {
        be_leaves(EDGE_LEAF_LETFLOW, 0);
        uint64_t flowlets = 0;
        for (unsigned i = 0; i < FLOWLETS; i++) {
            uint8_t frame[FRAME + HEADER];
            memcpy(frame, overlay ? outer : inner, overlay ? sizeof outer : sizeof inner);
            assert_int_equal(from_host(0, frame, overlay ? sizeof outer : sizeof inner),
                             TC_ACT_REDIRECT);
        }
        look(0);
        for (unsigned i = 0; i < UPLINKS; i++) {
            assert_in_range(found.sent[i].flowlets, FLOWLETS / UPLINKS - 137,
                            FLOWLETS / UPLINKS + 137);
            assert_int_equal(found.sent[i].packets, found.sent[i].flowlets);
            assert_in_range(found.sent[i].moved, 1, found.sent[i].flowlets - 1);
            flowlets += found.sent[i].flowlets;
        }
        assert_int_equal(flowlets, FLOWLETS);
    }
}

static void an_uplink_without_a_carrier_is_not_used(void **state) {
    (void)state;
    if (!object)
        skip();
    for (uint32_t i = EDGE_LEAF_LETFLOW; i <= EDGE_LEAF_INTFLOW; i++) {
        be_leaves(i, never_ns);
        const uint32_t uplink = send_by(0, outer, 0);
        set_carriers(0, ((1u << UPLINKS) - 1) & ~(1u << uplink));
        const uint32_t other = send_by(0, outer, EDGE_SMALL_FLOW);
        assert_int_not_equal(other, uplink);
        for (unsigned packet = 0; packet < 100; packet++)
            assert_int_equal(send_by(0, outer, EDGE_SMALL_FLOW), other);
        set_carriers(0, 0);
        assert_int_equal(from_host(0, outer, sizeof outer), TC_ACT_UNSPEC);
    }
}

static uint16_t checksum_of(const uint8_t *ip) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < 20; i += 2)
        sum += edge_get16(ip + i);
    return (uint16_t)((sum & 0xffff) + (sum >> 16));
}

static void a_packet_that_an_uplink_takes_has_one_hop_less(void **state) {
    (void)state;
    if (!object)
        skip();
    uint8_t before[FRAME + HEADER];
    be_leaves(EDGE_LEAF_LETFLOW, 0);
    memcpy(before, outer, sizeof before);
    assert_int_equal(from_host(0, outer, sizeof outer), TC_ACT_REDIRECT);
    assert_int_equal(outer[TTL], before[TTL] - 1);
    assert_int_equal(checksum_of(outer + ETHERNET), 0xffff);
    outer[TTL] = before[TTL];
    memcpy(outer + CHECKSUM, before + CHECKSUM, 2);
    assert_memory_equal(outer, before, sizeof outer); /* LetFlow has no tags */
}

/* Packets that the router must answer or deliver, and packets from hosts of no leaf. */
static void other_packets_are_left_to_the_routes(void **state) {
    (void)state;
    if (!object)
        skip();
    const uint32_t nobody = inet_addr("203.0.113.1");
    for (unsigned i = 0; i < 5; i++) {
        uint8_t before[FRAME + HEADER];
        be_leaves(EDGE_LEAF_CONGA, 0);
        make_overlay(outer);
        if (i == 0)
            outer[TTL] = 1;
        else if (i == 1)
            memcpy(outer + DESTINATION, &here, 4); /* to this leaf */
        else if (i == 2)
            memcpy(outer + SOURCE, &there, 4); /* not from this leaf's hosts */
        else if (i == 3)
            memcpy(outer + DESTINATION, &nobody, 4);
        else
            outer[12] = 0x86, outer[13] = 0xdd; /* IPv6 */
        memcpy(before, outer, sizeof before);
        assert_int_equal(from_host(0, outer, sizeof outer), TC_ACT_UNSPEC);
        assert_memory_equal(outer, before, sizeof outer);
        for (unsigned uplink = 0; uplink < UPLINKS; uplink++)
            assert_int_equal(look(0)->sent[uplink].packets, 0);
    }
}

static void intflow_goes_by_the_hosts_instruction(void **state) {
    (void)state;
    if (!object)
        skip();
    be_leaves(EDGE_LEAF_INTFLOW, 0);
    /* Without a gap each packet begins a flowlet, unless its flow must not be rerouted. */
    const uint32_t first = send_by(0, outer, EDGE_SMALL_FLOW);
    for (unsigned packet = 0; packet < 50; packet++)
        assert_int_equal(send_by(0, outer, EDGE_SMALL_FLOW), first);
    be_leaves(EDGE_LEAF_INTFLOW, never_ns);
    uint32_t last = send_by(0, outer, EDGE_UNASSIGNED);
    for (unsigned packet = 0; packet < 50; packet++) {
        const uint32_t now = send_by(0, outer, EDGE_FAILURE);
        assert_int_not_equal(now, last);
        last = now;
    }
    /* A retransmission counts on the uplink that lost the packet. */
    const uint64_t bytes = look(0)->leaf.rate[last].bytes;
    send_by(0, outer, EDGE_SMALL_FLOW | EDGE_RETRANSMISSION);
    assert_int_equal(look(0)->leaf.rate[last].bytes,
                     bytes + (uint64_t)(FRAME + HEADER) * (EDGE_DREVA_BETA + 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_flow_keeps_its_uplink_while_a_flowlet_lasts, make_packet),
        cmocka_unit_test_setup(flows_are_those_inside_the_overlay, make_packet),
        cmocka_unit_test_setup(letflow_draws_an_uplink_for_each_flowlet, make_packet),
        cmocka_unit_test_setup(an_uplink_without_a_carrier_is_not_used, make_packet),
        cmocka_unit_test_setup(a_packet_that_an_uplink_takes_has_one_hop_less, make_packet),
        cmocka_unit_test_setup(other_packets_are_left_to_the_routes, make_packet),
        cmocka_unit_test_setup(intflow_goes_by_the_hosts_instruction, make_packet),
    };
    return cmocka_run_group_tests(tests, leaves_load, leaves_unload);
}
