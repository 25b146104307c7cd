/*
 * The programs in the kernel, by the kernel's own test runs: packet in, packet out, verdict.
 *
 * Skipped, with the reason, where this process may not load BPF programs.
 */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/pkt_cls.h>
#include <stdio.h>
#include <string.h>

#include "random.h"
#include "state.h"
#include "testing.h"

enum {
    ETHERNET = 14,
    HEADER = 56,
    OPTION = ETHERNET + HEADER - 16, /* where libedge's part of the header begins */
    FRAME = 200,
    PATHS = 8,
    FUZZ_RUNS = 40000
};

static const uint32_t vni = 7;
static uint32_t here, there, inside_here, inside_there;
static struct bpf_object *object;
static uint32_t scheme;

static int quiet(enum libbpf_print_level level, const char *format, va_list arguments) {
    return level == LIBBPF_WARN ? vfprintf(stderr, format, arguments) : 0;
}

static int load(void **state) {
    (void)state;
    libbpf_set_print(quiet);
    here = inet_addr("192.0.2.1");
    there = inet_addr("192.0.2.2");
    inside_here = inet_addr("10.0.1.1");
    inside_there = inet_addr("10.0.2.1");
    object = bpf_object__open_file(EDGE_BPF_OBJECT, NULL);
    if (libbpf_get_error(object)) {
        object = NULL;
        return -1;
    }
    const int error = bpf_object__load(object);
    if (error == -EPERM || error == -ENOSYS) {
        print_message("BPF programs may not be loaded here: error %d\n", -error);
        bpf_object__close(object);
        object = NULL;
        return 0;
    }
    return error;
}

static int unload(void **state) {
    (void)state;
    bpf_object__close(object);
    return 0;
}

static void put(const char *map, const void *key, const void *value) {
    assert_int_equal(
        bpf_map_update_elem(bpf_object__find_map_fd_by_name(object, map), key, value, BPF_ANY), 0);
}

static void get(const char *map, const void *key, void *value) {
    assert_int_equal(bpf_map_lookup_elem(bpf_object__find_map_fd_by_name(object, map), key, value),
                     0);
}

static uint64_t dropped(uint32_t why) {
    const int processors = libbpf_num_possible_cpus();
    uint64_t counts[1024] = {0}, sum = 0;
    assert_in_range(processors, 1, 1024);
    get("drops", &why, counts);
    for (int i = 0; i < processors; i++)
        sum += counts[i];
    return sum;
}

/* This host's edge, whose only peer is `there`; or the peer's own, whose only peer is `here`. */
static void be(uint32_t address) {
    const uint32_t zero = 0, peer_address = address == here ? there : here;
    const struct edge_settings settings = {
        .address = address, .vni = vni, .mtu = 1500, .port = 6081};
    const struct edge_prefix prefix = {.bits = 32,
                                       .address = address == here ? inside_there : inside_here};
    static const struct edge_account account;
    struct edge_found found[PATHS];
    static struct edge_peer peer;
    memset(&peer, 0, sizeof peer);
    for (uint32_t i = 0; i < PATHS; i++)
        found[i] = (struct edge_found){.key = i, .weight = 1, .port = (uint16_t)(50000 + i)};
    peer.params = edge_defaults(scheme, 100000, UINT64_C(10000000000));
    edge_set_paths(&peer.paths, found, PATHS);
    put("settings", &zero, &settings);
    put("peers", &peer_address, &peer);
    put("accounts", &peer_address, &account);
    put("prefixes", &prefix, &peer_address);
}

static int run(const char *name, const uint8_t *frame, uint32_t length, void *out,
               uint32_t *out_length) {
    struct bpf_program *program = bpf_object__find_program_by_name(object, name);
    assert_non_null(program);
    LIBBPF_OPTS(bpf_test_run_opts, options, .data_in = frame, .data_size_in = length,
                .data_out = out, .data_size_out = *out_length);
    assert_int_equal(bpf_prog_test_run_opts(bpf_program__fd(program), &options), 0);
    *out_length = options.data_size_out;
    return (int)options.retval;
}

/* An inner UDP packet from here to there. */
static void make_inner(uint8_t *frame) {
    static const uint8_t start[] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0, 0x45};
    memset(frame, 0, FRAME);
    memcpy(frame, start, sizeof start);
    frame[17] = FRAME - ETHERNET;
    frame[22] = 64;
    frame[23] = IPPROTO_UDP;
    memcpy(frame + 26, &inside_here, 4);
    memcpy(frame + 30, &inside_there, 4);
    frame[35] = 1; /* ports 1 to 2 */
    frame[37] = 2;
}

/* The same in the overlay, as this host's edge writes it; now the peer's edge is loaded. */
static uint32_t make_outer(uint8_t *outer) {
    uint8_t inner[FRAME];
    uint32_t length = FRAME + HEADER;
    make_inner(inner);
    be(here);
    assert_int_equal(run("edge_out", inner, FRAME, outer, &length), TC_ACT_UNSPEC);
    assert_int_equal(length, FRAME + HEADER);
    be(there);
    return length;
}

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

static void other_traffic_passes_as_it_is(void **state) {
    (void)state;
    if (!object)
        skip();
    scheme = EDGE_CLOVE_ECN;
    static const struct {
        unsigned at;
        uint8_t value;
    } others[] = {{12, 9}, {23, 6}, {33, 9}, {37, 80}, {48, 9}}; /* type, protocol, ... VNI */
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
        {43, 1, EDGE_DROP_MALFORMED},                   /* a flag that is not defined */
        {44, 0x65, EDGE_DROP_MALFORMED},                /* not IPv4 inside */
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

/* A mark that the fabric put on a packet from here comes back in the next packet from there. */
static void a_mark_costs_its_path_a_third_once_and_at_its_rate(void **state) {
    (void)state;
    if (!object)
        skip();
    scheme = EDGE_CLOVE_ECN;
    uint8_t outer[FRAME + HEADER], out[FRAME + HEADER];
    const uint32_t length = make_outer(outer);
    static struct edge_peer peer;
    static struct edge_account account;
    outer[OPTION] = 0x13; /* feedback, marked */
    outer[OPTION + 3] = 5;
    for (unsigned copies = 0; copies < 3; copies++) { /* of one large segment */
        uint32_t out_length = sizeof out;
        assert_int_equal(run("edge_in", outer, length, out, &out_length), TC_ACT_UNSPEC);
    }
    get("peers", &here, &peer);
    const uint32_t eighth = EDGE_WEIGHT_ONE / PATHS;
    assert_int_equal(peer.paths.weight[5], eighth - eighth / 3);
    for (unsigned packet = 0; packet < 1000; packet++) {
        uint32_t out_length = sizeof out;
        outer[OPTION + 8] = (uint8_t)(packet >> 8); /* other time stamps */
        outer[OPTION + 9] = (uint8_t)(packet + 1);
        outer[OPTION + 3] = 6;
        run("edge_in", outer, length, out, &out_length);
    }
    get("accounts", &here, &account);
    assert_int_equal(account.paths[5].marks_taken, 1);
    assert_int_equal(account.paths[6].marks_taken + account.marks_limited, 1002);
    assert_true(account.marks_limited >= 2 && account.paths[6].marks_taken >= 1);
}

/* Whatever arrives, tables stay what they are to be, and only peers' packets come through. */
static void random_headers_break_nothing(void **state) {
    (void)state;
    if (!object)
        skip();
    struct random random = {seed()};
    static struct edge_peer peer;
    uint8_t outer[FRAME + HEADER], frame[FRAME + HEADER], out[FRAME + HEADER];
    for (unsigned i = 0; i < FUZZ_RUNS; i++) {
        if (i % 1000 == 0) {
            scheme = (uint32_t)random_between(&random, 0, EDGE_SCHEMES - 1);
            make_outer(outer);
        }
        memcpy(frame, outer, sizeof frame);
        /* The option's bytes, and some others of the header. */
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
        assert_true(verdict == TC_ACT_UNSPEC || verdict == TC_ACT_SHOT);
        if (verdict == TC_ACT_UNSPEC && out_length != length)
            assert_memory_equal(out + 26, &inside_here, 4);
    }
    get("peers", &here, &peer);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < PATHS; i++)
        sum += peer.paths.weight[i];
    assert_int_equal(sum, EDGE_WEIGHT_ONE);
    assert_int_equal(peer.paths.count, PATHS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_one_edge_writes_another_takes_off),
        cmocka_unit_test(other_traffic_passes_as_it_is),
        cmocka_unit_test(what_no_peer_sends_is_dropped_and_counted),
        cmocka_unit_test(what_does_not_fit_with_the_header_is_dropped_and_counted),
        cmocka_unit_test(a_mark_costs_its_path_a_third_once_and_at_its_rate),
        cmocka_unit_test(random_headers_break_nothing),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
