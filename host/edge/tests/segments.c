#include "segments.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/in.h>
#include <linux/pkt_cls.h>
#include <string.h>

#include "testing.h"

enum { MSS = 100 }; /* segment size of large segments */

static struct bpf_object *hidden;

int segments_load(void **state) {
    const int result = programs_load(state);
    if (result || !object)
        return result;
    hidden = bpf_object__open_file(HIDDEN_BPF_OBJECT, NULL);
    struct bpf_map *map;
    bpf_object__for_each_map(map, hidden) {
        const int shared = bpf_object__find_map_fd_by_name(object, bpf_map__name(map));
        if (shared >= 0 && bpf_map__reuse_fd(map, shared))
            return -1;
    }
    return bpf_object__load(hidden);
}

int segments_unload(void **state) {
    bpf_object__close(hidden);
    return programs_unload(state);
}

int segments_begin(void **state) {
    (void)state;
    transport = IPPROTO_TCP;
    outer_family = 4;
    scheme = EDGE_CLOVE_ECN;
    return 0;
}

uint16_t folded(const uint8_t *bytes, size_t size, uint32_t sum) {
    for (size_t i = 0; i < size; i++)
        sum += i % 2 ? bytes[i] : (uint32_t)bytes[i] << 8;
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)sum;
}

uint16_t tcp_sum(const uint8_t *frame, uint32_t length) {
    const uint32_t pseudo = folded(frame + IP + 12, 8, IPPROTO_TCP + length - TCP);
    return folded(frame + TCP, length - TCP, pseudo);
}

void put_tcp_checksum(uint8_t *frame, uint32_t length) {
    memset(frame + TCP + 16, 0, 2);
    const uint16_t sum = (uint16_t)~tcp_sum(frame, length);
    frame[TCP + 16] = (uint8_t)(sum >> 8);
    frame[TCP + 17] = (uint8_t)sum;
}

void put_ip_checksum(uint8_t *frame) {
    struct iphdr ip;
    memcpy(&ip, frame + IP, sizeof ip);
    ip.check = 0;
    ip.check = edge_ip_checksum(&ip);
    memcpy(frame + IP, &ip, sizeof ip);
}

uint32_t make_segment(uint8_t *frame, const uint8_t *options, uint32_t options_bytes,
                      uint32_t payload) {
    const uint32_t length = OPTIONS + options_bytes + payload;
    memset(frame, 0, LONGEST);
    make_inner(frame);
    frame[IP + 2] = (uint8_t)((length - IP) >> 8);
    frame[IP + 3] = (uint8_t)(length - IP);
    frame[IP + 6] = 0x40; /* DF */
    frame[IP + 9] = IPPROTO_TCP;
    memset(frame + TCP, 0x11, 2);
    memset(frame + TCP + 2, 0x22, 2);
    memset(frame + TCP + 4, 0x33, 8); /* sequence and acknowledgment number */
    frame[TCP + 12] = (uint8_t)((20 + options_bytes) / 4 << 4);
    frame[TCP + 13] = 0x10; /* ACK */
    frame[TCP + 14] = 0x44; /* window */
    memcpy(frame + OPTIONS, options, options_bytes);
    for (uint32_t i = OPTIONS + options_bytes; i < length; i++)
        frame[i] = (uint8_t)(i * 7);
    put_tcp_checksum(frame, length);
    put_ip_checksum(frame);
    return length;
}

const uint8_t timestamps_and_sack[40] = {1, 1, 8, 10, 5, 5, 5, 5, 6, 6, 6, 6,
                                         1, 1, 5, 26, 7, 7, 7, 7, 8, 8, 8, 8};

int pass(const char *name, uint8_t *frame, uint32_t *length, bool is_large) {
    uint8_t out[LONGEST];
    struct __sk_buff context = {.gso_size = is_large ? MSS : 0, .gso_segs = is_large ? 3 : 0};
    LIBBPF_OPTS(bpf_test_run_opts, options, .data_in = frame, .data_size_in = *length,
                .data_out = out, .data_size_out = sizeof out, .ctx_in = &context,
                .ctx_size_in = sizeof context);
    const struct bpf_program *program = bpf_object__find_program_by_name(hidden, name);
    assert_int_equal(bpf_prog_test_run_opts(bpf_program__fd(program), &options), 0);
    *length = options.data_size_out;
    memcpy(frame, out, *length);
    return (int)options.retval;
}

/* Writes the form that the peer receives of a large segment. */
static uint32_t put_option(uint8_t *frame, uint32_t length) {
    struct edge_hidden told = {
        .ecn = frame[IP + 1] & 3, .scheme = (uint8_t)scheme, .option = {.path = 1, .sent_ns = 77}};
    memcpy(&told.source, frame + IP + 12, 4);
    memcpy(&told.destination, frame + IP + 16, 4);
    memcpy(&told.source_port, frame + TCP, 2);
    memcpy(&told.destination_port, frame + TCP + 2, 2);
    const struct edge_hidden_option option = edge_hidden_option(&told);
    memmove(frame + OPTIONS + sizeof option, frame + OPTIONS, length - OPTIONS);
    memcpy(frame + OPTIONS, &option, sizeof option);
    memcpy(frame + IP + 12, &here, 4);
    memcpy(frame + IP + 16, &there, 4);
    static const uint8_t ports[] = {50001 >> 8, 50001 & 0xff, 6081 >> 8, 6081 & 0xff};
    memcpy(frame + TCP, ports, sizeof ports);
    frame[TCP + 12] = (uint8_t)(frame[TCP + 12] + (sizeof option / 4 << 4));
    length += sizeof option;
    frame[IP + 2] = (uint8_t)((length - IP) >> 8);
    frame[IP + 3] = (uint8_t)(length - IP);
    put_tcp_checksum(frame, length);
    put_ip_checksum(frame);
    return length;
}

uint32_t hide(uint8_t *frame, uint32_t length, bool in_option) {
    be(here);
    if (in_option)
        length = put_option(frame, length);
    else
        assert_int_equal(pass("hidden_out", frame, &length, false), TC_ACT_UNSPEC);
    be(there);
    return length;
}

uint32_t make_arrival(uint8_t *frame, bool in_option) {
    return hide(frame, make_segment(frame, timestamps_and_sack, 12, PAYLOAD), in_option);
}
