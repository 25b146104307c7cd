#include "programs.h"

#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/pkt_cls.h>
#include <stdio.h>
#include <string.h>

#include "prefix.h"
#include "testing.h"

const uint32_t vni = 7;
uint32_t here, there, inside_here, inside_there;
uint32_t scheme;
uint32_t outer_family = 4;
uint8_t transport = IPPROTO_UDP;
uint32_t mark;
struct bpf_object *object;

static int quiet(enum libbpf_print_level level, const char *format, va_list arguments) {
    return level == LIBBPF_WARN ? vfprintf(stderr, format, arguments) : 0;
}

int programs_load(void **state) {
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

int programs_unload(void **state) {
    (void)state;
    bpf_object__close(object);
    return 0;
}

void put(const char *map, const void *key, const void *value) {
    assert_int_equal(
        bpf_map_update_elem(bpf_object__find_map_fd_by_name(object, map), key, value, BPF_ANY), 0);
}

void get(const char *map, const void *key, void *value) {
    assert_int_equal(bpf_map_lookup_elem(bpf_object__find_map_fd_by_name(object, map), key, value),
                     0);
}

uint64_t dropped(uint32_t why) {
    const int processors = libbpf_num_possible_cpus();
    uint64_t counts[1024] = {0}, sum = 0;
    assert_in_range(processors, 1, 1024);
    get("drops", &why, counts);
    for (int i = 0; i < processors; i++)
        sum += counts[i];
    return sum;
}

struct edge_address outer_of(uint32_t host) {
    struct edge_address address = address_ipv4(host);
    if (outer_family == 6)
        address = (struct edge_address){.family = 6, .words = {htonl(0x20010db8), 1, 2, host}};
    return address;
}

uint32_t header_bytes(void) {
    return (outer_family == 6 ? HEADER6 : HEADER) + (transport == IPPROTO_TCP ? REST : 0u);
}

void be(uint32_t address) {
    const uint32_t zero = 0;
    const struct edge_address peer_address = outer_of(address == here ? there : here);
    const struct edge_settings settings = {.address = outer_of(address),
                                           .vni = vni,
                                           .mtu = 1500,
                                           .port = 6081,
                                           .slower = 1,
                                           .transport = transport};
    const struct prefix_config behind = {
        .address = address_ipv4(address == here ? inside_there : inside_here), .bits = 32};
    const struct edge_prefix prefix = prefix_key(&behind);
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

void be_for_ipv6(uint32_t address) {
    const struct edge_address peer_address = outer_of(address == here ? there : here);
    struct prefix_config behind;
    be(address);
    assert_true(prefix_read(address == here ? "2001:db8::2/128" : "2001:db8::1/128", &behind));
    const struct edge_prefix prefix = prefix_key(&behind);
    put("prefixes", &prefix, &peer_address);
}

int run_in(struct bpf_object *programs, const char *name, const uint8_t *frame, uint32_t length,
           void *out, uint32_t *out_length) {
    struct bpf_program *program = bpf_object__find_program_by_name(programs, name);
    assert_non_null(program);
    /* With a context the packet's length on the wire is set. */
    struct __sk_buff context = {.mark = mark};
    LIBBPF_OPTS(bpf_test_run_opts, options, .data_in = frame, .data_size_in = length,
                .data_out = out, .data_size_out = *out_length, .ctx_in = &context,
                .ctx_size_in = sizeof context);
    assert_int_equal(bpf_prog_test_run_opts(bpf_program__fd(program), &options), 0);
    *out_length = options.data_size_out;
    return (int)options.retval;
}

int run(const char *name, const uint8_t *frame, uint32_t length, void *out, uint32_t *out_length) {
    return run_in(object, name, frame, length, out, out_length);
}

struct bpf_object *load_port(const char *file) {
    struct bpf_object *port = bpf_object__open_file(file, NULL);
    assert_false(libbpf_get_error(port));
    assert_int_equal(bpf_object__load(port), 0);
    return port;
}

void write_port(struct bpf_object *port, const char *map, const void *value) {
    const uint32_t zero = 0;
    const int number = bpf_object__find_map_fd_by_name(port, map);
    assert_int_equal(bpf_map_update_elem(number, &zero, value, BPF_ANY), 0);
}

void make_inner(uint8_t *frame) {
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

void make_inner6(uint8_t *frame) {
    static const uint8_t start[] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x86, 0xdd, 0x60};
    memset(frame, 0, FRAME);
    memcpy(frame, start, sizeof start);
    frame[19] = FRAME - ETHERNET - IPV6;
    frame[20] = IPPROTO_UDP;
    frame[21] = 64;
    assert_int_equal(inet_pton(AF_INET6, "2001:db8::1", frame + 22), 1);
    assert_int_equal(inet_pton(AF_INET6, "2001:db8::2", frame + 38), 1);
    frame[55] = 1; /* ports 1 to 2 */
    frame[57] = 2;
}

uint32_t make_outer(uint8_t *outer) {
    uint8_t inner[FRAME];
    uint32_t length = FRAME + header_bytes();
    make_inner(inner);
    be(here);
    assert_int_equal(run("edge_out", inner, FRAME, outer, &length), TC_ACT_UNSPEC);
    assert_int_equal(length, FRAME + header_bytes());
    be(there);
    return length;
}
