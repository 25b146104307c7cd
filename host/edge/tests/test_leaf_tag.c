/* The programs of a leaf's ports: CONGA's tags, and invalid tags. */
#include <arpa/inet.h>
#include <linux/in.h>
#include <linux/pkt_cls.h>
#include <string.h>

#include "leaves.h"
#include "random.h"
#include "testing.h"

enum { FUZZ_RUNS = 20000 };

/* Reverses the packet: exchanges its addresses. */
static void turn(uint8_t *outer) {
    memcpy(outer + SOURCE, &there, 4);
    memcpy(outer + DESTINATION, &here, 4);
}

/* A load on the way is returned to the leaf that sent the packet, which then avoids that uplink. */
static void conga_avoids_the_uplink_that_a_tag_says_is_loaded(void **state) {
    (void)state;
    if (!object)
        skip();
    uint8_t outer[FRAME + HEADER], back[FRAME + HEADER], written[FRAME + HEADER];
    struct edge_leaf_tag tag;
    be_leaves(EDGE_LEAF_CONGA, 0);
    make_overlay(written);
    memcpy(outer, written, sizeof outer);
    assert_int_equal(from_host(0, outer, sizeof outer), TC_ACT_REDIRECT);
    assert_true(leaf_tag_read(outer + TAG, UPLINKS, &tag));
    assert_int_equal(tag.level, 0);
    const uint32_t loaded = tag.uplink;
    tag.level = EDGE_DRE_LEVELS - 1; /* as a spine's port stamps it */
    leaf_tag_write(outer + TAG, &tag);
    assert_int_equal(from_fabric(1, outer, sizeof outer), TC_ACT_UNSPEC);
    assert_int_equal(edge_get16(outer + TAG), 0); /* hosts do not see tags */
    assert_int_equal(look(1)->tags, 1);

    memcpy(back, written, sizeof back);
    turn(back);
    assert_int_equal(from_host(1, back, sizeof back), TC_ACT_REDIRECT);
    assert_true(leaf_tag_read(back + TAG, UPLINKS, &tag));
    assert_int_equal(tag.feedback_uplink, loaded);
    assert_int_equal(tag.feedback_level, EDGE_DRE_LEVELS - 1);
    assert_int_equal(from_fabric(0, back, sizeof back), TC_ACT_UNSPEC);
    assert_int_equal(look(0)->leaf.to_level[1][loaded], EDGE_DRE_LEVELS - 1);
    for (unsigned packet = 0; packet < 30; packet++)
        assert_int_not_equal(send_by(0, written, 0), loaded);
}

/* Leaves also write and clear tags at the option's position in the TCP form. */
static void tags_are_in_what_looks_like_tcp_too(void **state) {
    (void)state;
    if (!object)
        skip();
    uint8_t outer[FRAME + HEADER + REST], written[sizeof outer];
    struct edge_leaf_tag tag;
    be_leaves(EDGE_LEAF_CONGA, 0);
    scheme = EDGE_ECMP;
    transport = IPPROTO_TCP;
    const uint32_t length = make_outer(outer);
    transport = IPPROTO_UDP;
    memcpy(written, outer, sizeof written);
    assert_int_equal(from_host(0, outer, length), TC_ACT_REDIRECT);
    assert_true(leaf_tag_read(outer + TAG + REST, UPLINKS, &tag));
    assert_int_equal(from_fabric(1, outer, length), TC_ACT_UNSPEC);
    assert_int_equal(look(1)->tags, 1);
    assert_int_equal(edge_get16(outer + TAG + REST), 0);
    assert_memory_equal(outer + ETHERNET + 20, written + ETHERNET + 20, length - ETHERNET - 20);
}

/* A load without recent updates counts as 0, so that its uplink is tried again. */
static void conga_does_not_repeat_loads_for_ever(void **state) {
    (void)state;
    if (!object)
        skip();
    uint8_t back[FRAME + HEADER];
    struct edge_leaf_tag tag;
    be_leaves(EDGE_LEAF_CONGA, 0);
    look(1);
    found.leaf.from_level[0][2] = 7; /* for the other leaf's uplink 2, at the first nanosecond */
    found.leaf.from_changed[0] = 1u << 2;
    found.leaf.from_ns[0][2] = 1;
    set_state(1, &found);
    make_overlay(back);
    turn(back);
    assert_int_equal(from_host(1, back, sizeof back), TC_ACT_REDIRECT);
    assert_true(leaf_tag_read(back + TAG, UPLINKS, &tag));
    assert_int_equal(tag.feedback_uplink, 2);
    assert_int_equal(tag.feedback_level, 0);
}

static void hosts_write_no_tags(void **state) {
    (void)state;
    if (!object)
        skip();
    const struct edge_leaf_tag forged = {.level = 7, .feedback_level = 7};
    const uint32_t nobody = inet_addr("203.0.113.1");
    for (unsigned routed = 0; routed < 2; routed++) {
        uint8_t outer[FRAME + HEADER];
        be_leaves(EDGE_LEAF_LETFLOW, 0);
        make_overlay(outer);
        leaf_tag_write(outer + TAG, &forged);
        if (routed)
            memcpy(outer + SOURCE, &nobody, 4);
        from_host(0, outer, sizeof outer);
        assert_int_equal(edge_get16(outer + TAG), 0);
    }
}

/* Tags from a source of no leaf, or for an uplink that this leaf lacks. */
static void tags_that_no_leaf_writes_are_refused(void **state) {
    (void)state;
    if (!object)
        skip();
    const uint32_t nobody = inet_addr("203.0.113.1");
    const struct edge_leaf_tag good = {.level = 7, .feedback_level = 7};
    for (unsigned i = 0; i < 6; i++) {
        uint8_t outer[FRAME + HEADER];
        static struct leaf_state before;
        be_leaves(EDGE_LEAF_CONGA, 0);
        make_overlay(outer);
        leaf_tag_write(outer + TAG, &good);
        if (i == 1)
            memcpy(outer + SOURCE, &nobody, 4);
        else if (i == 2)
            memcpy(outer + SOURCE, &there, 4); /* its own host's address, from outside */
        else if (i == 3)
            outer[TAG + 1] = 0x70 | UPLINKS;
        else if (i == 4)
            outer[TAG] &= 0x7f;
        else if (i == 5)
            outer[TAG + 1] |= 0x80;
        before = *look(1);
        assert_int_equal(from_fabric(1, outer, sizeof outer), TC_ACT_UNSPEC);
        assert_int_equal(edge_get16(outer + TAG), 0);
        look(1);
        assert_int_equal(found.tags, i == 0);
        assert_int_equal(found.refused, i != 0);
        if (i != 0)
            assert_memory_equal(&found.leaf, &before.leaf, sizeof before.leaf);
    }
}

static void random_headers_change_nothing_but_tag_and_hop(void **state) {
    (void)state;
    if (!object)
        skip();
    struct random random = {seed()};
    uint8_t written[FRAME + HEADER], before[FRAME + HEADER], frame[FRAME + HEADER];
    be_leaves(EDGE_LEAF_CONGA, 0);
    for (unsigned i = 0; i < FUZZ_RUNS; i++) {
        if (i % 1000 == 0) {
            scheme = (uint32_t)random_between(&random, 0, EDGE_SCHEMES - 1);
            make_outer(written);
        }
        memcpy(frame, written, sizeof frame);
        for (unsigned changes = 0; changes < 3; changes++)
            if (random_one_in(&random, 2))
                frame[random_between(&random, ETHERNET, ETHERNET + HEADER + 20)] =
                    (uint8_t)random_next(&random);
        memcpy(before, frame, sizeof before);
        const bool fits = leaf_tag_fits(frame[OPTION - 2]);
        if (random_one_in(&random, 2)) {
            from_fabric(1, frame, sizeof frame);
        } else if (from_host(0, frame, sizeof frame) == TC_ACT_REDIRECT) {
            assert_int_equal(frame[TTL], before[TTL] - 1);
            frame[TTL] = before[TTL];
            memcpy(frame + CHECKSUM, before + CHECKSUM, 2);
        }
        if (fits)
            memcpy(frame + TAG, before + TAG, LEAF_TAG_BYTES);
        assert_memory_equal(frame, before, sizeof frame);
    }
    for (unsigned uplink = 0; uplink < UPLINKS; uplink++)
        assert_true(look(0)->sent[uplink].packets > 0);
    assert_true(look(1)->refused > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conga_avoids_the_uplink_that_a_tag_says_is_loaded),
        cmocka_unit_test(tags_are_in_what_looks_like_tcp_too),
        cmocka_unit_test(conga_does_not_repeat_loads_for_ever),
        cmocka_unit_test(hosts_write_no_tags),
        cmocka_unit_test(tags_that_no_leaf_writes_are_refused),
        cmocka_unit_test(random_headers_change_nothing_but_tag_and_hop),
    };
    return cmocka_run_group_tests(tests, leaves_load, leaves_unload);
}
