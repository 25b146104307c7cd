/* The program of a switch port that stamps utilisation, on packets of an edge. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/in.h>
#include <linux/pkt_cls.h>
#include <string.h>

#include "edge/option.h"
#include "programs.h"
#include "random.h"
#include "tag.h"
#include "testing.h"

enum { T1 = OPTION + 8, TAG = OPTION + LEAF_TAG, FUZZ_RUNS = 20000 };

/* The program's struct port. */
struct port {
    uint64_t bits_per_s;
    uint64_t slower;
    uint64_t overlay_port;
};

static struct bpf_object *stamping;

static int load(void **state) {
    const int error = programs_load(state);
    if (!error && object)
        stamping = load_port(STAMPING_BPF_OBJECT);
    return error;
}

static int unload(void **state) {
    bpf_object__close(stamping);
    return programs_unload(state);
}

/* Sets a rate at which any packet fills the link, or none does. */
static void set_rate(uint64_t bits_per_s) {
    const struct port port = {.bits_per_s = bits_per_s, .slower = 1, .overlay_port = 6081};
    write_port(stamping, "port", &port);
}

/* Returns the packet's t1 after the program. */
static uint32_t stamped(uint8_t *frame, uint32_t length) {
    uint32_t out_length = length;
    assert_int_equal(run_in(stamping, "stamping_port", frame, length, frame, &out_length),
                     TC_ACT_UNSPEC);
    assert_int_equal(out_length, length);
    return edge_get32(frame + T1);
}

static void a_packet_carries_the_highest_utilisation_on_its_way(void **state) {
    (void)state;
    if (!object)
        skip();
    uint8_t outer[FRAME + HEADER];
    scheme = EDGE_CLOVE_INT;
    const uint32_t length = make_outer(outer);
    assert_int_equal(edge_get32(outer + T1), 0);
    set_rate(UINT64_C(1000000000000));
    assert_in_range(stamped(outer, length), 0, 1000);
    set_rate(1000000);
    assert_int_equal(stamped(outer, length), 65535);
    set_rate(UINT64_C(1000000000000));
    assert_int_equal(stamped(outer, length), 65535);
}

/* The same in the TCP form; nothing else changes, and real segments are unchanged. */
static void what_looks_like_tcp_is_stamped_too(void **state) {
    (void)state;
    if (!object)
        skip();
    uint8_t outer[FRAME + HEADER + REST], before[sizeof outer];
    transport = IPPROTO_TCP;
    scheme = EDGE_CLOVE_INT;
    const uint32_t length = make_outer(outer);
    set_rate(1000000);
    for (unsigned real = 0; real < 2; real++) {
        memset(outer + T1 + REST, 0, 4);
        outer[ETHERNET + 20 + 7] = (uint8_t)real; /* of the sequence number */
        memcpy(before, outer, sizeof before);
        stamped(outer, length);
        assert_int_equal(edge_get32(outer + T1 + REST), real ? 0 : 65535);
        memset(outer + T1 + REST, 0, 4);
        assert_memory_equal(outer, before, sizeof outer);
    }
    transport = IPPROTO_UDP;
}

/* The receiving edge reports the stamp, within bounds for any input. */
static void the_receiver_reports_what_was_stamped(void **state) {
    (void)state;
    if (!object)
        skip();
    static struct edge_peer peer;
    scheme = EDGE_CLOVE_INT;
    for (unsigned forged = 0; forged < 2; forged++) {
        uint8_t outer[FRAME + HEADER], out[FRAME + HEADER];
        uint32_t length = make_outer(outer), out_length = sizeof out;
        set_rate(1000000);
        stamped(outer, length);
        if (forged)
            memset(outer + T1, 0xff, 4);
        assert_int_equal(run("edge_in", outer, length, out, &out_length), TC_ACT_UNSPEC);
        const struct edge_address sender = outer_of(here);
        get("peers", &sender, &peer);
        assert_int_equal(peer.reports.waiting[outer[OPTION + 2]].metric, 65535);
    }
}

/* Packets between leaves get the link's level in their tag; nothing else changes. */
static void a_tag_carries_the_highest_level_on_its_way(void **state) {
    (void)state;
    if (!object)
        skip();
    uint8_t outer[FRAME + HEADER], before[FRAME + HEADER];
    const struct edge_leaf_tag carried = {
        .uplink = 9, .level = 3, .feedback_uplink = 5, .feedback_level = 6};
    scheme = EDGE_ECMP;
    const uint32_t length = make_outer(outer);
    set_rate(1000000);
    memcpy(before, outer, sizeof before);
    stamped(outer, length);
    assert_memory_equal(outer, before, sizeof outer); /* no tag, no stamp */
    for (unsigned busy = 0; busy < 2; busy++) {
        struct edge_leaf_tag tag;
        leaf_tag_write(outer + TAG, &carried);
        set_rate(busy ? 1000000 : UINT64_C(1000000000000));
        stamped(outer, length);
        assert_true(leaf_tag_read(outer + TAG, EDGE_UPLINKS, &tag));
        assert_int_equal(tag.level, busy ? EDGE_DRE_LEVELS - 1 : carried.level);
        tag.level = carried.level;
        assert_memory_equal(&tag, &carried, sizeof tag);
    }
}

static void packets_of_others_pass_as_they_are(void **state) {
    (void)state;
    if (!object)
        skip();
    struct random random = {seed()};
    unsigned changed = 0;
    set_rate(1000000);
    uint8_t written[FRAME + HEADER], before[FRAME + HEADER], frame[FRAME + HEADER];
    for (unsigned i = 0; i < FUZZ_RUNS; i++) {
        if (i % 1000 == 0) {
            scheme = (uint32_t)random_between(&random, 0, EDGE_SCHEMES - 1);
            make_outer(written);
        }
        memcpy(frame, written, sizeof frame);
        for (unsigned changes = 0; changes < 2; changes++)
            if (random_one_in(&random, 2))
                frame[random_between(&random, ETHERNET, ETHERNET + HEADER - 1)] =
                    (uint8_t)random_next(&random);
        memcpy(before, frame, sizeof before);
        const bool is_int = frame[52] == EDGE_CLOVE_INT && !(frame[43] & 0x80);
        const bool is_tagged = leaf_tag_fits(frame[52]) && frame[TAG] & LEAF_TAG_THERE;
        stamped(frame, sizeof frame);
        changed += memcmp(frame, before, sizeof frame) != 0;
        /* Only the stamp is ever written. */
        if (is_int)
            memcpy(frame + T1, before + T1, 4);
        if (is_tagged)
            frame[TAG] = before[TAG];
        assert_memory_equal(frame, before, sizeof frame);
    }
    assert_true(changed > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_packet_carries_the_highest_utilisation_on_its_way),
        cmocka_unit_test(what_looks_like_tcp_is_stamped_too),
        cmocka_unit_test(the_receiver_reports_what_was_stamped),
        cmocka_unit_test(a_tag_carries_the_highest_level_on_its_way),
        cmocka_unit_test(packets_of_others_pass_as_they_are),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
