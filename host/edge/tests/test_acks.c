/* ALB's ACK correction: a guest sees no ECN echo of a mark on a path that its flow has left. */
#include <bpf/bpf.h>
#include <linux/pkt_cls.h>
#include <netinet/in.h>
#include <string.h>

#include "edge/option.h"
#include "overlay.h"
#include "programs.h"
#include "random.h"
#include "testing.h"

enum {
    IP_HEADERS = 40, /* IPv4 and TCP */
    BARE = ETHERNET + IP_HEADERS,
    DATA_OFFSET = ETHERNET + 20 + 12,
    FLAGS = DATA_OFFSET + 1,
    CHECKSUM = ETHERNET + 20 + 16,
    TOS = ETHERNET + 1, /* also of the outer header */
    PATH = OPTION + 2,
    SYN = 0x02,
    ACK = 0x10,
    ECE = 0x40,
    CWR = 0x80,
    ACCURATE = 1, /* a bit in the byte before the flags */
    FUZZ_RUNS = 20000,
};

static struct edge_peer peer;
static struct edge_account account;

/* Returns TCP's sum over a frame; 0xffff if the checksum is correct. */
static uint16_t tcp_sum(const uint8_t *frame, uint32_t length) {
    uint32_t sum = IPPROTO_TCP + length - ETHERNET - 20;
    for (uint32_t i = ETHERNET + 12; i < length; i++)
        sum += (uint32_t)frame[i] << (i % 2 ? 0 : 8);
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)sum;
}

/* Writes a segment from here to there, or in the other direction. length: of the frame. */
static void make_segment(uint8_t *frame, bool back, uint8_t bits, uint8_t flags, uint32_t length) {
    make_inner(frame);
    frame[17] = (uint8_t)(length - ETHERNET);
    frame[23] = IPPROTO_TCP;
    if (back) {
        memcpy(frame + 26, &inside_there, 4);
        memcpy(frame + 30, &inside_here, 4);
        frame[35] = 2;
        frame[37] = 1;
    }
    frame[TOS] = length > BARE ? EDGE_ECT0 : 0; /* only TCP packets with data are ECN-capable */
    frame[DATA_OFFSET] = 0x50 | bits;
    frame[FLAGS] = flags;
    edge_put16(frame + CHECKSUM, (uint16_t)~tcp_sum(frame, length));
}

static void leave(const uint8_t *frame, uint32_t length, uint8_t *outer) {
    uint32_t out_length = FRAME + HEADER;
    assert_int_equal(run("edge_out", frame, length, outer, &out_length), TC_ACT_UNSPEC);
    assert_int_equal(out_length, length + HEADER);
    uint8_t inner[FRAME];
    memcpy(inner, frame, ETHERNET);
    memcpy(inner + ETHERNET, outer + ETHERNET + HEADER, length - ETHERNET);
    assert_int_equal(tcp_sum(inner, length), 0xffff);
}

/* Returns the frame that the guest receives. */
static void arrive(const uint8_t *outer, uint32_t length, uint8_t *inner) {
    uint32_t out_length = FRAME + HEADER;
    assert_int_equal(run("edge_in", outer, length + HEADER, inner, &out_length), TC_ACT_UNSPEC);
    assert_int_equal(out_length, length);
    assert_int_equal(tcp_sum(inner, length), 0xffff);
}

/* Configures the edge of an address with a scheme; its flows and connections remain. */
static void be_with(uint32_t address, uint32_t with, bool corrects) {
    const struct edge_address other = outer_of(address == here ? there : here);
    scheme = with;
    be(address);
    get("peers", &other, &peer);
    peer.params.ack_correction = corrects;
    peer.sends_alb = true;
    put("peers", &other, &peer);
}

/* Receives the SYN-ACK, with these bits before its flags. */
static void shake_hands(uint8_t bits, uint8_t flags) {
    uint8_t frame[FRAME], outer[FRAME + HEADER], inner[FRAME + HEADER];
    be_with(there, EDGE_ALB, true);
    make_segment(frame, true, bits, flags, BARE);
    leave(frame, BARE, outer);
    be_with(here, EDGE_ALB, true);
    arrive(outer, BARE, inner);
}

/* Sends data from here to there and returns its path. flags: receives the flags that the receiver's
 * guest sees. */
static uint32_t send_data(bool marked, uint8_t *flags) {
    uint8_t frame[FRAME], outer[FRAME + HEADER], inner[FRAME + HEADER];
    be_with(here, EDGE_ALB, true);
    make_segment(frame, false, 0, ACK, FRAME);
    leave(frame, FRAME, outer);
    if (marked)
        outer[TOS] |= EDGE_CE;
    be_with(there, EDGE_ALB, true);
    arrive(outer, FRAME, inner);
    assert_int_equal(inner[TOS], marked ? EDGE_CE : EDGE_ECT0);
    *flags = inner[FLAGS];
    return outer[PATH];
}

/* Sets the path of the flow from here. */
static void take_path(uint32_t path) {
    const int map = bpf_object__find_map_fd_by_name(object, "flows");
    const struct edge_address to = outer_of(there);
    struct edge_flow_key key;
    struct edge_flow flow;
    unsigned found = 0;
    for (int more = bpf_map_get_next_key(map, NULL, &key); more == 0;
         more = bpf_map_get_next_key(map, &key, &key))
        if (memcmp(&key.peer, &to, sizeof to) == 0 && bpf_map_lookup_elem(map, &key, &flow) == 0) {
            flow.path = path;
            assert_int_equal(bpf_map_update_elem(map, &key, &flow, BPF_EXIST), 0);
            found++;
        }
    assert_int_equal(found, 1);
}

/* Returns the flags that the sender's guest sees in an acknowledgement. by: the scheme of the
 * acknowledgement's sender. */
static uint8_t acknowledge_by(uint32_t by, uint8_t flags, bool corrects) {
    uint8_t frame[FRAME], outer[FRAME + HEADER], inner[FRAME + HEADER];
    const struct edge_address from = outer_of(there);
    be_with(there, by, true);
    make_segment(frame, true, 0, flags, BARE);
    leave(frame, BARE, outer);
    be_with(here, EDGE_ALB, corrects);
    arrive(outer, BARE, inner);
    get("accounts", &from, &account);
    return inner[FLAGS];
}

static uint8_t acknowledge(uint8_t flags) {
    return acknowledge_by(EDGE_ALB, flags, true);
}

static void an_echo_of_a_path_that_the_flow_has_left_is_withheld(void **state) {
    (void)state;
    if (!object)
        skip();
    uint8_t flags;
    shake_hands(0, SYN | ACK | ECE);
    const uint32_t path = send_data(true, &flags);
    take_path(path);
    assert_int_equal(acknowledge(ACK | ECE), ACK | ECE);
    assert_int_equal(account.of_another_path, 0);
    take_path((path + 1) % PATHS);
    assert_int_equal(acknowledge(ACK | ECE), ACK);
    assert_int_equal(account.of_another_path, 1);
    assert_int_equal(account.echoes_withheld, 1);
    assert_int_equal(acknowledge(ACK), ACK); /* no echo to withhold */
    assert_int_equal(account.of_another_path, 1);
    assert_int_equal(account.echoes_withheld, 0);
}

/* With any scheme of the receiver. */
static void acknowledgements_of_any_scheme_say_the_path(void **state) {
    (void)state;
    if (!object)
        skip();
    for (uint32_t by = 0; by < EDGE_SCHEMES; by++) {
        uint8_t flags;
        shake_hands(0, SYN | ACK | ECE);
        take_path((send_data(true, &flags) + 1) % PATHS);
        /* IntFlow's packets have the instruction in this field; this packet has none. */
        assert_int_equal(acknowledge_by(by, ACK | ECE, true), ACK);
        assert_int_equal(account.echoes_withheld, 1);
    }
}

/* RFC 3168: the receiver echoes until CWR comes. */
static void an_echo_that_lasts_has_the_path_of_its_mark(void **state) {
    (void)state;
    if (!object)
        skip();
    uint8_t flags;
    shake_hands(0, SYN | ACK | ECE);
    const uint32_t left = send_data(true, &flags);
    assert_int_equal(flags, ACK);
    take_path((left + 1) % PATHS);
    assert_int_equal(acknowledge(ACK | ECE), ACK);
    take_path((left + 2) % PATHS);
    send_data(false, &flags); /* CWR on behalf of the guest, which saw no echo */
    assert_int_equal(flags, ACK | CWR);
    take_path((left + 2) % PATHS); /* another path than that of the mark */
    assert_int_equal(acknowledge(ACK | ECE), ACK);
    send_data(false, &flags);
    assert_int_equal(flags, ACK | CWR);
    assert_int_equal(acknowledge(ACK), ACK);
    send_data(false, &flags);
    assert_int_equal(flags, ACK);                 /* one echo for each */
    const uint32_t now = send_data(true, &flags); /* a mark on the current path */
    take_path(now);
    assert_int_equal(acknowledge(ACK | ECE), ACK | ECE);
}

static void connections_that_feed_back_otherwise_are_left_alone(void **state) {
    (void)state;
    if (!object)
        skip();
    static const struct {
        uint8_t bits, flags;
    } handshakes[] = {
        {0, SYN | ACK},       /* no ECN */
        {0, SYN | ACK | CWR}, /* Accurate ECN, which reports the SYN's ECN field */
        {0, SYN | ACK | CWR | ECE},
        {ACCURATE, SYN | ACK},
        {ACCURATE, SYN | ACK | CWR},
        {ACCURATE, SYN | ACK | ECE}, /* the obsolete ECN nonce */
    };
    for (size_t i = 0; i < sizeof handshakes / sizeof *handshakes; i++) {
        uint8_t flags;
        shake_hands(0, SYN | ACK | ECE); /* an earlier connection with the same ports */
        shake_hands(handshakes[i].bits, handshakes[i].flags);
        take_path((send_data(true, &flags) + 1) % PATHS);
        assert_int_equal(acknowledge(ACK | ECE), ACK | ECE);
        assert_int_equal(account.of_another_path, 0);
        send_data(false, &flags);
        assert_int_equal(flags, ACK);
    }
}

static void without_correction_all_echoes_are_seen(void **state) {
    (void)state;
    if (!object)
        skip();
    uint8_t flags;
    shake_hands(0, SYN | ACK | ECE);
    take_path((send_data(true, &flags) + 1) % PATHS);
    assert_int_equal(acknowledge_by(EDGE_ALB, ACK | ECE, false), ACK | ECE);
    assert_int_equal(account.of_another_path, 0);
}

static void random_segments_break_nothing(void **state) {
    (void)state;
    if (!object)
        skip();
    struct random random = {seed()};
    shake_hands(0, SYN | ACK | ECE);
    be_with(here, EDGE_ALB, true);
    for (unsigned i = 0; i < FUZZ_RUNS; i++) {
        uint8_t frame[FRAME], outer[FRAME + HEADER], inner[FRAME + HEADER];
        const uint32_t length = (uint32_t)random_between(&random, BARE, FRAME);
        make_segment(frame, false, 0, ACK, length);
        for (uint32_t at = ETHERNET + 24; at < length; at++)
            if (random_one_in(&random, 2))
                frame[at] = (uint8_t)random_next(&random);
        edge_put16(frame + CHECKSUM, 0);
        edge_put16(frame + CHECKSUM, (uint16_t)~tcp_sum(frame, length));
        leave(frame, length, outer);
        make_segment(frame, true, (uint8_t)random_between(&random, 0, 15),
                     (uint8_t)random_next(&random), length);
        memcpy(outer + ETHERNET + 12, &there, 4);
        memcpy(outer + ETHERNET + 16, &here, 4);
        memcpy(outer + ETHERNET + HEADER, frame + ETHERNET, length - ETHERNET);
        outer[OPTION + 1] = (uint8_t)(EDGE_OPTION_ECHO | random_between(&random, 0, 63));
        arrive(outer, length, inner);
        const uint8_t changed = inner[FLAGS] ^ frame[FLAGS];
        assert_true(changed == 0 || changed == ECE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_echo_of_a_path_that_the_flow_has_left_is_withheld),
        cmocka_unit_test(acknowledgements_of_any_scheme_say_the_path),
        cmocka_unit_test(an_echo_that_lasts_has_the_path_of_its_mark),
        cmocka_unit_test(connections_that_feed_back_otherwise_are_left_alone),
        cmocka_unit_test(without_correction_all_echoes_are_seen),
        cmocka_unit_test(random_segments_break_nothing),
    };
    return cmocka_run_group_tests(tests, programs_load, programs_unload);
}
