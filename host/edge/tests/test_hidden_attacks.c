/* The hidden overlay: packets that are not a peer's. */
#include <arpa/inet.h>
#include <linux/in.h>
#include <linux/pkt_cls.h>
#include <string.h>

#include "random.h"
#include "segments.h"
#include "testing.h"

enum { FUZZ_RUNS = 40000 };

static void what_no_peer_sends_is_dropped_and_counted(void **state) {
    (void)state;
    if (!object)
        skip();
    enum { NOTE_IN_FRONT = TCP + 16, NOTE_IN_OPTION = OPTIONS + 16 };
    const struct {
        unsigned in_front, in_option; /* offsets; 0: not in this form */
        uint8_t value;
        uint32_t why;
    } attacks[] = {
        {IP + 15, IP + 15, 9, EDGE_DROP_STRANGER},                          /* source */
        {TCP + 23, OPTIONS + 7, 9, EDGE_DROP_SPOOFED},                      /* the guest's source */
        {NOTE_IN_FRONT, NOTE_IN_OPTION, 0x20, EDGE_DROP_MALFORMED},         /* another version */
        {NOTE_IN_FRONT + 1, NOTE_IN_OPTION + 1, 15, EDGE_DROP_MALFORMED},   /* no scheme */
        {NOTE_IN_FRONT + 1, NOTE_IN_OPTION + 1, 0x40, EDGE_DROP_MALFORMED}, /* no ECN */
        {NOTE_IN_FRONT + 2, NOTE_IN_OPTION + 2, 64, EDGE_DROP_MALFORMED},   /* no path */
        {NOTE_IN_FRONT + 3, NOTE_IN_OPTION + 3, 64, EDGE_DROP_MALFORMED},
        {0, OPTIONS + 27, 1, EDGE_DROP_MALFORMED},
    };
    for (unsigned in_option = 0; in_option < 2; in_option++)
        for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++) {
            uint8_t frame[LONGEST];
            uint32_t length = make_arrival(frame, in_option);
            const unsigned at = in_option ? attacks[i].in_option : attacks[i].in_front;
            if (!at)
                continue;
            const uint64_t before = dropped(attacks[i].why);
            frame[at] = attacks[i].value;
            put_ip_checksum(frame);
            assert_int_equal(pass("hidden_in", frame, &length, false), TC_ACT_SHOT);
            assert_int_equal(dropped(attacks[i].why), before + 1);
        }
}

/* Neither form has room for a code (proof.h). */
static void a_report_moves_nothing_where_the_peer_has_keys(void **state) {
    (void)state;
    if (!object)
        skip();
    const struct edge_address sender = outer_of(here);
    static struct edge_peer peer;
    static struct edge_account account;
    for (unsigned keyed = 0; keyed < 2; keyed++)
        for (unsigned in_option = 0; in_option < 2; in_option++) {
            uint8_t frame[LONGEST];
            uint32_t length = make_arrival(frame, in_option);
            const unsigned note = in_option ? OPTIONS + 16 : TCP + 16;
            get("peers", &sender, &peer);
            peer.keys = (struct edge_keys){.required = keyed};
            put("peers", &sender, &peer);
            frame[note] |= EDGE_OPTION_FEEDBACK | EDGE_OPTION_MARKED;
            frame[note + 3] = 5;
            assert_int_equal(pass("hidden_in", frame, &length, false), TC_ACT_UNSPEC);
            assert_memory_equal(frame + IP + 12, &inside_here, 4); /* the guest gets it */
            get("peers", &sender, &peer);
            get("accounts", &sender, &account);
            assert_int_equal(peer.paths.weight[5] < EDGE_WEIGHT_ONE / PATHS, !keyed);
            assert_int_equal(account.unproved, keyed);
        }
}

static void segments_of_connections_to_the_port_pass_as_they_are(void **state) {
    (void)state;
    if (!object)
        skip();
    const unsigned in_front[] = {IP + 8,  IP + 19, TCP + 3,  TCP + 4, TCP + 5,
                                 TCP + 6, TCP + 7, TCP + 12, TCP + 13};
    const unsigned in_options[] = {IP + 8,      IP + 19,     TCP + 3,    OPTIONS,
                                   OPTIONS + 1, OPTIONS + 2, OPTIONS + 3};
    for (unsigned in_option = 0; in_option < 2; in_option++) {
        uint8_t arrival[LONGEST], frame[LONGEST];
        const uint32_t length = make_arrival(arrival, in_option);
        const unsigned *others = in_option ? in_options : in_front;
        for (size_t i = 0; i < (in_option ? sizeof in_options : sizeof in_front) / sizeof *others;
             i++) {
            uint32_t out_length = length;
            memcpy(frame, arrival, length);
            frame[others[i]] ^= 1;
            if (others[i] >= TCP)
                put_ip_checksum(frame);
            uint8_t spoilt[LONGEST];
            memcpy(spoilt, frame, length);
            assert_int_equal(pass("hidden_in", frame, &out_length, false), TC_ACT_UNSPEC);
            assert_int_equal(out_length, length);
            assert_memory_equal(frame, spoilt, length);
        }
        for (uint32_t shorter = TCP; shorter < length; shorter++) {
            uint32_t out_length = shorter;
            memcpy(frame, arrival, shorter);
            const int verdict = pass("hidden_in", frame, &out_length, false);
            assert_true(verdict == TC_ACT_SHOT || verdict == TC_ACT_UNSPEC);
        }
    }
}

/* For any packet, the tables' invariants hold, and a packet that passes is unchanged or a
 * guest's. */
static void random_headers_break_nothing(void **state) {
    (void)state;
    if (!object)
        skip();
    static struct edge_peer peer;
    struct random random = {seed()};
    uint8_t arrival[LONGEST], frame[LONGEST], spoilt[LONGEST];
    const struct edge_address sender = outer_of(here);
    uint32_t whole = 0;
    for (unsigned i = 0; i < FUZZ_RUNS; i++) {
        if (i % 1000 == 0) {
            scheme = (uint32_t)random_between(&random, 0, EDGE_SCHEMES - 1);
            whole = make_arrival(arrival, random_one_in(&random, 2));
        }
        memcpy(frame, arrival, whole);
        for (unsigned changes = 0; changes < 3; changes++)
            if (random_one_in(&random, 2))
                frame[random_between(&random, TCP + 3, OPTIONS + 39)] =
                    (uint8_t)random_next(&random);
        if (random_one_in(&random, 4))
            frame[random_between(&random, IP, OPTIONS)] = (uint8_t)random_next(&random);
        if (random_one_in(&random, 2))
            put_ip_checksum(frame);
        uint32_t length =
            random_one_in(&random, 4) ? (uint32_t)random_between(&random, TCP, whole) : whole;
        const uint32_t before = length;
        memcpy(spoilt, frame, whole);
        const int verdict = pass("hidden_in", frame, &length, random_one_in(&random, 8));
        assert_true(verdict == TC_ACT_UNSPEC || verdict == TC_ACT_SHOT);
        if (verdict == TC_ACT_UNSPEC && (length != before || memcmp(frame, spoilt, length) != 0))
            assert_memory_equal(frame + IP + 12, &inside_here, 4);
    }
    get("peers", &sender, &peer);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < PATHS; i++)
        sum += peer.paths.weight[i];
    assert_int_equal(sum, EDGE_WEIGHT_ONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_no_peer_sends_is_dropped_and_counted, segments_begin),
        cmocka_unit_test_setup(a_report_moves_nothing_where_the_peer_has_keys, segments_begin),
        cmocka_unit_test_setup(segments_of_connections_to_the_port_pass_as_they_are,
                               segments_begin),
        cmocka_unit_test_setup(random_headers_break_nothing, segments_begin),
    };
    return cmocka_run_group_tests(tests, segments_load, segments_unload);
}
