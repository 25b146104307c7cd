/* When a flowlet begins: with a fixed gap and with a gap that adapts to the paths' delays. */
#include <string.h>

#include "edge/choose.h"
#include "random.h"
#include "testing.h"

static struct edge_paths paths;

static void four_equal_paths(void) {
    struct edge_found found[4];
    for (uint32_t i = 0; i < 4; i++)
        found[i] = (struct edge_found){.key = i, .weight = 1, .port = (uint16_t)(50000 + i)};
    memset(&paths, 0, sizeof paths);
    edge_set_paths(&paths, found, 4);
}

static uint32_t send_at(const struct edge_params *params, struct edge_flow *flow, uint64_t now_ns,
                        uint32_t hash) {
    struct edge_packet packet = {.now_ns = now_ns, .hash = hash, .bytes = 1500, .random = 7};
    return edge_choose(params, &paths, flow, &packet, NULL);
}

static void a_flowlet_begins_after_the_gap_and_not_before(void **state) {
    (void)state;
    four_equal_paths();
    struct edge_params params = edge_defaults(EDGE_CLOVE_ECN, 100000, UINT64_C(10000000000));
    struct edge_flow flow = {0};
    uint64_t now_ns = 1000;
    uint32_t path = send_at(&params, &flow, now_ns, 5);
    assert_int_equal(flow.flowlet, 1);
    now_ns += params.gap_ns - 1;
    assert_int_equal(send_at(&params, &flow, now_ns, 5), path);
    assert_int_equal(flow.flowlet, 1);
    assert_int_equal(flow.packet, 2);
    now_ns += params.gap_ns;
    assert_int_not_equal(send_at(&params, &flow, now_ns, 5), path);
    assert_int_equal(flow.flowlet, 2);
    assert_int_equal(flow.bytes, 1500);
}

static void a_clock_that_stands_still_or_steps_back_begins_none(void **state) {
    (void)state;
    four_equal_paths();
    struct edge_params params = edge_defaults(EDGE_CLOVE_ECN, 100000, UINT64_C(10000000000));
    struct edge_flow flow = {0};
    uint32_t path = send_at(&params, &flow, 5000000, 5);
    assert_int_equal(send_at(&params, &flow, 5000000, 5), path);
    assert_int_equal(send_at(&params, &flow, 1000000, 5), path);
    assert_int_equal(flow.flowlet, 1);
}

static void another_flow_or_other_paths_begin_one(void **state) {
    (void)state;
    four_equal_paths();
    struct edge_params params = edge_defaults(EDGE_CLOVE_ECN, 100000, UINT64_C(10000000000));
    struct edge_flow flow = {0};
    send_at(&params, &flow, 1000, 5);
    send_at(&params, &flow, 1001, 6);
    assert_int_equal(flow.hash, 6);
    assert_int_equal(flow.flowlet, 1);
    assert_int_equal(flow.packet, 1);
    paths.generation++;
    send_at(&params, &flow, 1002, 6);
    assert_int_equal(flow.flowlet, 2);
    assert_int_equal(flow.packet, 2);
}

static void the_adaptive_gap_grows_by_how_far_delays_are_apart(void **state) {
    (void)state;
    struct random random = {seed()};
    struct edge_params params = edge_defaults(EDGE_ALB, 100000, UINT64_C(10000000000));
    for (unsigned round = 0; round < 5000; round++) {
        four_equal_paths();
        uint64_t now_ns = 100000000;
        uint32_t least = UINT32_MAX, most = 0;
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t delay_ns = (uint32_t)random_between(&random, 0, 3000000);
            bool young = !random_one_in(&random, 4);
            if (!random_one_in(&random, 5))
                edge_note_metric(&paths, i, delay_ns, now_ns - (young ? 1 : params.metric_age_ns));
            else
                young = false;
            if (young && delay_ns < least)
                least = delay_ns;
            if (young && delay_ns > most)
                most = delay_ns;
        }
        uint64_t spread = most > least ? most - least : 0;
        params.gap_adapt = 0;
        assert_int_equal(edge_gap_ns(&params, &paths, now_ns), params.gap_ns);
        params.gap_adapt = 256;
        assert_int_equal(edge_gap_ns(&params, &paths, now_ns), params.gap_ns + spread);
        params.gap_adapt = 128;
        assert_int_equal(edge_gap_ns(&params, &paths, now_ns), params.gap_ns + spread / 2);
    }
}

/* A flowlet on a path that is faster by the spread leaves at least the spread later. */
static void with_the_adaptive_gap_no_flowlet_overtakes(void **state) {
    (void)state;
    struct random random = {seed() + 1};
    struct edge_params params = edge_defaults(EDGE_ALB, 100000, UINT64_C(10000000000));
    params.gap_adapt = 256;
    for (unsigned round = 0; round < 300; round++) {
        four_equal_paths();
        struct edge_flow flow = {0};
        uint64_t now_ns = 1000000, arrived_ns = 0;
        uint32_t delay_ns[4];
        for (unsigned packet = 0; packet < 200; packet++) {
            if (packet % 50 == 0)
                for (uint32_t i = 0; i < 4; i++)
                    delay_ns[i] = (uint32_t)random_between(&random, 10000, 2000000);
            for (uint32_t i = 0; i < 4; i++)
                edge_note_metric(&paths, i, delay_ns[i], now_ns);
            uint32_t path = send_at(&params, &flow, now_ns, 9);
            if (packet % 50 != 0)
                assert_true(now_ns + delay_ns[path] >= arrived_ns);
            arrived_ns = now_ns + delay_ns[path];
            now_ns += (uint64_t)(random_one_in(&random, 3) ? random_between(&random, 1, 3000000)
                                                           : random_between(&random, 1, 2000));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flowlet_begins_after_the_gap_and_not_before),
        cmocka_unit_test(a_clock_that_stands_still_or_steps_back_begins_none),
        cmocka_unit_test(another_flow_or_other_paths_begin_one),
        cmocka_unit_test(the_adaptive_gap_grows_by_how_far_delays_are_apart),
        cmocka_unit_test(with_the_adaptive_gap_no_flowlet_overtakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
