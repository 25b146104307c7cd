/* The overlay in its TCP form. */
#include <arpa/inet.h>
#include <linux/in.h>
#include <linux/pkt_cls.h>
#include <string.h>

#include "overlay.h"
#include "programs.h"
#include "random.h"
#include "testing.h"

enum { FUZZ_RUNS = 40000, LONGEST = FRAME + HEADER6 + REST };

static int use_tcp(void **state) {
    (void)state;
    transport = IPPROTO_TCP;
    outer_family = 4;
    scheme = EDGE_CLOVE_ECN;
    return 0;
}

/* Return the offset of the TCP header, and of Geneve after it. */
static uint32_t tcp_at(void) {
    return ETHERNET + (outer_family == 6 ? 40 : 20);
}

static uint32_t geneve_at(void) {
    return tcp_at() + 20;
}

static void takes_off(const uint8_t *inner, bool ipv6) {
    uint8_t outer[LONGEST], out[LONGEST];
    uint32_t length = sizeof outer;
    transport = IPPROTO_TCP;
    be_for_ipv6(here);
    const bool redirected = ipv6 && outer_family == 4; /* to the start of the outer packet's way */
    assert_int_equal(run("edge_out", inner, FRAME, outer, &length),
                     redirected ? TC_ACT_REDIRECT : TC_ACT_UNSPEC);
    const uint8_t *tcp = outer + tcp_at();
    const uint32_t behind = FRAME - ETHERNET + 28;
    assert_int_equal(length, FRAME + header_bytes());
    assert_int_equal(outer[ETHERNET + (outer_family == 6 ? 6 : 9)], IPPROTO_TCP);
    assert_in_range(tcp[0] << 8 | tcp[1], 50000, 50000 + PATHS - 1);
    assert_int_equal(tcp[2] << 8 | tcp[3], 6081);
    assert_int_equal(tcp[4] << 8 | tcp[5], behind); /* sequence number: its length, offset 0 */
    assert_int_equal(tcp[6] << 8 | tcp[7], 0);
    static const uint8_t rest[] = {0x50, 0x18, 0xff, 0xff, 0, 0, 0, 0};
    assert_memory_equal(tcp + 12, rest, sizeof rest);
    if (outer_family == 4) {
        struct iphdr ip;
        memcpy(&ip, outer + ETHERNET, sizeof ip);
        assert_int_equal(edge_ip_checksum(&ip), 0);
        assert_int_equal(ntohs(ip.tot_len), length - ETHERNET);
    }
    /* Receivers accept both forms, independently of the one that they send. */
    for (unsigned own = 0; own < 2; own++) {
        uint32_t out_length = sizeof out;
        transport = own ? IPPROTO_TCP : IPPROTO_UDP;
        be_for_ipv6(there);
        assert_int_equal(run("edge_in", outer, length, out, &out_length), TC_ACT_UNSPEC);
        assert_int_equal(out_length, FRAME);
        assert_memory_equal(out + ETHERNET, inner + ETHERNET, FRAME - ETHERNET);
    }
    transport = IPPROTO_UDP;
    be_for_ipv6(here);
    uint8_t plain[LONGEST];
    uint32_t plain_length = sizeof plain, out_length = sizeof out;
    run("edge_out", inner, FRAME, plain, &plain_length);
    transport = IPPROTO_TCP;
    be_for_ipv6(there);
    assert_int_equal(run("edge_in", plain, plain_length, out, &out_length), TC_ACT_UNSPEC);
    assert_int_equal(out_length, FRAME);
}

static void what_one_edge_writes_another_takes_off_whatever_it_writes_itself(void **state) {
    (void)state;
    if (!object)
        skip();
    uint8_t inner[FRAME];
    for (outer_family = 4; outer_family <= 6; outer_family += 2)
        for (scheme = 0; scheme < EDGE_SCHEMES; scheme++)
            for (unsigned ipv6 = 0; ipv6 < 2; ipv6++) {
                (ipv6 ? make_inner6 : make_inner)(inner);
                takes_off(inner, ipv6);
            }
}

static void segments_of_connections_pass_as_they_are(void **state) {
    (void)state;
    if (!object)
        skip();
    for (outer_family = 4; outer_family <= 6; outer_family += 2) {
        uint8_t outer[LONGEST], out[LONGEST];
        const uint32_t length = make_outer(outer), tcp = tcp_at();
        const uint32_t others[] = {tcp + 3,  tcp + 4,  tcp + 5,  tcp + 6,        tcp + 7,
                                   tcp + 12, tcp + 13, tcp + 14, tcp + 15,       tcp + 16,
                                   tcp + 17, tcp + 18, tcp + 19, geneve_at() + 6};
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            uint32_t out_length = sizeof out;
            outer[others[i]] ^= 1;
            assert_int_equal(run("edge_in", outer, length, out, &out_length), TC_ACT_UNSPEC);
            assert_int_equal(out_length, length);
            assert_memory_equal(out, outer, length);
            outer[others[i]] ^= 1;
        }
        for (uint32_t shorter = tcp; shorter < length; shorter++) {
            uint32_t out_length = sizeof out;
            const int verdict = run("edge_in", outer, shorter, out, &out_length);
            assert_true(verdict == TC_ACT_SHOT || out_length == shorter ||
                        shorter >= ETHERNET + header_bytes() + 20);
        }
    }
}

static void fragments_pass_as_they_are(void **state) {
    (void)state;
    if (!object)
        skip();
    outer_family = 4; /* in IPv6 another header comes before TCP's */
    static const struct {
        unsigned at;
        uint8_t value;
    } fragments[] = {{20, 0x20}, {20, 1}, {21, 1}}; /* the first; later ones */
    for (size_t i = 0; i < sizeof fragments / sizeof *fragments; i++) {
        uint8_t outer[LONGEST], out[LONGEST];
        uint32_t length = make_outer(outer), out_length = sizeof out;
        outer[fragments[i].at] = fragments[i].value;
        assert_int_equal(run("edge_in", outer, length, out, &out_length), TC_ACT_UNSPEC);
        assert_int_equal(out_length, length);
        assert_memory_equal(out, outer, length);
    }
}

static void what_no_peer_sends_is_dropped_and_counted(void **state) {
    (void)state;
    if (!object)
        skip();
    const uint32_t geneve = geneve_at();
    const struct {
        unsigned at;
        uint8_t value;
        uint32_t why;
    } attacks[] = {
        {29, 9, EDGE_DROP_STRANGER},                           /* outer source */
        {ETHERNET + HEADER + REST + 15, 9, EDGE_DROP_SPOOFED}, /* inner source */
        {geneve, 0, EDGE_DROP_MALFORMED},                      /* no option */
        {geneve + 1, 1, EDGE_DROP_MALFORMED},                  /* an undefined flag */
        {geneve + 9, 0, EDGE_DROP_MALFORMED},                  /* option class */
        {geneve + 10, 99, EDGE_DROP_MALFORMED},                /* no scheme */
        {OPTION + REST, 0x20, EDGE_DROP_MALFORMED},            /* another version */
        {OPTION + REST + 2, 64, EDGE_DROP_MALFORMED},          /* a path beyond all tables */
    };
    for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++) {
        uint8_t outer[LONGEST], out[LONGEST];
        uint32_t length = make_outer(outer), out_length = sizeof out;
        const uint64_t before = dropped(attacks[i].why);
        outer[attacks[i].at] = attacks[i].value;
        assert_int_equal(run("edge_in", outer, length, out, &out_length), TC_ACT_SHOT);
        assert_int_equal(dropped(attacks[i].why), before + 1);
    }
}

static void what_does_not_fit_with_the_header_is_dropped_and_counted(void **state) {
    (void)state;
    if (!object)
        skip();
    uint8_t frame[1500 + ETHERNET], out[1600];
    be(here);
    for (uint32_t bytes = 1432; bytes <= 1433; bytes++) {
        uint32_t out_length = sizeof out;
        const uint64_t before = dropped(EDGE_DROP_TOO_BIG);
        memset(frame, 0, sizeof frame);
        make_inner(frame);
        const bool fits = bytes == 1432;
        assert_int_equal(run("edge_out", frame, bytes + ETHERNET, out, &out_length),
                         fits ? TC_ACT_UNSPEC : TC_ACT_SHOT);
        assert_int_equal(dropped(EDGE_DROP_TOO_BIG), before + !fits);
    }
}

static void packets_are_cut_before_they_are_in_the_overlay(void **state) {
    (void)state;
    if (!object)
        skip();
    const uint32_t zero = 0;
    struct edge_settings settings;
    uint8_t inner[FRAME], out[LONGEST];
    uint32_t length = sizeof out;
    be(here);
    get("settings", &zero, &settings);
    settings.segmented = 99; /* this packet does not come from the segmenter */
    settings.segmenter = settings.device = 1;
    put("settings", &zero, &settings);
    make_inner(inner);
    assert_int_equal(run("edge_out", inner, FRAME, out, &length), TC_ACT_REDIRECT);
    assert_int_equal(length, FRAME);
    assert_memory_equal(out, inner, FRAME);
    length = sizeof out;
    assert_int_equal(run("edge_segmented", inner, FRAME, out, &length), TC_ACT_REDIRECT);
    assert_memory_equal(out, inner, FRAME);
    inner[33] = 9; /* to no peer: of the kernel itself */
    length = sizeof out;
    assert_int_equal(run("edge_segmented", inner, FRAME, out, &length), TC_ACT_SHOT);
    length = sizeof out;
    assert_int_equal(run("edge_out", inner, FRAME, out, &length), TC_ACT_UNSPEC);
}

/* Changes some of a packet's bytes; returns its length. */
static uint32_t spoil(struct random *random, uint8_t *frame, uint32_t length) {
    const uint32_t inner = ETHERNET + header_bytes();
    for (unsigned b = inner - 14; b < inner; b++) /* the option, except its path */
        if (random_one_in(random, 2))
            frame[b] = (uint8_t)random_next(random);
    frame[inner - 15] &= 7;
    for (unsigned changes = 0; changes < 3; changes++)
        if (random_one_in(random, 4))
            frame[random_between(random, ETHERNET, inner + 19)] = (uint8_t)random_next(random);
    return random_one_in(random, 4) ? (uint32_t)random_between(random, tcp_at(), FRAME) : length;
}

/* For any packet, the tables' invariants hold, and only peers' packets have an effect. */
static void break_nothing(struct random *random) {
    static struct edge_peer peer;
    uint8_t outer[LONGEST], frame[LONGEST], out[LONGEST];
    const struct edge_address sender = outer_of(here);
    uint32_t whole = 0;
    for (unsigned i = 0; i < FUZZ_RUNS; i++) {
        if (i % 1000 == 0) {
            scheme = (uint32_t)random_between(random, 0, EDGE_SCHEMES - 1);
            whole = make_outer(outer);
        }
        memcpy(frame, outer, sizeof frame);
        uint32_t out_length = sizeof out;
        const uint32_t length = spoil(random, frame, whole);
        const int verdict = run("edge_in", frame, length, out, &out_length);
        assert_true(verdict == TC_ACT_UNSPEC || verdict == TC_ACT_SHOT ||
                    verdict == TC_ACT_REDIRECT);
        if (verdict == TC_ACT_UNSPEC && out_length != length && out_length != length - REST)
            assert_memory_equal(out + 26, &inside_here, 4);
    }
    get("peers", &sender, &peer);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < PATHS; i++)
        sum += peer.paths.weight[i];
    assert_int_equal(sum, EDGE_WEIGHT_ONE);
}

static void random_headers_break_nothing(void **state) {
    (void)state;
    if (!object)
        skip();
    struct random random = {seed()};
    for (outer_family = 4; outer_family <= 6; outer_family += 2)
        break_nothing(&random);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_one_edge_writes_another_takes_off_whatever_it_writes_itself,
                               use_tcp),
        cmocka_unit_test_setup(segments_of_connections_pass_as_they_are, use_tcp),
        cmocka_unit_test_setup(fragments_pass_as_they_are, use_tcp),
        cmocka_unit_test_setup(what_no_peer_sends_is_dropped_and_counted, use_tcp),
        cmocka_unit_test_setup(what_does_not_fit_with_the_header_is_dropped_and_counted, use_tcp),
        cmocka_unit_test_setup(packets_are_cut_before_they_are_in_the_overlay, use_tcp),
        cmocka_unit_test_setup(random_headers_break_nothing, use_tcp),
    };
    return cmocka_run_group_tests(tests, programs_load, programs_unload);
}
