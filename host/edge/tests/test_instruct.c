/* IntFlow's host: instructions to leaves, and the return of delays. */
#include <linux/pkt_cls.h>
#include <netinet/in.h>
#include <string.h>

#include "edge/option.h"
#include "programs.h"
#include "random.h"
#include "testing.h"

enum {
    IP_HEADERS = 40, /* IPv4 and TCP */
    PAYLOAD = FRAME - ETHERNET - IP_HEADERS,
    SEQUENCE = ETHERNET + 20 + 4,
    DATA_OFFSET = ETHERNET + 20 + 12,
    INSTRUCTION = OPTION + 1,
    METRIC = OPTION + 12,
    FUZZ_RUNS = 20000,
};

static struct edge_peer peer;
static struct edge_account account;

/* Writes a segment from here to there, or in the other direction. */
static void make_segment(uint8_t *frame, uint32_t sequence, bool back) {
    make_inner(frame);
    frame[23] = IPPROTO_TCP;
    if (back) {
        memcpy(frame + 26, &inside_there, 4);
        memcpy(frame + 30, &inside_here, 4);
        frame[35] = 2;
        frame[37] = 1;
    }
    edge_put32(frame + SEQUENCE, sequence);
    frame[DATA_OFFSET] = 0x50;
}

/* Sends a segment through the edge. Each connection of a test has its own source port. */
static void send_segment(uint8_t *outer, uint8_t port, uint32_t sequence, bool back) {
    uint8_t frame[FRAME];
    uint32_t length = FRAME + HEADER;
    make_segment(frame, sequence, back);
    frame[back ? 37 : 35] = port;
    assert_int_equal(run("edge_out", frame, FRAME, outer, &length), TC_ACT_UNSPEC);
    assert_int_equal(length, FRAME + HEADER);
}

static uint32_t instructed(uint8_t port, uint32_t sequence) {
    uint8_t outer[FRAME + HEADER];
    send_segment(outer, port, sequence, false);
    return outer[INSTRUCTION];
}

static void receive(uint8_t *outer) {
    uint8_t inner[FRAME + HEADER];
    uint32_t length = sizeof inner;
    assert_int_equal(run("edge_in", outer, FRAME + HEADER, inner, &length), TC_ACT_UNSPEC);
    assert_int_equal(length, FRAME);
}

/* Configures the edge of an address with thresholds of IntFlow. failing: any retransmission is a
 * failure, otherwise none for seconds. large: a flow that has sent any data is large. */
static void be_intflow(uint32_t address, bool failing, bool large) {
    const struct edge_address other = outer_of(address == here ? there : here);
    scheme = EDGE_INTFLOW;
    be(address);
    get("peers", &other, &peer);
    peer.params.window_ns = failing ? 1 : UINT32_MAX;
    if (large) {
        peer.params.size_bytes = 1;
        peer.params.rate_bps = UINT64_MAX;
    }
    put("peers", &other, &peer);
}

static void segments_carry_their_flows_instruction(void **state) {
    (void)state;
    if (!object)
        skip();
    be_intflow(here, false, false);
    assert_int_equal(instructed(1, 1000), EDGE_UNASSIGNED);
    assert_int_equal(instructed(1, 1000 + PAYLOAD), EDGE_SMALL_FLOW);
    assert_int_equal(instructed(1, 1000), EDGE_SMALL_FLOW | EDGE_RETRANSMISSION);
    const struct edge_address told = outer_of(there);
    get("accounts", &told, &account);
    assert_int_equal(account.instructed[EDGE_UNASSIGNED], 1);
    assert_int_equal(account.instructed[EDGE_SMALL_FLOW], 2);
    assert_int_equal(account.resent, 1);
    be_intflow(here, false, true);
    assert_int_equal(instructed(1, 1000 + 2 * PAYLOAD), EDGE_UNASSIGNED);
}

static void many_retransmissions_are_a_failure(void **state) {
    (void)state;
    if (!object)
        skip();
    be_intflow(here, true, false);
    instructed(3, 1000);
    instructed(3, 1000);
    assert_int_equal(instructed(3, 1000), EDGE_FAILURE | EDGE_RETRANSMISSION);
}

static void what_has_no_data_has_no_instruction(void **state) {
    (void)state;
    if (!object)
        skip();
    uint8_t frame[FRAME], outer[FRAME + HEADER];
    uint32_t length = sizeof outer;
    be_intflow(here, false, false);
    instructed(4, 1000);
    make_segment(frame, 1000 + PAYLOAD, false);
    frame[35] = 4;
    frame[17] = IP_HEADERS;
    assert_int_equal(run("edge_out", frame, ETHERNET + IP_HEADERS, outer, &length), TC_ACT_UNSPEC);
    assert_int_equal(outer[INSTRUCTION], EDGE_UNASSIGNED);
    make_inner(frame); /* UDP */
    length = sizeof outer;
    assert_int_equal(run("edge_out", frame, FRAME, outer, &length), TC_ACT_UNSPEC);
    assert_int_equal(outer[INSTRUCTION], EDGE_UNASSIGNED);
}

/* The receiver reports a segment's delay once, in the next packet of the connection. */
static void a_segments_delay_goes_back_with_its_connection(void **state) {
    (void)state;
    if (!object)
        skip();
    uint8_t outer[FRAME + HEADER], back[FRAME + HEADER];
    be_intflow(here, false, true);
    send_segment(outer, 5, 1000, false);
    be_intflow(there, false, false);
    receive(outer);
    send_segment(back, 6, 7000, true); /* of another connection */
    assert_int_equal(back[OPTION] & EDGE_OPTION_FEEDBACK, 0);
    send_segment(back, 5, 7000, true);
    assert_int_equal(back[OPTION] & EDGE_OPTION_FEEDBACK, EDGE_OPTION_FEEDBACK);
    send_segment(outer, 5, 7000 + PAYLOAD, true);
    assert_int_equal(outer[OPTION] & EDGE_OPTION_FEEDBACK, 0);

    for (unsigned slow = 0; slow < 2; slow++) {
        be_intflow(here, false, true);
        edge_put32(back + METRIC, slow ? 1000000000 : 1000);
        receive(back);
        assert_int_equal(instructed(5, 1000 + (slow + 1) * PAYLOAD),
                         slow ? EDGE_CONGESTION : EDGE_UNASSIGNED);
    }
}

static void random_segments_break_nothing(void **state) {
    (void)state;
    if (!object)
        skip();
    struct random random = {seed()};
    be_intflow(here, true, false);
    for (unsigned i = 0; i < FUZZ_RUNS; i++) {
        uint8_t frame[FRAME], outer[FRAME + HEADER], inner[FRAME + HEADER];
        uint32_t length = sizeof outer, in_length = sizeof inner;
        make_segment(frame, (uint32_t)random_next(&random), false);
        for (unsigned at = ETHERNET + 20; at < ETHERNET + IP_HEADERS; at++)
            if (random_one_in(&random, 2))
                frame[at] = (uint8_t)random_next(&random);
        assert_int_equal(run("edge_out", frame, FRAME, outer, &length), TC_ACT_UNSPEC);
        assert_in_range(outer[INSTRUCTION], 0, 7);
        make_segment(frame, (uint32_t)random_next(&random), true);
        memcpy(outer + ETHERNET + 12, &there, 4);
        memcpy(outer + ETHERNET + 16, &here, 4);
        memcpy(outer + HEADER + 26, frame + 26, 8);
        edge_put32(outer + METRIC, (uint32_t)random_next(&random));
        outer[OPTION] |= EDGE_OPTION_FEEDBACK;
        assert_int_equal(run("edge_in", outer, sizeof outer, inner, &in_length), TC_ACT_UNSPEC);
        assert_int_equal(in_length, FRAME);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_carry_their_flows_instruction),
        cmocka_unit_test(many_retransmissions_are_a_failure),
        cmocka_unit_test(what_has_no_data_has_no_instruction),
        cmocka_unit_test(a_segments_delay_goes_back_with_its_connection),
        cmocka_unit_test(random_segments_break_nothing),
    };
    return cmocka_run_group_tests(tests, programs_load, programs_unload);
}
