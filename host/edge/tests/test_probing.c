/* The programs on probes and answers of discovery. */
#include <arpa/inet.h>
#include <linux/pkt_cls.h>
#include <string.h>

#include "edge/option.h"
#include "probe.h"
#include "programs.h"
#include "testing.h"

/* A probe from here is answered from there with its numbers, and the answer goes to a process. */
static void is_answered(uint32_t family, uint8_t of) {
    outer_family = family;
    transport = of;
    const uint32_t rest = of == IPPROTO_TCP ? REST : 0;
    const uint8_t high = family == 6 ? 0x86 : 8, low = family == 6 ? 0xdd : 0;
    const struct edge_address sender = outer_of(here), receiver = outer_of(there);
    const struct config config = {
        .address = sender, .vni = vni, .port = 6081, .transport = transport};
    const struct probe probe = {
        .peer = receiver, .nonce = 0xdeadbeef, .id = 0x1234, .source_port = 50003, .ttl = 5};
    const uint8_t ethernet[] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, high, low};
    const uint8_t back[] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, high, low};
    static struct edge_account account;
    for (scheme = 0; scheme < EDGE_SCHEMES; scheme++) {
        uint8_t frame[ETHERNET + PROBE_BYTES], answer[sizeof frame], out[sizeof frame];
        uint32_t length = sizeof answer, out_length = sizeof out;
        struct probe_answer read;
        memcpy(frame, ethernet, sizeof ethernet);
        const uint32_t size =
            ETHERNET + (uint32_t)probe_write(&probe, &config, scheme, frame + ETHERNET);
        assert_int_equal(size, ETHERNET + header_bytes() + 20);
        be(here); /* leaving packets are unchanged */
        mark = EDGE_MARK;
        assert_int_equal(run("edge_out", frame, size, out, &out_length), TC_ACT_UNSPEC);
        mark = 0;
        assert_int_equal(out_length, size);
        assert_memory_equal(out, frame, size);
        be(there);
        assert_int_equal(run("edge_in", frame, size, answer, &length), TC_ACT_REDIRECT);
        assert_int_equal(length, size);
        assert_memory_equal(answer, back, sizeof back);
        get("accounts", &sender, &account);
        assert_int_equal(account.answered, 1);
        be(here);
        out_length = sizeof out;
        assert_int_equal(run("edge_in", answer, length, out, &out_length), TC_ACT_UNSPEC);
        assert_int_equal(out_length,
                         length - rest); /* in UDP, also if it arrived in the TCP form */
        const uint32_t payload = ETHERNET + header_bytes() - rest - 28, udp = payload - 8;
        assert_int_equal(out[ETHERNET + (family == 6 ? 6 : 9)], IPPROTO_UDP);
        assert_memory_equal(out + udp, answer + udp, 4);
        assert_int_equal(out[udp + 4] << 8 | out[udp + 5], out_length - udp);
        assert_int_equal(out[udp + 6] << 8 | out[udp + 7], 0);
        assert_memory_equal(out + payload, answer + payload + rest, out_length - payload);
        assert_true(
            probe_read_answer(out + payload, out_length - payload, &receiver, &config, &read));
        assert_true(address_same(&read.probe.peer, &receiver));
        assert_int_equal(read.probe.id, probe.id);
        assert_int_equal(read.probe.nonce, probe.nonce);
        assert_int_equal(read.probe.source_port, probe.source_port);
        assert_int_equal(read.ttl_left, probe.ttl);
    }
    outer_family = 4;
    transport = IPPROTO_UDP;
}

static void a_probe_of_discovery_is_answered_by_the_program(void **state) {
    (void)state;
    if (!object)
        skip();
    is_answered(4, IPPROTO_UDP);
    is_answered(6, IPPROTO_UDP);
    is_answered(4, IPPROTO_TCP);
    is_answered(6, IPPROTO_TCP);
}

static void a_probe_of_no_peer_is_not_answered(void **state) {
    (void)state;
    if (!object)
        skip();
    const struct config stranger = {.address = address_ipv4(inet_addr("192.0.2.9")),
                                    .vni = vni,
                                    .port = 6081,
                                    .transport = transport};
    const struct probe probe = {
        .peer = outer_of(there), .nonce = 1, .id = 1, .source_port = 50003, .ttl = 5};
    uint8_t frame[ETHERNET + HEADER + 20] = {[12] = 8}, out[sizeof frame];
    uint32_t out_length = sizeof out;
    scheme = EDGE_CLOVE_ECN;
    be(there);
    const uint64_t before = dropped(EDGE_DROP_STRANGER);
    assert_int_equal(probe_write(&probe, &stranger, scheme, frame + ETHERNET), HEADER + 20);
    assert_int_equal(run("edge_in", frame, sizeof frame, out, &out_length), TC_ACT_SHOT);
    assert_int_equal(dropped(EDGE_DROP_STRANGER), before + 1);
}

/* Only the first packet on a path whose route changed reports the change. */
static void a_way_that_changed_is_told_once(void **state) {
    (void)state;
    if (!object)
        skip();
    static struct edge_peer peer;
    const struct edge_address receiver = outer_of(there);
    scheme = EDGE_ALB;
    be(here);
    get("peers", &receiver, &peer);
    peer.rebase = UINT64_C(1) << 2;
    put("peers", &receiver, &peer);
    unsigned told = 0;
    for (unsigned flow = 0; flow < 400; flow++) {
        uint8_t inner[FRAME], outer[FRAME + HEADER];
        uint32_t length = sizeof outer;
        make_inner(inner);
        inner[35] = (uint8_t)flow;
        inner[34] = (uint8_t)(1 + flow / 256);
        run("edge_out", inner, FRAME, outer, &length);
        if (outer[OPTION] & EDGE_OPTION_REBASE) {
            assert_int_equal(outer[OPTION + 2], 2);
            told++;
        }
    }
    /* ALB draws a path for each packet: none of them takes path 2 with a probability below
     * 10^-23. */
    assert_int_equal(told, 1);
    get("peers", &receiver, &peer);
    assert_int_equal(peer.rebase, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_probe_of_discovery_is_answered_by_the_program),
        cmocka_unit_test(a_probe_of_no_peer_is_not_answered),
        cmocka_unit_test(a_way_that_changed_is_told_once),
    };
    return cmocka_run_group_tests(tests, programs_load, programs_unload);
}
