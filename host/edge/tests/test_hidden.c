/* The hidden overlay: guests' segments from one edge to the other. */
#include <arpa/inet.h>
#include <linux/in.h>
#include <linux/pkt_cls.h>
#include <string.h>

#include "segments.h"
#include "testing.h"

static uint64_t left(uint32_t reason) {
    static struct edge_account account;
    const struct edge_address peer = outer_of(there);
    get("accounts", &peer, &account);
    return account.unhidden[reason];
}

static void has_outer_five_tuple(const uint8_t *frame) {
    assert_int_equal(frame[IP + 9], IPPROTO_TCP);
    assert_memory_equal(frame + IP + 12, &here, 4);
    assert_memory_equal(frame + IP + 16, &there, 4);
    assert_in_range(frame[TCP] << 8 | frame[TCP + 1], 50000, 50000 + PATHS - 1);
    assert_int_equal(frame[TCP + 2] << 8 | frame[TCP + 3], 6081);
    assert_int_equal(folded(frame + IP, 20, 0), 0xffff);
}

static void segments_get_their_own_headers_back(void **state) {
    (void)state;
    if (!object)
        skip();
    for (scheme = 0; scheme < EDGE_SCHEMES; scheme++)
        for (uint32_t options = 0; options <= 40; options += 4) {
            uint8_t frame[LONGEST], guest[LONGEST];
            uint32_t length = make_segment(guest, timestamps_and_sack, options, options % 8 * 10);
            const uint32_t before = length;
            guest[IP + 1] = (uint8_t)(options / 4 % 3); /* all ECN values that senders use */
            put_ip_checksum(guest);
            memcpy(frame, guest, length);
            be(here);
            assert_int_equal(pass("hidden_out", frame, &length, false), TC_ACT_UNSPEC);
            assert_int_equal(length, before + EDGE_HIDDEN_BYTES);
            has_outer_five_tuple(frame);
            assert_int_equal(frame[IP + 2] << 8 | frame[IP + 3], length - IP);
            be(there);
            assert_int_equal(pass("hidden_in", frame, &length, false), TC_ACT_UNSPEC);
            assert_int_equal(length, before);
            assert_memory_equal(frame, guest, before);
        }
}

/* The guest's options come first, followed by the end of the list; the checksum is correct. */
static void pieces_of_large_segments_get_their_five_tuple_back(void **state) {
    (void)state;
    if (!object)
        skip();
    for (scheme = 0; scheme < EDGE_SCHEMES; scheme++)
        for (uint32_t options = 0; options <= 12; options += 4) {
            static const uint8_t none[EDGE_HIDDEN_BYTES];
            uint8_t frame[LONGEST], guest[LONGEST];
            uint32_t length = make_segment(guest, timestamps_and_sack, options, PAYLOAD);
            const uint32_t whole = length + EDGE_HIDDEN_BYTES;
            memcpy(frame, guest, length);
            length = hide(frame, length, true);
            has_outer_five_tuple(frame);
            assert_int_equal(pass("hidden_in", frame, &length, false), TC_ACT_UNSPEC);
            assert_int_equal(length, whole);
            assert_memory_equal(frame + IP + 12, guest + IP + 12, 8);
            assert_memory_equal(frame + TCP, guest + TCP, 12);
            assert_memory_equal(frame + OPTIONS, guest + OPTIONS, options);
            assert_memory_equal(frame + OPTIONS + options, none, sizeof none);
            assert_memory_equal(frame + OPTIONS + options + sizeof none, guest + OPTIONS + options,
                                PAYLOAD);
            assert_int_equal(folded(frame + IP, 20, 0), 0xffff);
            assert_int_equal(tcp_sum(frame, length), 0xffff);
        }
}

/* Checks that hidden_out leaves a frame unchanged for this reason. */
static void leaves(const uint8_t *guest, uint32_t length, bool gso, uint32_t why) {
    uint8_t frame[LONGEST];
    uint32_t out_length = length;
    const uint64_t before = left(why);
    memcpy(frame, guest, length);
    assert_int_equal(pass("hidden_out", frame, &out_length, gso), TC_ACT_UNSPEC);
    assert_int_equal(out_length, length);
    assert_memory_equal(frame, guest, length);
    assert_int_equal(left(why), before + 1);
}

static void what_cannot_be_hidden_goes_as_it_is_and_is_counted(void **state) {
    (void)state;
    if (!object)
        skip();
    uint8_t frame[LONGEST], options[40] = {30, 20}; /* for example MPTCP's */
    be(here);
    make_inner(frame); /* UDP */
    leaves(frame, FRAME, false, EDGE_UNHIDDEN_NOT_TCP);
    uint32_t length = make_segment(frame, options, 20, PAYLOAD);
    leaves(frame, length, true, EDGE_UNHIDDEN_NO_ROOM);
    frame[IP + 6] = 0x20; /* a first fragment */
    leaves(frame, length, false, EDGE_UNHIDDEN_NOT_TCP);
    const uint32_t zero = 0;
    struct edge_settings settings;
    length = make_segment(frame, options, 0, PAYLOAD);
    get("settings", &zero, &settings);
    settings.mtu = length - IP + EDGE_HIDDEN_BYTES - 1;
    put("settings", &zero, &settings);
    leaves(frame, length, false, EDGE_UNHIDDEN_TOO_LONG);
    settings.mtu++;
    put("settings", &zero, &settings);
    assert_int_equal(pass("hidden_out", frame, &length, false), TC_ACT_UNSPEC);
    has_outer_five_tuple(frame);
}

static void traffic_of_others_passes_as_it_is(void **state) {
    (void)state;
    if (!object)
        skip();
    uint8_t guest[LONGEST], frame[LONGEST];
    const uint32_t length = make_segment(guest, timestamps_and_sack, 12, PAYLOAD);
    for (unsigned in = 0; in < 2; in++) {
        uint32_t out_length = length;
        memcpy(frame, guest, length);
        frame[IP + 19] = 9; /* to an address without a peer */
        be(here);
        assert_int_equal(pass(in ? "hidden_in" : "hidden_out", frame, &out_length, false),
                         TC_ACT_UNSPEC);
        assert_int_equal(out_length, length);
        assert_memory_equal(frame, guest, IP + 19);
    }
}

/* Clove hides marks from guests; other schemes pass them to ECN-capable guests. */
static void marks_reach_guests_as_their_scheme_says(void **state) {
    (void)state;
    if (!object)
        skip();
    for (scheme = 0; scheme < EDGE_SCHEMES; scheme++)
        for (unsigned ecn = 0; ecn < 3; ecn++)
            for (unsigned in_option = 0; in_option < 2; in_option++) {
                uint8_t frame[LONGEST];
                uint32_t length = make_segment(frame, timestamps_and_sack, 12, PAYLOAD);
                frame[IP + 1] = (uint8_t)(0xb8 | ecn); /* and a DSCP, which does not change */
                put_ip_checksum(frame);
                length = hide(frame, length, in_option);
                const bool masked = scheme == EDGE_CLOVE_ECN;
                if (!in_option)
                    assert_int_equal(frame[IP + 1], 0xb8 | (masked ? EDGE_ECT0 : ecn));
                frame[IP + 1] |= EDGE_CE;
                put_ip_checksum(frame);
                assert_int_equal(pass("hidden_in", frame, &length, false), TC_ACT_UNSPEC);
                assert_int_equal(frame[IP + 1], 0xb8 | (masked || !ecn ? ecn : EDGE_CE));
                assert_int_equal(folded(frame + IP, 20, 0), 0xffff);
                assert_int_equal(tcp_sum(frame, length), 0xffff);
            }
}

static void a_mark_is_reported_and_taken(void **state) {
    (void)state;
    if (!object)
        skip();
    const struct edge_address sender = outer_of(here), receiver = outer_of(there);
    static struct edge_peer peer;
    static struct edge_account account;
    for (unsigned in_option = 0; in_option < 2; in_option++) {
        uint8_t frame[LONGEST], back[LONGEST];
        const uint32_t guests = make_segment(frame, timestamps_and_sack, 12, PAYLOAD);
        uint32_t length = hide(frame, guests, in_option);
        const uint32_t path = frame[in_option ? OPTIONS + 18 : TCP + 18];
        frame[IP + 1] |= EDGE_CE;
        put_ip_checksum(frame);
        pass("hidden_in", frame, &length, false);
        uint32_t back_length =
            make_segment(back, timestamps_and_sack, 0, 0); /* an acknowledgement */
        memcpy(back + IP + 12, &inside_there, 4);
        memcpy(back + IP + 16, &inside_here, 4);
        put_tcp_checksum(back, back_length);
        put_ip_checksum(back);
        assert_int_equal(pass("hidden_out", back, &back_length, false), TC_ACT_UNSPEC);
        assert_int_equal(back[TCP + 16] & 15, EDGE_OPTION_FEEDBACK | EDGE_OPTION_MARKED);
        assert_int_equal(back[TCP + 19], path);
        get("accounts", &sender, &account);
        assert_int_equal(account.paths[path].marks_reported, 1);
        assert_int_equal(account.paths[path].received_marks, 1);
        assert_int_equal(account.paths[path].received_bytes, guests - IP);
        be(here);
        assert_int_equal(pass("hidden_in", back, &back_length, false), TC_ACT_UNSPEC);
        get("accounts", &receiver, &account);
        assert_int_equal(account.paths[path].marks_taken, 1);
        get("peers", &receiver, &peer);
        assert_true(peer.paths.weight[path] < EDGE_WEIGHT_ONE / PATHS);
    }
}

static void guests_are_told_when_all_paths_are_congested(void **state) {
    (void)state;
    if (!object)
        skip();
    const struct edge_address sender = outer_of(here);
    static struct edge_peer peer;
    for (unsigned in_option = 0; in_option < 2; in_option++) {
        uint8_t frame[LONGEST];
        uint32_t length = make_arrival(frame, in_option);
        get("peers", &sender, &peer);
        peer.echo_ns = UINT64_MAX;
        put("peers", &sender, &peer);
        assert_int_equal(pass("hidden_in", frame, &length, false), TC_ACT_UNSPEC);
        assert_int_equal(frame[TCP + 13], 0x50); /* ACK, ECE */
        assert_int_equal(tcp_sum(frame, length), 0xffff);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(segments_get_their_own_headers_back, segments_begin),
        cmocka_unit_test_setup(pieces_of_large_segments_get_their_five_tuple_back, segments_begin),
        cmocka_unit_test_setup(what_cannot_be_hidden_goes_as_it_is_and_is_counted, segments_begin),
        cmocka_unit_test_setup(traffic_of_others_passes_as_it_is, segments_begin),
        cmocka_unit_test_setup(marks_reach_guests_as_their_scheme_says, segments_begin),
        cmocka_unit_test_setup(a_mark_is_reported_and_taken, segments_begin),
        cmocka_unit_test_setup(guests_are_told_when_all_paths_are_congested, segments_begin),
    };
    return cmocka_run_group_tests(tests, segments_load, segments_unload);
}
