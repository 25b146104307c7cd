/* CLOVE-ECN's weights: the paper's figure, a model in floating point, and invariants. */
#include <string.h>

#include "edge/choose.h"
#include "random.h"
#include "testing.h"

static struct edge_paths paths;
static struct edge_params params;

static void equal_paths(uint32_t count) {
    struct edge_found found[EDGE_MAX_PATHS];
    for (uint32_t i = 0; i < count; i++)
        found[i] = (struct edge_found){.key = i, .weight = 1, .port = (uint16_t)(50000 + i)};
    memset(&paths, 0, sizeof paths);
    edge_set_paths(&paths, found, count);
    params = edge_defaults(EDGE_CLOVE_ECN, 100000, UINT64_C(10000000000));
}

static uint64_t sum(void) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < paths.count; i++)
        total += paths.weight[i];
    return total;
}

/* Figure 2, step 5: the mark of the first path shifts a third of its weight to the others. */
static void a_mark_moves_a_third_of_the_weight_to_the_other_paths(void **state) {
    (void)state;
    equal_paths(4);
    uint32_t quarter = EDGE_WEIGHT_ONE / 4, third = quarter / 3;
    assert_false(edge_apply_feedback(&params, &paths, 0, true, 0, 1000000));
    assert_int_equal(paths.weight[0], quarter - third);
    assert_int_equal(sum(), EDGE_WEIGHT_ONE);
    for (uint32_t i = 1; i < 4; i++)
        assert_in_range(paths.weight[i], quarter + third / 3, quarter + third / 3 + 2);
}

static void what_a_congested_path_loses_goes_to_uncongested_ones_only(void **state) {
    (void)state;
    equal_paths(4);
    uint64_t now_ns = 1000000;
    edge_apply_feedback(&params, &paths, 0, true, 0, now_ns);
    uint32_t first = paths.weight[0];
    edge_apply_feedback(&params, &paths, 1, true, 0, now_ns + 1);
    assert_int_equal(paths.weight[0], first);
    /* After congested_ns the path counts as uncongested again. */
    edge_apply_feedback(&params, &paths, 2, true, 0, now_ns + params.congested_ns);
    assert_true(paths.weight[0] > first);
}

static void the_guest_sees_a_mark_only_when_all_paths_are_congested(void **state) {
    (void)state;
    equal_paths(3);
    uint64_t now_ns = 1000000;
    assert_false(edge_apply_feedback(&params, &paths, 0, true, 0, now_ns));
    assert_false(edge_apply_feedback(&params, &paths, 1, true, 0, now_ns));
    uint32_t before[3];
    memcpy(before, paths.weight, sizeof before);
    assert_true(edge_apply_feedback(&params, &paths, 2, true, 0, now_ns));
    assert_memory_equal(before, paths.weight, sizeof before);
    assert_false(edge_apply_feedback(&params, &paths, 2, true, 0, now_ns + params.congested_ns));
    assert_false(edge_apply_feedback(&params, &paths, 0, false, 0, now_ns));
}

static void a_path_that_does_not_exist_changes_nothing(void **state) {
    (void)state;
    equal_paths(3);
    struct edge_paths before = paths;
    assert_false(edge_apply_feedback(&params, &paths, 3, true, 0, 1000000));
    assert_false(edge_apply_feedback(&params, &paths, 63, true, 0, 1000000));
    assert_memory_equal(&before, &paths, sizeof before);
}

/* The paper's rule in floating point: w -= w / 3; uncongested paths share the third equally. */
static void model_mark(double *weight, double *marked_at, uint32_t count, uint32_t path,
                       uint64_t now_ns) {
    marked_at[path] = (double)now_ns;
    uint32_t uncongested = 0;
    for (uint32_t i = 0; i < count; i++)
        uncongested += (double)now_ns - marked_at[i] >= params.congested_ns;
    if (uncongested == 0)
        return;
    double floor = (double)paths.prior[path] / EDGE_WEIGHT_ONE / params.floor;
    double cut = weight[path] / 3;
    if (weight[path] - cut < floor)
        cut = weight[path] > floor ? weight[path] - floor : 0;
    weight[path] -= cut;
    for (uint32_t i = 0; i < count; i++)
        if ((double)now_ns - marked_at[i] >= params.congested_ns)
            weight[i] += cut / uncongested;
}

static void weights_follow_the_papers_rule(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned round = 0; round < 200; round++) {
        uint32_t count = (uint32_t)random_between(&random, 2, EDGE_MAX_PATHS);
        equal_paths(count);
        params.recover_ns = 0;
        double weight[EDGE_MAX_PATHS], marked_at[EDGE_MAX_PATHS];
        for (uint32_t i = 0; i < count; i++) {
            weight[i] = (double)paths.prior[i] / EDGE_WEIGHT_ONE;
            marked_at[i] = -1e18;
        }
        uint64_t now_ns = 1000000;
        for (unsigned step = 0; step < 400; step++) {
            now_ns += (uint64_t)random_between(&random, 0, 60000);
            uint32_t path = (uint32_t)random_between(&random, 0, count - 1);
            edge_apply_feedback(&params, &paths, path, true, 0, now_ns);
            model_mark(weight, marked_at, count, path, now_ns);
            assert_int_equal(sum(), EDGE_WEIGHT_ONE);
            for (uint32_t i = 0; i < count; i++) {
                double ours = (double)paths.weight[i] / EDGE_WEIGHT_ONE;
                /* A step rounds by at most 64 units, and passes a third of that on. */
                double slack = 64.0 * (step + 1) / EDGE_WEIGHT_ONE;
                assert_true(ours > weight[i] - slack && ours < weight[i] + slack);
            }
        }
    }
}

static void no_path_starves_and_weights_sum_to_one(void **state) {
    (void)state;
    struct random random = {seed() + 1};
    struct edge_found found[EDGE_MAX_PATHS];
    for (unsigned round = 0; round < 200; round++) {
        uint32_t count = (uint32_t)random_between(&random, 1, EDGE_MAX_PATHS);
        equal_paths(count);
        for (uint32_t i = 0; i < count; i++)
            found[i] =
                (struct edge_found){.key = i, .weight = (uint32_t)random_between(&random, 1, 1000)};
        edge_set_paths(&paths, found, count);
        struct edge_flow flow = {0};
        uint64_t now_ns = 1000000;
        for (unsigned step = 0; step < 2000; step++) {
            now_ns += (uint64_t)random_between(&random, 0, 300000);
            if (random_one_in(&random, 3)) {
                struct edge_packet packet = {.now_ns = now_ns, .hash = 1, .bytes = 1500};
                edge_choose(&params, &paths, &flow, &packet, NULL);
            } else {
                /* Mostly the same path: the most uneven case. */
                uint32_t path =
                    random_one_in(&random, 4) ? (uint32_t)random_between(&random, 0, count - 1) : 0;
                edge_apply_feedback(&params, &paths, path, true, 0, now_ns);
            }
            assert_int_equal(sum(), EDGE_WEIGHT_ONE);
            for (uint32_t i = 0; i < count; i++)
                assert_true(paths.weight[i] >= edge_clove_floor(&params, &paths, i));
        }
    }
}

/* params.h: the difference falls by an eighth every recover_ns. */
static void a_healed_path_is_back_at_nine_tenths_after_18_recoveries(void **state) {
    (void)state;
    equal_paths(8);
    uint64_t now_ns = 1000000;
    for (unsigned mark = 0; mark < 40; mark++)
        edge_apply_feedback(&params, &paths, 3, true, 0, now_ns);
    uint32_t prior = paths.prior[3];
    assert_int_equal(paths.weight[3], prior / params.floor);
    struct edge_flow flow = {0};
    now_ns += params.congested_ns;
    for (unsigned recovery = 0; recovery < 18; recovery++) {
        now_ns += params.recover_ns;
        struct edge_packet packet = {.now_ns = now_ns, .hash = 1, .bytes = 1500};
        edge_choose(&params, &paths, &flow, &packet, NULL);
    }
    assert_true(paths.weight[3] >= prior / 10 * 9);
    assert_int_equal(sum(), EDGE_WEIGHT_ONE);
    for (unsigned recovery = 0; recovery < 100; recovery++) {
        now_ns += params.recover_ns;
        struct edge_packet packet = {.now_ns = now_ns, .hash = 1, .bytes = 1500};
        edge_choose(&params, &paths, &flow, &packet, NULL);
    }
    for (uint32_t i = 0; i < 8; i++)
        assert_in_range(paths.weight[i], prior - 16, prior + 16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mark_moves_a_third_of_the_weight_to_the_other_paths),
        cmocka_unit_test(what_a_congested_path_loses_goes_to_uncongested_ones_only),
        cmocka_unit_test(the_guest_sees_a_mark_only_when_all_paths_are_congested),
        cmocka_unit_test(a_path_that_does_not_exist_changes_nothing),
        cmocka_unit_test(weights_follow_the_papers_rule),
        cmocka_unit_test(no_path_starves_and_weights_sum_to_one),
        cmocka_unit_test(a_healed_path_is_back_at_nine_tenths_after_18_recoveries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
