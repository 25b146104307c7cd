/* The programs on packets of guests and peers. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/in.h>
#include <linux/pkt_cls.h>
#include <string.h>

#include "programs.h"
#include "random.h"
#include "testing.h"

enum { FUZZ_RUNS = 40000 };

static void what_one_edge_writes_another_takes_off(void **state) {
    (void)state;
    if (!object)
        skip();
    for (scheme = 0; scheme < EDGE_SCHEMES; scheme++) {
        uint8_t inner[FRAME], outer[FRAME + HEADER], out[FRAME + HEADER];
        uint32_t length = make_outer(outer), out_length = sizeof out;
        make_inner(inner);
        assert_int_equal(run("edge_in", outer, length, out, &out_length), TC_ACT_UNSPEC);
        assert_int_equal(out_length, FRAME);
        assert_memory_equal(out, inner, FRAME);
    }
}

/* In IPv4, and only to peers. The kernel finds the next hop of leaving packets. */
static void ipv6_is_carried_as_it_is(void **state) {
    (void)state;
    if (!object)
        skip();
    for (scheme = 0; scheme < EDGE_SCHEMES; scheme++) {
        uint8_t inner[FRAME], outer[FRAME + HEADER], out[FRAME + HEADER];
        uint32_t length = sizeof outer, out_length = sizeof out;
        make_inner6(inner);
        be_for_ipv6(here);
        assert_int_equal(run("edge_out", inner, FRAME, outer, &length), TC_ACT_REDIRECT);
        assert_int_equal(length, FRAME + HEADER);
        assert_int_equal(outer[12] << 8 | outer[13], 0x0800);
        assert_memory_equal(outer + 30, &there, 4);
        assert_memory_equal(outer + ETHERNET + HEADER, inner + ETHERNET, FRAME - ETHERNET);
        be_for_ipv6(there);
        assert_int_equal(run("edge_in", outer, length, out, &out_length), TC_ACT_UNSPEC);
        assert_int_equal(out_length, FRAME);
        assert_memory_equal(out + ETHERNET, inner + ETHERNET, FRAME - ETHERNET);
        const uint64_t before = dropped(EDGE_DROP_SPOOFED);
        outer[ETHERNET + HEADER + 23] = 9; /* another inner source */
        out_length = sizeof out;
        assert_int_equal(run("edge_in", outer, length, out, &out_length), TC_ACT_SHOT);
        assert_int_equal(dropped(EDGE_DROP_SPOOFED), before + 1);
        inner[53] = 9; /* another destination */
        out_length = sizeof out;
        assert_int_equal(run("edge_out", inner, FRAME, out, &out_length), TC_ACT_UNSPEC);
        assert_int_equal(out_length, FRAME);
    }
}

/* The same for an overlay in IPv6; inner IPv4 packets came by the outer packet's next hop. */
static void an_overlay_in_ipv6_carries_both(void **state) {
    (void)state;
    if (!object)
        skip();
    enum { AT = ETHERNET + HEADER6 };
    outer_family = 6;
    for (scheme = 0; scheme < EDGE_SCHEMES; scheme++)
        for (unsigned ipv6 = 0; ipv6 < 2; ipv6++) {
            uint8_t inner[FRAME], outer[FRAME + HEADER6], out[FRAME + HEADER6];
            uint32_t length = sizeof outer, out_length = sizeof out;
            (ipv6 ? make_inner6 : make_inner)(inner);
            be_for_ipv6(here);
            assert_int_equal(run("edge_out", inner, FRAME, outer, &length), TC_ACT_UNSPEC);
            assert_int_equal(length, FRAME + HEADER6);
            assert_int_equal(outer[12] << 8 | outer[13], 0x86dd);
            assert_int_equal(outer[14] >> 4, 6);
            assert_int_equal(outer[18] << 8 | outer[19], FRAME - ETHERNET + HEADER6 - IPV6);
            assert_int_equal(outer[20], IPPROTO_UDP);
            assert_memory_equal(outer + 16, outer + 54, 2); /* flow label: the source port */
            assert_int_equal(outer[60] << 8 | outer[61], 0);
            assert_memory_equal(outer + AT, inner + ETHERNET, FRAME - ETHERNET);
            be_for_ipv6(there);
            assert_int_equal(run("edge_in", outer, length, out, &out_length), TC_ACT_UNSPEC);
            assert_int_equal(out_length, FRAME);
            assert_memory_equal(out + ETHERNET, inner + ETHERNET, FRAME - ETHERNET);
            static const struct {
                unsigned at;
                int why;                                 /* -1: not an overlay packet, passes */
            } others[] = {{14 + 23, EDGE_DROP_STRANGER}, /* outer source */
                          {14 + 39, -1},                 /* and destination */
                          {20, -1},                      /* next header */
                          {57, -1},                      /* port */
                          {66 + 2, -1},                  /* VNI */
                          {66 + 6, EDGE_DROP_MALFORMED}, /* option class */
                          {AT + 15, EDGE_DROP_SPOOFED}}; /* inner source, of either family */
            for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
                const uint64_t before = others[i].why < 0 ? 0 : dropped((uint32_t)others[i].why);
                outer[others[i].at] ^= 0x40;
                out_length = sizeof out;
                const int verdict = run("edge_in", outer, length, out, &out_length);
                assert_int_equal(verdict, others[i].why < 0 ? TC_ACT_UNSPEC : TC_ACT_SHOT);
                if (others[i].why >= 0)
                    assert_int_equal(dropped((uint32_t)others[i].why), before + 1);
                else
                    assert_memory_equal(out, outer, length);
                outer[others[i].at] ^= 0x40;
            }
        }
    outer_family = 4;
}

static void other_traffic_passes_as_it_is(void **state) {
    (void)state;
    if (!object)
        skip();
    scheme = EDGE_CLOVE_ECN;
    static const struct {
        unsigned at;
        uint8_t value;
    } others[] = {{12, 9}, {20, 0x20}, {21, 1}, {23, 6}, {33, 9}, {37, 80}, {48, 9}};
    /* type, first fragment, later one, protocol, ... VNI */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        uint8_t outer[FRAME + HEADER], out[FRAME + HEADER];
        uint32_t length = make_outer(outer), out_length = sizeof out;
        outer[others[i].at] = others[i].value;
        assert_int_equal(run("edge_in", outer, length, out, &out_length), TC_ACT_UNSPEC);
        assert_int_equal(out_length, length);
        assert_memory_equal(out, outer, length);
    }
}

static void what_no_peer_sends_is_dropped_and_counted(void **state) {
    (void)state;
    if (!object)
        skip();
    scheme = EDGE_CLOVE_ECN;
    static const struct {
        unsigned at;
        uint8_t value;
        uint32_t why;
    } attacks[] = {
        {29, 9, EDGE_DROP_STRANGER},                    /* outer source */
        {ETHERNET + HEADER + 15, 9, EDGE_DROP_SPOOFED}, /* inner source */
        {42, 0, EDGE_DROP_MALFORMED},                   /* no option */
        {43, 1, EDGE_DROP_MALFORMED},                   /* an undefined flag */
        {44, 0x65, EDGE_DROP_MALFORMED},                /* not IP inside */
        {ETHERNET + HEADER, 0x65, EDGE_DROP_MALFORMED}, /* not the IP version in the header */
        {51, 0, EDGE_DROP_MALFORMED},                   /* option class */
        {52, 99, EDGE_DROP_MALFORMED},                  /* no scheme */
        {53, 3, EDGE_DROP_MALFORMED},                   /* option length */
        {OPTION, 0x20, EDGE_DROP_MALFORMED},            /* another version */
        {OPTION + 2, 64, EDGE_DROP_MALFORMED},          /* a path beyond all tables */
    };
    for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++) {
        uint8_t outer[FRAME + HEADER], out[FRAME + HEADER];
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
    scheme = EDGE_ECMP;
    be(here);
    for (uint32_t bytes = 1444; bytes <= 1445; bytes++) {
        uint32_t out_length = sizeof out;
        const uint64_t before = dropped(EDGE_DROP_TOO_BIG);
        memset(frame, 0, sizeof frame);
        make_inner(frame);
        const bool fits = bytes == 1444;
        assert_int_equal(run("edge_out", frame, bytes + ETHERNET, out, &out_length),
                         fits ? TC_ACT_UNSPEC : TC_ACT_SHOT);
        assert_int_equal(dropped(EDGE_DROP_TOO_BIG), before + !fits);
    }
}

/* The next packet from there reports a mark of the fabric on a packet from here. */
static void a_mark_costs_its_path_a_third_once_and_at_its_rate(void **state) {
    (void)state;
    if (!object)
        skip();
    scheme = EDGE_CLOVE_ECN;
    uint8_t outer[FRAME + HEADER], out[FRAME + HEADER];
    const uint32_t length = make_outer(outer);
    const struct edge_address sender = outer_of(here);
    static struct edge_peer peer;
    static struct edge_account account;
    outer[OPTION] = 0x13; /* feedback, marked */
    outer[OPTION + 3] = 5;
    for (unsigned copies = 0; copies < 3; copies++) { /* of one large segment */
        uint32_t out_length = sizeof out;
        assert_int_equal(run("edge_in", outer, length, out, &out_length), TC_ACT_UNSPEC);
    }
    get("peers", &sender, &peer);
    const uint32_t eighth = EDGE_WEIGHT_ONE / PATHS;
    assert_int_equal(peer.paths.weight[5], eighth - eighth / 3);
    for (unsigned packet = 0; packet < 1000; packet++) {
        uint32_t out_length = sizeof out;
        outer[OPTION + 8] = (uint8_t)(packet >> 8); /* other time stamps */
        outer[OPTION + 9] = (uint8_t)(packet + 1);
        outer[OPTION + 3] = 6;
        run("edge_in", outer, length, out, &out_length);
    }
    get("accounts", &sender, &account);
    assert_int_equal(account.paths[5].marks_taken, 1);
    assert_int_equal(account.paths[6].marks_taken + account.marks_limited, 1002);
    assert_true(account.marks_limited >= 2 && account.paths[6].marks_taken >= 1);
}

/* A packet leaves on one path; forged reports about all paths arrive. */
static void a_report_about_a_path_that_no_packet_left_by_is_counted_and_dropped(void **state) {
    (void)state;
    if (!object)
        skip();
    scheme = EDGE_ALB;
    uint8_t inner[FRAME], outer[FRAME + HEADER], out[FRAME + HEADER];
    const uint32_t length = make_outer(outer);
    const struct edge_address sender = outer_of(here);
    static struct edge_peer peer;
    static struct edge_account account;
    get("peers", &sender, &peer);
    peer.params.answer_ns = 1000000000;
    put("peers", &sender, &peer);
    make_inner(inner);
    memcpy(inner + 26, &inside_there, 4);
    memcpy(inner + 30, &inside_here, 4);
    uint32_t out_length = sizeof out;
    assert_int_equal(run("edge_out", inner, FRAME, out, &out_length), TC_ACT_UNSPEC);
    const uint8_t taken = out[OPTION + 2];
    outer[OPTION] = 0x11; /* feedback */
    for (unsigned path = 0; path < PATHS; path++) {
        out_length = sizeof out;
        outer[OPTION + 3] = (uint8_t)path;
        assert_int_equal(run("edge_in", outer, length, out, &out_length), TC_ACT_UNSPEC);
    }
    get("peers", &sender, &peer);
    get("accounts", &sender, &account);
    for (unsigned path = 0; path < PATHS; path++)
        assert_int_equal(peer.paths.noted_ns[path] != 0, path == taken);
    assert_int_equal(account.not_asked, PATHS - 1);
}

/* Packets of one flow by two paths, in the order of their arrival. */
static void what_comes_behind_a_later_packet_of_its_flow_is_late(void **state) {
    (void)state;
    if (!object)
        skip();
    static const struct {
        uint16_t packet, flowlet;
        uint8_t path;
        uint8_t port; /* of the inner flow */
        bool late;
    } arrivals[] = {
        {0, 1, 1, 1, false},     {1, 1, 1, 1, false},
        {3, 2, 2, 1, false},     {2, 1, 1, 1, true},
        {3, 2, 2, 1, false}, /* of one large segment */
        {5, 2, 2, 1, false}, /* the one between may be lost */
        {0, 1, 1, 2, false}, /* another flow */
        {4, 2, 2, 1, true},      {30000, 3, 1, 1, false},
        {60000, 3, 1, 1, false}, {65535, 3, 1, 1, false},
        {0, 3, 2, 1, false}, /* numbers wrap */
        {65534, 3, 1, 1, true},  {7, 4, 1, 1, false},
        {0, 1, 1, 1, false}, /* the sender starts to count the flow again */
        {1, 1, 1, 1, false},
    };
    const struct edge_address sender = outer_of(here);
    static struct edge_account account;
    for (scheme = 0; scheme < EDGE_SCHEMES; scheme++) {
        uint8_t outer[FRAME + HEADER], out[FRAME + HEADER];
        const uint32_t length = make_outer(outer);
        uint64_t late[3] = {0};
        for (size_t i = 0; i < sizeof arrivals / sizeof *arrivals; i++) {
            uint32_t out_length = sizeof out;
            outer[OPTION + 2] = arrivals[i].path;
            outer[OPTION + 4] = (uint8_t)(arrivals[i].packet >> 8);
            outer[OPTION + 5] = (uint8_t)arrivals[i].packet;
            outer[OPTION + 6] = 0;
            outer[OPTION + 7] = (uint8_t)arrivals[i].flowlet;
            outer[ETHERNET + HEADER + 21] = arrivals[i].port;
            assert_int_equal(run("edge_in", outer, length, out, &out_length), TC_ACT_UNSPEC);
            late[arrivals[i].path] += arrivals[i].late && edge_keeps_flows(scheme);
            get("accounts", &sender, &account);
            assert_int_equal(account.late[1], late[1]);
            assert_int_equal(account.late[2], late[2]);
        }
    }
}

/* An ordinary socket can write all of these; other packets pass. */
static void what_users_send_to_a_peers_overlay_is_dropped_and_counted(void **state) {
    (void)state;
    if (!object)
        skip();
    scheme = EDGE_CLOVE_ECN;
    uint8_t outer[FRAME + HEADER], out[FRAME + HEADER];
    const uint32_t length = make_outer(outer); /* from here to there */
    uint32_t out_length = sizeof out;
    be(here);
    const uint64_t before = dropped(EDGE_DROP_FORGED);
    assert_int_equal(run("edge_out", outer, length, out, &out_length), TC_ACT_SHOT);
    assert_int_equal(dropped(EDGE_DROP_FORGED), before + 1);
    outer[48] ^= 1; /* another VNI, which the peer's edge passes to its kernel */
    out_length = sizeof out;
    assert_int_equal(run("edge_out", outer, length, out, &out_length), TC_ACT_SHOT);
    static const unsigned others[] = {23, 33, 37}; /* protocol, destination, port */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        outer[others[i]] ^= 0x20;
        out_length = sizeof out;
        assert_int_equal(run("edge_out", outer, length, out, &out_length), TC_ACT_UNSPEC);
        assert_memory_equal(out, outer, length);
        outer[others[i]] ^= 0x20;
    }
    assert_int_equal(dropped(EDGE_DROP_FORGED), before + 2);
    mark = EDGE_MARK; /* packets of the programs and their process */
    out_length = sizeof out;
    assert_int_equal(run("edge_out", outer, length, out, &out_length), TC_ACT_UNSPEC);
    mark = 0;
    assert_memory_equal(out, outer, length);
    assert_int_equal(dropped(EDGE_DROP_FORGED), before + 2);
}

/* More flows than there is room for: each gets a path, and the table is no larger than it may be.
 */
static void a_flood_of_flows_leaves_by_all_paths_and_fills_no_more_than_the_table(void **state) {
    (void)state;
    if (!object)
        skip();
    enum { FLOWS = EDGE_FLOWS + EDGE_FLOWS / 8 };
    const int flows = bpf_object__find_map_fd_by_name(object, "flows");
    const struct edge_address receiver = outer_of(there);
    static struct edge_account account;
    struct edge_flow_key key;
    uint32_t known = 0;
    uint8_t inner[FRAME], outer[FRAME + HEADER];
    scheme = EDGE_CLOVE_ECN;
    be(here);
    make_inner(inner);
    for (uint32_t flow = 0; flow < FLOWS; flow++) {
        uint32_t length = sizeof outer;
        memcpy(inner + 34, &(uint16_t){(uint16_t)flow}, 2);
        inner[37] = (uint8_t)(flow >> 16);
        assert_int_equal(run("edge_out", inner, FRAME, outer, &length), TC_ACT_UNSPEC);
    }
    get("accounts", &receiver, &account);
    for (uint32_t path = 0; path < PATHS; path++)
        assert_in_range(account.paths[path].flowlets, FLOWS / PATHS - 1, FLOWS / PATHS + 1);
    for (int more = bpf_map_get_next_key(flows, NULL, &key); more == 0;
         more = bpf_map_get_next_key(flows, &key, &key))
        known++;
    assert_in_range(known, 1, EDGE_FLOWS);
}

/* For any packet, the tables' invariants hold, and only peers' packets have an effect. */
static void random_headers_break_nothing(void **state) {
    (void)state;
    if (!object)
        skip();
    struct random random = {seed()};
    const struct edge_address sender = outer_of(here);
    static struct edge_peer peer;
    uint8_t outer[FRAME + HEADER], frame[FRAME + HEADER], out[FRAME + HEADER];
    for (unsigned i = 0; i < FUZZ_RUNS; i++) {
        if (i % 1000 == 0) {
            scheme = (uint32_t)random_between(&random, 0, EDGE_SCHEMES - 1);
            make_outer(outer);
        }
        memcpy(frame, outer, sizeof frame);
        /* Changes the option's bytes and some others of the header. */
        for (unsigned b = OPTION; b < OPTION + 16; b++)
            if (random_one_in(&random, 2))
                frame[b] = (uint8_t)random_next(&random);
        frame[OPTION] = random_one_in(&random, 8) ? frame[OPTION] : 0x10 | (frame[OPTION] & 15);
        frame[OPTION + 1] &= 7;
        frame[OPTION + 2] &= 63;
        frame[52] = (uint8_t)random_between(&random, 0, EDGE_SCHEMES);
        if (random_one_in(&random, 4))
            frame[random_between(&random, ETHERNET, ETHERNET + HEADER + 19)] =
                (uint8_t)random_next(&random);
        uint32_t length =
            random_one_in(&random, 4) ? (uint32_t)random_between(&random, 34, FRAME) : sizeof frame;
        uint32_t out_length = sizeof out;
        const int verdict = run("edge_in", frame, length, out, &out_length);
        assert_true(verdict == TC_ACT_UNSPEC || verdict == TC_ACT_SHOT ||
                    verdict == TC_ACT_REDIRECT);
        if (verdict == TC_ACT_REDIRECT) /* the answer to a probe goes to the peer only */
            assert_memory_equal(out + 30, &here, 4);
        if (verdict == TC_ACT_UNSPEC && out_length != length)
            assert_memory_equal(out + 26, &inside_here, 4);
    }
    get("peers", &sender, &peer);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < PATHS; i++)
        sum += peer.paths.weight[i];
    assert_int_equal(sum, EDGE_WEIGHT_ONE);
    assert_int_equal(peer.paths.count, PATHS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_one_edge_writes_another_takes_off),
        cmocka_unit_test(ipv6_is_carried_as_it_is),
        cmocka_unit_test(an_overlay_in_ipv6_carries_both),
        cmocka_unit_test(other_traffic_passes_as_it_is),
        cmocka_unit_test(what_no_peer_sends_is_dropped_and_counted),
        cmocka_unit_test(what_does_not_fit_with_the_header_is_dropped_and_counted),
        cmocka_unit_test(a_mark_costs_its_path_a_third_once_and_at_its_rate),
        cmocka_unit_test(a_report_about_a_path_that_no_packet_left_by_is_counted_and_dropped),
        cmocka_unit_test(what_comes_behind_a_later_packet_of_its_flow_is_late),
        cmocka_unit_test(what_users_send_to_a_peers_overlay_is_dropped_and_counted),
        cmocka_unit_test(a_flood_of_flows_leaves_by_all_paths_and_fills_no_more_than_the_table),
        cmocka_unit_test(random_headers_break_nothing),
    };
    return cmocka_run_group_tests(tests, programs_load, programs_unload);
}
