/* Probes as packets: they look like a guest's, and only responses that quote them correctly are
 * accepted. */
#include "probe.h"

#include <arpa/inet.h>
#include <linux/icmp.h>
#include <string.h>

#include "fuzz_probe.h"
#include "overlay.h"
#include "random.h"
#include "testing.h"

enum {
    IPV4_BYTES = EDGE_HEADER4_BYTES + 20,
    IPV6_BYTES = EDGE_HEADER6_BYTES + 20,
    ICMP_BYTES = 28,
    ERROR_BYTES = ICMP_BYTES + IPV4_BYTES,
    ERROR6_BYTES = 8 + IPV6_BYTES, /* a raw socket returns it without an IP header */
    GENEVE = 28,
    SHORT_QUOTE = 28
};

static struct config config;
static struct probe probe;
static struct edge_address router;
static uint8_t error[ERROR_BYTES];

/* Prepares a probe to 192.0.2.2 that expires at 198.51.100.7. */
static int set_up(void **state) {
    (void)state;
    static const uint8_t outer[] = {0x45, 0, 0, ERROR_BYTES, 0, 0, 0, 0, 64, IPPROTO_ICMP};
    router = address_ipv4(inet_addr("198.51.100.7"));
    config = (struct config){.address = address_ipv4(inet_addr("192.0.2.1")),
                             .vni = 7,
                             .port = 6081,
                             .transport = IPPROTO_UDP};
    probe = (struct probe){.peer = address_ipv4(inet_addr("192.0.2.2")),
                           .nonce = 0xdeadbeef,
                           .id = 0x1234,
                           .source_port = 50000,
                           .ttl = 3};
    memset(error, 0, sizeof error);
    memcpy(error, outer, sizeof outer);
    memcpy(error + 12, router.words, 4);
    memcpy(error + 16, config.address.words, 4);
    error[20] = ICMP_TIME_EXCEEDED;
    assert_int_equal(probe_write(&probe, &config, EDGE_ALB, error + ICMP_BYTES), IPV4_BYTES);
    return 0;
}

static bool read_error(size_t size, struct probe_answer *answer) {
    return probe_read_error(error, size, &router, &config, answer);
}

static void switches_hash_it_as_they_hash_data(void **state) {
    (void)state;
    for (uint32_t scheme = 0; scheme < EDGE_SCHEMES; scheme++) {
        struct edge_header outer, data;
        const struct edge_option none = {0};
        uint8_t packet[PROBE_BYTES];
        assert_int_equal(probe_write(&probe, &config, scheme, packet), IPV4_BYTES);
        memcpy(&outer.ip4, packet, EDGE_HEADER4_BYTES);
        edge_header_write(&data,
                          &(struct edge_envelope){.source = &config.address,
                                                  .destination = &probe.peer,
                                                  .source_port = probe.source_port,
                                                  .port = config.port,
                                                  .transport = config.transport,
                                                  .tos = scheme == EDGE_CLOVE_ECN ? EDGE_ECT0 : 0},
                          &none);
        assert_memory_equal(&outer.ip4.saddr, &data.ip4.saddr, 8);
        assert_memory_equal(&outer.udp.source, &data.udp.source, 4);
        assert_int_equal(outer.udp.check, 0);
        assert_int_equal(outer.ip4.tos, data.ip4.tos);
        assert_int_equal(outer.ip4.protocol, data.ip4.protocol);
        assert_int_equal(outer.ip4.frag_off, data.ip4.frag_off);
        assert_int_equal(outer.ip4.ttl, 3);
        assert_int_equal(edge_ip_checksum(&outer.ip4), 0);
        assert_true(outer.geneve.flags & EDGE_GENEVE_CONTROL);
    }
}

/* In the TCP form: the ports, and the other numbers after its header. */
static void an_error_about_what_looks_like_tcp_says_it_too(void **state) {
    (void)state;
    enum { GENEVE_AT = ICMP_BYTES + 20 + 20, TCP_ERROR_BYTES = GENEVE_AT + GENEVE + 20 };
    uint8_t message[TCP_ERROR_BYTES] = {0};
    struct probe_answer answer;
    config.transport = IPPROTO_TCP;
    memcpy(message, error, ICMP_BYTES);
    assert_int_equal(probe_write(&probe, &config, EDGE_ALB, message + ICMP_BYTES),
                     TCP_ERROR_BYTES - ICMP_BYTES);
    for (size_t size = 0; size <= TCP_ERROR_BYTES; size++) {
        const bool read = probe_read_error(message, size, &router, &config, &answer);
        assert_int_equal(read, size >= ICMP_BYTES + SHORT_QUOTE);
        if (!read)
            continue;
        assert_int_equal(answer.outcome, PROBE_PASSED);
        assert_int_equal(answer.probe.source_port, probe.source_port);
        assert_int_equal(answer.probe.id, probe.id);
        assert_int_equal(answer.probe.nonce, size >= GENEVE_AT + GENEVE ? probe.nonce : 0);
    }
    static const unsigned others[] = {1, 6, 12, 13, 17}; /* as for UDP below, after the header */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        message[GENEVE_AT + others[i]] ^= 0x80;
        assert_false(probe_read_error(message, sizeof message, &router, &config, &answer));
        message[GENEVE_AT + others[i]] ^= 0x80;
    }
    message[21] = ICMP_FRAG_NEEDED; /* for path_mtu.h */
    message[20] = ICMP_DEST_UNREACH;
    assert_false(probe_read_error(message, sizeof message, &router, &config, &answer));
}

/* ICMPv6 quotes the whole packet; the identification is in the option only. */
static void an_error_of_ipv6_says_it_too(void **state) {
    (void)state;
    uint8_t message[ERROR6_BYTES] = {3};
    struct edge_header header;
    struct probe_answer answer;
    config.address = probe.peer = (struct edge_address){.family = 6, .words = {htonl(0x20010db8)}};
    config.address.words[3] = htonl(1);
    probe.peer.words[3] = htonl(2);
    assert_true(address_read("2001:db8:1::7", &router));
    assert_int_equal(probe_write(&probe, &config, EDGE_CLOVE_ECN, message + 8), IPV6_BYTES);
    memcpy(&header, message + 8, IPV6_BYTES - 20);
    assert_int_equal(header.ip6.version, 6);
    assert_int_equal(header.ip6.hop_limit, probe.ttl);
    assert_int_equal(edge_header_tos(&header, 6), EDGE_ECT0);
    assert_int_equal(ntohs(header.ip6.payload_len), IPV6_BYTES - 40);
    assert_int_equal(header.ip6.flow_lbl[1] << 8 | header.ip6.flow_lbl[2], probe.source_port);
    assert_true(probe_read_error(message, sizeof message, &router, &config, &answer));
    assert_int_equal(answer.outcome, PROBE_PASSED);
    assert_true(address_same(&answer.from, &router));
    assert_true(address_same(&answer.probe.peer, &probe.peer));
    assert_int_equal(answer.probe.source_port, probe.source_port);
    assert_int_equal(answer.probe.id, probe.id);
    assert_int_equal(answer.probe.nonce, probe.nonce);
    for (size_t size = 0; size < 8 + 40 + 8 + GENEVE; size++)
        assert_false(probe_read_error(message, size, &router, &config, &answer));
    static const unsigned others[] = {0, 1, 8, 14, 31, 51, 57, 62, 67, 68}; /* as for IPv4 below */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        message[others[i]] ^= 0x80;
        assert_false(probe_read_error(message, sizeof message, &router, &config, &answer));
        message[others[i]] ^= 0x80;
    }
    message[0] = 1;
    message[1] = 4; /* port unreachable */
    assert_true(probe_read_error(message, sizeof message, &router, &config, &answer));
    assert_int_equal(answer.outcome, PROBE_STOPPED);
}

static void an_error_says_where_the_ttl_ran_out(void **state) {
    (void)state;
    struct probe_answer answer;
    assert_true(read_error(ERROR_BYTES, &answer));
    assert_int_equal(answer.outcome, PROBE_PASSED);
    assert_true(address_same(&answer.from, &router));
    assert_true(address_same(&answer.probe.peer, &probe.peer));
    assert_int_equal(answer.probe.source_port, probe.source_port);
    assert_int_equal(answer.probe.id, probe.id);
    assert_int_equal(answer.probe.nonce, probe.nonce);
    error[20] = ICMP_DEST_UNREACH;
    error[21] = ICMP_PORT_UNREACH;
    assert_true(read_error(ERROR_BYTES, &answer));
    assert_int_equal(answer.outcome, PROBE_STOPPED);
}

/* RFC 792 requires only 8 bytes after the IP header. */
static void a_short_quote_is_enough(void **state) {
    (void)state;
    for (size_t size = 0; size < ERROR_BYTES; size++) {
        struct probe_answer answer;
        const bool whole_ports = size >= ICMP_BYTES + SHORT_QUOTE;
        const bool whole_option = size >= ICMP_BYTES + SHORT_QUOTE + GENEVE;
        assert_int_equal(read_error(size, &answer), whole_ports);
        if (whole_ports)
            assert_int_equal(answer.probe.nonce, whole_option ? probe.nonce : 0);
    }
}

static void errors_about_other_packets_are_none_of_ours(void **state) {
    (void)state;
    static const struct {
        unsigned at;
        uint8_t value;
    } others[] = {
        {20, ICMP_ECHOREPLY},           /* type */
        {21, ICMP_EXC_FRAGTIME},        /* code */
        {ICMP_BYTES, 0x65},             /* not IPv4 */
        {ICMP_BYTES + 7, 9},            /* a later fragment */
        {ICMP_BYTES + 9, IPPROTO_SCTP}, /* neither UDP nor TCP */
        {ICMP_BYTES + 15, 9},           /* from another host */
        {ICMP_BYTES + 23, 80},          /* to another port */
        {ICMP_BYTES + 5, 0x35},         /* identification and option differ */
        {ICMP_BYTES + 28 + 1, 0},       /* no O bit: a guest's packet */
        {ICMP_BYTES + 28 + 6, 9},       /* another overlay */
        {ICMP_BYTES + 28 + 13, 0},      /* a report */
        {ICMP_BYTES + 28 + 13, 2},      /* an answer */
        {ICMP_BYTES + 28 + 12, 0x20},   /* another version */
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct probe_answer answer;
        set_up(NULL);
        error[others[i].at] = others[i].value;
        assert_false(read_error(ERROR_BYTES, &answer));
    }
    struct probe_answer answer;
    set_up(NULL);
    error[20] = ICMP_DEST_UNREACH;
    error[21] = ICMP_FRAG_NEEDED; /* for path_mtu.h */
    assert_false(read_error(ERROR_BYTES, &answer));
    set_up(NULL);
    memset(error + ICMP_BYTES + 4, 0, 2); /* for packets that are not probes */
    memset(error + ICMP_BYTES + 28 + 16, 0, 2);
    assert_false(read_error(ERROR_BYTES, &answer));
}

static void a_peers_answer_has_the_probes_numbers(void **state) {
    (void)state;
    struct probe_answer answer;
    uint8_t *payload = error + ICMP_BYTES + 28;
    const size_t size = IPV4_BYTES - 28;
    assert_false(probe_read_answer(payload, size, &probe.peer, &config, &answer));
    payload[13] = EDGE_CONTROL_ANSWER;
    edge_put16(payload + 18, 2);     /* remaining TTL */
    edge_put32(payload + 24, 50000); /* source port */
    assert_true(probe_read_answer(payload, size, &probe.peer, &config, &answer));
    assert_int_equal(answer.outcome, PROBE_ARRIVED);
    assert_int_equal(answer.ttl_left, 2);
    assert_true(address_same(&answer.probe.peer, &probe.peer));
    assert_int_equal(answer.probe.source_port, 50000);
    assert_int_equal(answer.probe.id, probe.id);
    assert_int_equal(answer.probe.nonce, probe.nonce);
    for (size_t shorter = 0; shorter < GENEVE; shorter++)
        assert_false(probe_read_answer(payload, shorter, &probe.peer, &config, &answer));
    static const unsigned beyond[] = {1, 18, 25}; /* no O bit; TTL or port out of range */
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        payload[beyond[i]] ^= 0x80;
        assert_false(probe_read_answer(payload, size, &probe.peer, &config, &answer));
        payload[beyond[i]] ^= 0x80;
    }
}

/* The fuzzer's invariants on almost valid messages. */
static void random_messages_stay_within_bounds(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned i = 0; i < 50000; i++) {
        set_up(NULL);
        for (unsigned changes = 0; changes < 4; changes++)
            if (random_one_in(&random, 2))
                error[random_between(&random, 0, ERROR_BYTES - 1)] = (uint8_t)random_next(&random);
        const size_t from = random_one_in(&random, 4) ? ICMP_BYTES + 28 : 0;
        LLVMFuzzerTestOneInput(error + from,
                               (size_t)random_between(&random, 0, (int64_t)(ERROR_BYTES - from)));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(switches_hash_it_as_they_hash_data, set_up),
        cmocka_unit_test_setup(an_error_about_what_looks_like_tcp_says_it_too, set_up),
        cmocka_unit_test_setup(an_error_of_ipv6_says_it_too, set_up),
        cmocka_unit_test_setup(an_error_says_where_the_ttl_ran_out, set_up),
        cmocka_unit_test_setup(a_short_quote_is_enough, set_up),
        cmocka_unit_test_setup(errors_about_other_packets_are_none_of_ours, set_up),
        cmocka_unit_test_setup(a_peers_answer_has_the_probes_numbers, set_up),
        cmocka_unit_test_setup(random_messages_stay_within_bounds, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
