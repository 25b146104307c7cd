/* libedge's switch side: estimators, leaves, WCMP tables. */
#include <math.h>
#include <string.h>

#include "edge/switch/leaf.h"
#include "edge/switch/multipath.h"
#include "random.h"
#include "testing.h"

static struct edge_leaf leaf;
static const uint64_t uplink_bps = UINT64_C(10000000000);

static void leaf_of(uint32_t scheme, uint32_t uplinks) {
    memset(&leaf, 0, sizeof leaf);
    leaf.scheme = scheme;
    leaf.uplinks = uplinks;
    leaf.gap_ns = 250000;
    leaf.up = (UINT64_C(1) << uplinks) - 1;
    for (uint32_t i = 0; i < uplinks; i++)
        edge_rate_init(&leaf.rate[i], uplink_bps, 0);
}

static void the_estimator_decays_as_conga_says(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned round = 0; round < 300; round++) {
        struct edge_rate rate;
        edge_rate_init(&rate, uplink_bps, 0);
        double model = 0, decayed_ns = 0;
        uint64_t now_ns = 0;
        for (unsigned step = 0; step < 500; step++) {
            now_ns += (uint64_t)(random_one_in(&random, 50) ? random_between(&random, 0, 3000000)
                                                            : random_between(&random, 0, 3000));
            while (decayed_ns + EDGE_DRE_STEP_NS <= (double)now_ns) {
                model -= model / 8;
                decayed_ns += EDGE_DRE_STEP_NS;
            }
            uint32_t bytes = (uint32_t)random_between(&random, 64, 9000);
            edge_rate_add(&rate, bytes, now_ns);
            model += bytes;
            /* Each step rounds up by less than a byte, at most 8 bytes in equilibrium. After 64
             * steps less than 1/5000 of at most 8 full registers remains, which counts as 0. */
            assert_true((double)rate.bytes <= model + 8 && (double)rate.bytes >= model - 330);
        }
    }
}

static void a_full_link_is_the_highest_level_and_half_a_link_the_middle(void **state) {
    (void)state;
    for (uint32_t parts = 1; parts <= 8; parts++) {
        struct edge_rate rate;
        edge_rate_init(&rate, uplink_bps, 0);
        uint64_t gap_ns = 1500 * 8 * 8 / (10 * parts);
        uint64_t now_ns = 0;
        for (unsigned packet = 0; packet < 4000; packet++, now_ns += gap_ns)
            edge_rate_add(&rate, 1500, now_ns);
        uint32_t share = edge_rate_share(&rate, now_ns);
        assert_in_range(share, 65536 / 8 * parts * 85 / 100,
                        parts == 8 ? 65535 : 65536 / 8 * parts * 115 / 100);
        uint32_t highest = parts * 115 / 100;
        assert_in_range(edge_rate_level(&rate, now_ns), parts * 85 / 100,
                        highest < EDGE_DRE_LEVELS ? highest : EDGE_DRE_LEVELS - 1);
    }
}

static void a_retransmission_makes_its_link_look_worse_for_longer(void **state) {
    (void)state;
    struct edge_rate lossy, sound;
    edge_rate_init(&lossy, uplink_bps, 0);
    edge_rate_init(&sound, uplink_bps, 0);
    edge_rate_add(&lossy, 1500, 0);
    edge_rate_add(&sound, 1500, 0);
    edge_rate_add_resent(&lossy, 1500, 0);
    assert_int_equal(lossy.bytes, 1500 * (1 + EDGE_DREVA_BETA));
    edge_rate_decay(&lossy, EDGE_DRE_STEP_NS);
    edge_rate_decay(&sound, EDGE_DRE_STEP_NS);
    uint64_t was = UINT64_C(1500) * (1 + EDGE_DREVA_BETA);
    assert_int_equal(lossy.bytes, was - was / 16);
    assert_int_equal(sound.bytes, 1500 - 1500 / 8);
    uint64_t before = lossy.bytes;
    edge_rate_decay(&lossy, UINT64_C(2) * EDGE_DRE_STEP_NS);
    assert_int_equal(lossy.bytes, before - before / 8);
}

static uint32_t send(uint32_t hash, struct edge_flow *flow, uint32_t instruction, uint32_t random,
                     uint64_t now_ns) {
    return edge_leaf_choose(&leaf, flow, 3, hash, 1500, instruction, random, now_ns);
}

/* 16,000 flowlets over 8 uplinks: 2000 each, with a standard deviation of 42. The test allows five
 * standard deviations. */
static void letflow_draws_a_random_uplink_for_each_flowlet(void **state) {
    (void)state;
    struct random random = {seed() + 1};
    leaf_of(EDGE_LEAF_LETFLOW, 8);
    struct edge_flow flow = {0};
    unsigned draws[8] = {0};
    uint64_t now_ns = 1;
    for (unsigned i = 0; i < 16000; i++, now_ns += leaf.gap_ns)
        draws[send(1, &flow, 0, (uint32_t)random_next(&random), now_ns)]++;
    for (unsigned i = 0; i < 8; i++)
        assert_in_range(draws[i], 2000 - 210, 2000 + 210);
    leaf.up &= ~UINT64_C(4);
    memset(draws, 0, sizeof draws);
    for (unsigned i = 0; i < 14000; i++, now_ns += leaf.gap_ns)
        draws[send(1, &flow, 0, (uint32_t)random_next(&random), now_ns)]++;
    for (unsigned i = 0; i < 8; i++)
        assert_in_range(draws[i], i == 2 ? 0 : 2000 - 210, i == 2 ? 0 : 2000 + 210);
}

static void conga_takes_the_uplink_whose_worse_half_is_best(void **state) {
    (void)state;
    struct random random = {seed() + 2};
    for (unsigned round = 0; round < 3000; round++) {
        uint32_t uplinks = (uint32_t)random_between(&random, 1, EDGE_UPLINKS);
        leaf_of(EDGE_LEAF_CONGA, uplinks);
        uint64_t now_ns = 50000000;
        uint32_t cost[EDGE_UPLINKS];
        uint32_t least = UINT32_MAX;
        for (uint32_t i = 0; i < uplinks; i++) {
            uint32_t local = (uint32_t)random_between(&random, 0, 7);
            uint32_t remote = (uint32_t)random_between(&random, 0, 7);
            bool young = !random_one_in(&random, 3);
            leaf.rate[i].at_ns = now_ns;
            leaf.rate[i].bytes = leaf.rate[i].full_bytes * local / 8 + 1;
            leaf.to_level[3][i] = (uint8_t)remote;
            leaf.to_ns[3][i] = now_ns - (young ? 1 : EDGE_LEAF_AGE_NS);
            cost[i] = young && remote > local ? remote : local;
            if (cost[i] < least)
                least = cost[i];
        }
        struct edge_flow flow = {0};
        bool known = random_one_in(&random, 2);
        if (known)
            flow = (struct edge_flow){.last_ns = now_ns - leaf.gap_ns,
                                      .hash = 9,
                                      .flowlet = 1,
                                      .path = (uint32_t)random_between(&random, 0, uplinks - 1)};
        uint32_t before = flow.path;
        uint32_t uplink = send(9, &flow, 0, (uint32_t)random_next(&random), now_ns);
        assert_int_equal(cost[uplink], least);
        /* A flowlet keeps its uplink unless another is strictly better. */
        if (known && cost[before] == least)
            assert_int_equal(uplink, before);
    }
}

/* Algorithm 2 and Table II: when the leaf reroutes a known flow, and to which uplinks. */
static void intflow_reroutes_by_the_instruction(void **state) {
    (void)state;
    struct random random = {seed() + 3};
    static const struct {
        uint32_t instruction;
        bool idle, reroutes, leaves;
    } cases[] = {
        {EDGE_UNASSIGNED, false, false, false}, {EDGE_UNASSIGNED, true, true, false},
        {EDGE_FAILURE, false, true, true},      {EDGE_FAILURE, true, true, true},
        {EDGE_CONGESTION, false, true, false},  {EDGE_CONGESTION, true, true, false},
        {EDGE_SMALL_FLOW, false, false, false}, {EDGE_SMALL_FLOW, true, false, false},
    };
    for (unsigned round = 0; round < 4000; round++) {
        unsigned c = round % 8;
        bool resent = random_one_in(&random, 2), mine_is_best = random_one_in(&random, 2);
        leaf_of(EDGE_LEAF_INTFLOW, 4);
        uint64_t now_ns = 50000000;
        for (uint32_t i = 0; i < 4; i++)
            leaf.rate[i].at_ns = now_ns;
        struct edge_flow flow = {.hash = 5, .flowlet = 1, .path = 2};
        flow.last_ns = now_ns - (cases[c].idle ? leaf.gap_ns : 1);
        for (uint32_t i = 0; i < 4; i++)
            if ((i == 2) != mine_is_best)
                leaf.rate[i].bytes = leaf.rate[i].full_bytes / 2;
        uint64_t register_before = leaf.rate[2].bytes;
        uint32_t uplink = send(5, &flow, cases[c].instruction | (resent ? 4 : 0),
                               (uint32_t)random_next(&random), now_ns);
        bool moved = uplink != 2;
        if (!cases[c].reroutes)
            assert_false(moved);
        else if (cases[c].leaves)
            assert_true(moved);
        else
            assert_int_equal(moved, !mine_is_best);
        assert_int_equal(leaf.rate[2].bytes, register_before +
                                                 (resent ? 1500 * EDGE_DREVA_BETA : 0) +
                                                 (moved ? 0 : 1500));
    }
}

static void a_new_flow_takes_the_least_loaded_uplink(void **state) {
    (void)state;
    leaf_of(EDGE_LEAF_INTFLOW, 4);
    leaf.rate[0].bytes = leaf.rate[1].bytes = leaf.rate[3].bytes = leaf.rate[0].full_bytes;
    struct edge_flow flow = {0};
    assert_int_equal(send(5, &flow, EDGE_SMALL_FLOW, 1, 1), 2);
}

static void a_flow_leaves_an_uplink_that_went_down(void **state) {
    (void)state;
    for (uint32_t scheme = EDGE_LEAF_LETFLOW; scheme <= EDGE_LEAF_INTFLOW; scheme++) {
        leaf_of(scheme, 4);
        struct edge_flow flow = {.hash = 5, .flowlet = 1, .path = 2, .last_ns = 1000};
        leaf.up &= ~UINT64_C(4);
        assert_int_not_equal(send(5, &flow, EDGE_SMALL_FLOW, 1, 1001), 2);
    }
}

/* The load of the flow's uplink is 4 of 7, that of uplink 1 is 2, and the others' returned load is
 * 7. */
static void a_choice_says_why(void **state) {
    (void)state;
    static const struct {
        uint32_t scheme, instruction, cause, cost, from_cost;
        uint64_t idle_ns; /* 0: the flow is new */
        bool down, chooses;
    } cases[] = {
        {EDGE_LEAF_CONGA, 0, EDGE_LEAF_FIRST, 2, 0, 0, false, true},
        {EDGE_LEAF_CONGA, 0, EDGE_LEAF_IDLE, 2, 4, 250000, false, true},
        {EDGE_LEAF_CONGA, 0, 0, 0, 0, 249999, false, false},
        {EDGE_LEAF_CONGA, 0, EDGE_LEAF_DOWN, 2, 4, 1, true, true},
        {EDGE_LEAF_LETFLOW, 0, EDGE_LEAF_IDLE, 0, 0, UINT64_C(5000000000), false, true},
        {EDGE_LEAF_INTFLOW, EDGE_FAILURE, EDGE_LEAF_FAILURE, 2, 4, 1, false, true},
        {EDGE_LEAF_INTFLOW, EDGE_CONGESTION, EDGE_LEAF_CONGESTION, 2, 4, 1, false, true},
        {EDGE_LEAF_INTFLOW, EDGE_UNASSIGNED, EDGE_LEAF_IDLE, 2, 4, 250000, false, true},
        {EDGE_LEAF_INTFLOW, EDGE_SMALL_FLOW, 0, 0, 0, 250000, false, false},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t now_ns = UINT64_C(6000000000);
        leaf_of(cases[i].scheme, 4);
        for (uint32_t uplink = 0; uplink < 4; uplink++) {
            leaf.rate[uplink].at_ns = now_ns;
            leaf.to_ns[3][uplink] = now_ns;
            leaf.to_level[3][uplink] = uplink == 1 ? 0 : uplink == 2 ? 4 : 7;
        }
        leaf.rate[1].bytes = leaf.rate[1].full_bytes * 2 / EDGE_DRE_LEVELS + 1;
        if (cases[i].down)
            leaf.up &= ~UINT64_C(4);
        bool is_new = cases[i].idle_ns == 0;
        struct edge_flow flow = {.hash = 5, .flowlet = 8, .path = 2};
        flow.last_ns = is_new ? 0 : now_ns - cases[i].idle_ns;
        struct edge_leaf_trace trace = {0};
        uint32_t uplink = edge_leaf_choose_traced(&leaf, &flow, 3, 5, 1500, cases[i].instruction, 1,
                                                  now_ns, &trace);
        assert_int_equal(trace.at_ns, cases[i].chooses ? now_ns : 0);
        if (!cases[i].chooses)
            continue;
        assert_int_equal(trace.hash, 5);
        assert_int_equal(trace.cause, cases[i].cause);
        assert_int_equal(trace.uplink, uplink);
        assert_int_equal(trace.from, is_new ? EDGE_UPLINKS : 2);
        assert_int_equal(trace.cost, cases[i].cost);
        assert_int_equal(trace.from_cost, cases[i].from_cost);
        assert_int_equal(trace.idle_ns,
                         is_new || cases[i].idle_ns > UINT32_MAX ? UINT32_MAX : cases[i].idle_ns);
        assert_int_equal(trace.flowlet, is_new ? 1 : 9);
        assert_int_equal(flow.flowlet, trace.flowlet);
    }
}

/* Leaf B returns to leaf A the loads that it saw arrive by each of A's uplinks. */
static void loads_come_back_to_the_leaf_that_caused_them(void **state) {
    (void)state;
    static struct edge_leaf b;
    leaf_of(EDGE_LEAF_CONGA, 4);
    b = leaf;
    for (uint32_t uplink = 0; uplink < 4; uplink++) {
        struct edge_leaf_tag tag = {.uplink = uplink, .level = uplink + 2};
        edge_leaf_arrive(&b, 0, &tag, 1000);
    }
    for (uint32_t turn = 0; turn < 4; turn++) {
        struct edge_leaf_tag tag = {.uplink = 1, .level = 0};
        edge_leaf_feedback(&b, 0, &tag, 2000);
        assert_int_equal(tag.feedback_uplink, turn);
        edge_leaf_arrive(&leaf, 3, &tag, 2000);
    }
    for (uint32_t uplink = 0; uplink < 4; uplink++)
        assert_int_equal(edge_leaf_cost(&leaf, 3, uplink, 2000), uplink + 2);
    assert_int_equal(edge_leaf_cost(&leaf, 3, 2, 2000 + EDGE_LEAF_AGE_NS), 0);
    /* Changed uplinks come first. */
    struct edge_leaf_tag tag = {.uplink = 3, .level = 0};
    edge_leaf_arrive(&b, 0, &tag, 3000);
    edge_leaf_feedback(&b, 0, &tag, 3000);
    assert_int_equal(tag.feedback_uplink, 3);
    assert_int_equal(tag.feedback_level, 0);
}

/* Clove's asymmetric fabric: a leaf that lost an uplink feeds back all uplinks of the other
 * leaf. */
static void a_leaf_with_fewer_uplinks_feeds_back_all_of_the_others(void **state) {
    (void)state;
    static struct edge_leaf b;
    leaf_of(EDGE_LEAF_CONGA, 3);
    b = leaf;
    leaf_of(EDGE_LEAF_CONGA, 4);
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t uplink = 0; uplink < 4; uplink++) {
            const struct edge_leaf_tag tag = {.uplink = uplink, .level = uplink + 2};
            edge_leaf_arrive(&b, 0, &tag, 1000);
        }
        for (uint32_t turn = 0; turn < 4; turn++) {
            struct edge_leaf_tag tag = {0};
            edge_leaf_feedback(&b, 0, &tag, 2000);
            assert_int_equal(tag.feedback_uplink, turn);
            edge_leaf_arrive(&leaf, 3, &tag, 2000);
        }
    }
    for (uint32_t uplink = 0; uplink < 4; uplink++)
        assert_int_equal(edge_leaf_cost(&leaf, 3, uplink, 2000), uplink + 2);
}

/* A load is fed back for EDGE_LEAF_AGE_NS after it last arrived, and then as 0. */
static void a_load_is_fed_back_until_it_is_too_old(void **state) {
    (void)state;
    leaf_of(EDGE_LEAF_CONGA, 2);
    const struct edge_leaf_tag loaded = {.uplink = 1, .level = 7};
    const struct edge_leaf_tag other = {.uplink = 0, .level = 3};
    struct edge_leaf_tag tag = {0};
    edge_leaf_arrive(&leaf, 5, &loaded, 1000);
    edge_leaf_feedback(&leaf, 5, &tag, 1000);
    assert_int_equal(tag.feedback_uplink, 1);
    assert_int_equal(tag.feedback_level, 7);
    /* Packets by the other uplink do not refresh it. */
    edge_leaf_arrive(&leaf, 5, &other, 999 + EDGE_LEAF_AGE_NS);
    edge_leaf_feedback(&leaf, 5, &tag, 999 + EDGE_LEAF_AGE_NS);
    assert_int_equal(tag.feedback_uplink, 0);
    assert_int_equal(tag.feedback_level, 3);
    edge_leaf_feedback(&leaf, 5, &tag, 999 + EDGE_LEAF_AGE_NS);
    assert_int_equal(tag.feedback_uplink, 1);
    assert_int_equal(tag.feedback_level, 7);
    edge_leaf_feedback(&leaf, 5, &tag, 1000 + EDGE_LEAF_AGE_NS);
    edge_leaf_feedback(&leaf, 5, &tag, 1000 + EDGE_LEAF_AGE_NS);
    assert_int_equal(tag.feedback_uplink, 1);
    assert_int_equal(tag.feedback_level, 0);
    /* The same load then counts as a change and comes first. */
    edge_leaf_arrive(&leaf, 5, &loaded, 1000 + EDGE_LEAF_AGE_NS);
    assert_int_equal(leaf.from_changed[5], 1u << 1);
    edge_leaf_feedback(&leaf, 5, &tag, 1000 + EDGE_LEAF_AGE_NS);
    assert_int_equal(tag.feedback_uplink, 1);
    assert_int_equal(tag.feedback_level, 7);
}

static void
packets_carry_the_highest_utilisation_and_marks_begin_above_the_threshold(void **state) {
    (void)state;
    assert_int_equal(edge_stamp(100, 70), 100);
    assert_int_equal(edge_stamp(100, 170), 170);
    assert_false(edge_marks(30000, 30000));
    assert_true(edge_marks(30001, 30000));
}

static void a_multipath_table_gives_each_port_its_slots(void **state) {
    (void)state;
    struct random random = {seed() + 4};
    for (unsigned round = 0; round < 500; round++) {
        struct edge_multipath table = {0};
        uint16_t ports[EDGE_SLOTS];
        uint32_t weights[EDGE_SLOTS], count = (uint32_t)random_between(&random, 1, 16), sum = 0;
        for (uint32_t i = 0; i < count; i++) {
            ports[i] = (uint16_t)(i + 1);
            weights[i] = (uint32_t)random_between(&random, 1, 16);
            sum += weights[i];
        }
        assert_true(edge_multipath_set(&table, ports, weights, count));
        unsigned slots[17] = {0};
        for (uint32_t slot = 0; slot < sum; slot++) {
            /* The lowest hash of the slot. */
            uint64_t hash = (((uint64_t)slot << 32) + sum - 1) / sum;
            slots[edge_multipath_port(&table, (uint32_t)hash)]++;
        }
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(slots[i + 1], weights[i]);
    }
    struct edge_multipath table = {.slots = 7};
    uint16_t port = 1;
    uint32_t none = 0, many = EDGE_SLOTS + 1;
    assert_false(edge_multipath_set(&table, &port, &none, 1));
    assert_false(edge_multipath_set(&table, &port, &many, 1));
    assert_int_equal(table.slots, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_estimator_decays_as_conga_says),
        cmocka_unit_test(a_full_link_is_the_highest_level_and_half_a_link_the_middle),
        cmocka_unit_test(a_retransmission_makes_its_link_look_worse_for_longer),
        cmocka_unit_test(letflow_draws_a_random_uplink_for_each_flowlet),
        cmocka_unit_test(conga_takes_the_uplink_whose_worse_half_is_best),
        cmocka_unit_test(intflow_reroutes_by_the_instruction),
        cmocka_unit_test(a_new_flow_takes_the_least_loaded_uplink),
        cmocka_unit_test(a_flow_leaves_an_uplink_that_went_down),
        cmocka_unit_test(a_choice_says_why),
        cmocka_unit_test(loads_come_back_to_the_leaf_that_caused_them),
        cmocka_unit_test(a_leaf_with_fewer_uplinks_feeds_back_all_of_the_others),
        cmocka_unit_test(a_load_is_fed_back_until_it_is_too_old),
        cmocka_unit_test(packets_carry_the_highest_utilisation_and_marks_begin_above_the_threshold),
        cmocka_unit_test(a_multipath_table_gives_each_port_its_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
