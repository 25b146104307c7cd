/*
 * The controller's weights as prior: choices and weights follow them before measurements, and
 * return to them afterwards. test_plain.c compares each scheme with its paper for equal priors.
 */
#include <string.h>

#include "edge/choose.h"
#include "random.h"
#include "testing.h"

static struct edge_paths paths;
static struct edge_params params;

static void give(uint32_t scheme, const uint32_t *weights, uint32_t count) {
    struct edge_found found[EDGE_MAX_PATHS];
    for (uint32_t i = 0; i < count; i++)
        found[i] = (struct edge_found){.key = i, .weight = weights[i], .port = (uint16_t)i};
    memset(&paths, 0, sizeof paths);
    edge_set_paths(&paths, found, count);
    params = edge_defaults(scheme, 100000, UINT64_C(10000000000));
}

static uint32_t random_weights(struct random *random, uint32_t weights[EDGE_MAX_PATHS]) {
    const uint32_t count = (uint32_t)random_between(random, 2, EDGE_MAX_PATHS);
    for (uint32_t i = 0; i < count; i++)
        weights[i] = (uint32_t)random_between(random, 1, 40);
    return count;
}

static uint64_t sum(void) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < paths.count; i++)
        total += paths.weight[i];
    return total;
}

/* Draws new flowlets and checks that each path's share matches its prior within five standard
 * deviations. */
static void draws_are_by_the_prior(struct random *random, uint64_t among) {
    enum { DRAWS = 20000 };
    unsigned drawn[EDGE_MAX_PATHS] = {0};
    double prior = 0;
    for (uint32_t i = 0; i < paths.count; i++)
        prior += among >> i & 1 ? paths.prior[i] : 0;
    for (unsigned i = 0; i < DRAWS; i++) {
        const struct edge_flow flow = {.flowlet = (uint16_t)i};
        const struct edge_packet packet = {.now_ns = 1000000,
                                           .hash = (uint32_t)random_next(random),
                                           .random = (uint32_t)random_next(random)};
        drawn[edge_choose_new(&params, &paths, &flow, &packet)]++;
    }
    for (uint32_t i = 0; i < paths.count; i++) {
        const double share = among >> i & 1 ? paths.prior[i] / prior : 0;
        const double apart = drawn[i] - DRAWS * share;
        assert_true(apart * apart <= 25 * DRAWS * share * (1 - share));
    }
}

static void equally_good_paths_and_unknown_ones_are_drawn_by_the_prior(void **state) {
    (void)state;
    static const uint32_t schemes[] = {EDGE_ALB, EDGE_CLOVE_LATENCY, EDGE_CLOVE_INT, EDGE_FLOWLET};
    static const uint32_t weights[6] = {4, 1, 4, 2, 4, 3};
    struct random random = {seed() + 1};
    for (unsigned s = 0; s < 4; s++) {
        give(schemes[s], weights, 6);
        draws_are_by_the_prior(&random, 0x3f); /* no path has a metric */
        if (schemes[s] == EDGE_FLOWLET)
            continue;
        for (uint32_t i = 0; i < 6; i++)
            edge_note_metric(&paths, i, i % 2 ? 100000 : 200000, 1000000);
        draws_are_by_the_prior(&random, 0x2a);
        paths.noted_ns[2] = 0;
        paths.best.paths = 0;
        draws_are_by_the_prior(&random, 0x04);
    }
}

/* For differences below a 16th of the RTT (4096 ns of 100 us) the prior decides, above it the
 * measurement. */
static void what_is_measured_counts_before_the_prior(void **state) {
    (void)state;
    static const uint32_t weights[2] = {15, 1};
    struct random random = {seed() + 2};
    give(EDGE_ALB, weights, 2);
    assert_int_equal(1u << params.alike, 4096);
    edge_note_metric(&paths, 0, 4095, 1000000);
    edge_note_metric(&paths, 1, 1, 1000000);
    draws_are_by_the_prior(&random, 3);
    edge_note_metric(&paths, 0, 4096, 1000000);
    draws_are_by_the_prior(&random, 2);
    give(EDGE_CLOVE_INT, weights, 2);
    edge_note_metric(&paths, 0, 1, 1000000);
    draws_are_by_the_prior(&random, 2);
}

static void a_mark_moves_weight_in_the_proportions_of_priors(void **state) {
    (void)state;
    struct random random = {seed() + 3};
    uint32_t weights[EDGE_MAX_PATHS];
    for (unsigned round = 0; round < 500; round++) {
        const uint32_t count = random_weights(&random, weights);
        give(EDGE_CLOVE_ECN, weights, count);
        const uint32_t marked = (uint32_t)random_between(&random, 0, count - 1);
        const uint32_t cut = paths.prior[marked] / 3;
        const double others = EDGE_WEIGHT_ONE - paths.prior[marked];
        assert_false(edge_apply_feedback(&params, &paths, marked, true, 0, 1000000));
        assert_int_equal(sum(), EDGE_WEIGHT_ONE);
        for (uint32_t i = 0; i < count; i++) {
            const double due =
                paths.prior[i] + (i == marked ? -1.0 * cut : cut * (paths.prior[i] / others));
            /* Two units of rounding each; path 0 or 1 has the others' remainders. */
            const double slack = i < 2 ? 2.0 * EDGE_MAX_PATHS : 2;
            assert_true(paths.weight[i] >= due - slack && paths.weight[i] <= due + slack);
        }
    }
}

/* params.h: the difference falls by an eighth every recover_ns. */
static void without_marks_weights_are_the_priors_again(void **state) {
    (void)state;
    struct random random = {seed() + 4};
    uint32_t weights[EDGE_MAX_PATHS];
    for (unsigned round = 0; round < 50; round++) {
        const uint32_t count = random_weights(&random, weights);
        const uint32_t marked = (uint32_t)random_between(&random, 0, count - 1);
        give(EDGE_CLOVE_ECN, weights, count);
        uint64_t now_ns = 1000000;
        for (unsigned mark = 0; mark < 40; mark++)
            edge_apply_feedback(&params, &paths, marked, true, 0, now_ns);
        assert_int_equal(paths.weight[marked], edge_clove_floor(&params, &paths, marked));
        now_ns += params.congested_ns;
        for (unsigned recovery = 1; recovery <= 120; recovery++) {
            now_ns += params.recover_ns;
            edge_clove_recover(&params, &paths, now_ns);
            assert_int_equal(sum(), EDGE_WEIGHT_ONE);
            if (recovery == 18)
                assert_true(paths.weight[marked] >= paths.prior[marked] / 10 * 9);
        }
        for (uint32_t i = 0; i < count; i++)
            assert_in_range(paths.weight[i] + 2 * EDGE_MAX_PATHS, paths.prior[i],
                            paths.prior[i] + 4 * EDGE_MAX_PATHS);
    }
}

static void other_priors_restart_weights_and_leave_what_was_measured(void **state) {
    (void)state;
    static const uint32_t before[3] = {1, 1, 1};
    struct edge_found found[3];
    give(EDGE_CLOVE_ECN, before, 3);
    edge_apply_feedback(&params, &paths, 0, true, 0, 1000000);
    const struct edge_paths marked = paths;
    for (uint32_t i = 0; i < 3; i++)
        found[2 - i] = (struct edge_found){.key = i, .weight = 5, .port = (uint16_t)i};
    assert_int_equal(edge_update_paths(&paths, found, 3), 0);
    assert_memory_equal(&paths, &marked, sizeof paths); /* the same priors in another unit */
    found[2].weight = 10;
    assert_int_equal(edge_update_paths(&paths, found, 3), 0);
    assert_int_equal(paths.generation, marked.generation);
    assert_int_equal(paths.noted_ns[0], 1000000);
    assert_in_range(paths.prior[0], EDGE_WEIGHT_ONE / 2 - 3, EDGE_WEIGHT_ONE / 2 + 3);
    assert_memory_equal(paths.weight, paths.prior, sizeof paths.weight);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equally_good_paths_and_unknown_ones_are_drawn_by_the_prior),
        cmocka_unit_test(what_is_measured_counts_before_the_prior),
        cmocka_unit_test(a_mark_moves_weight_in_the_proportions_of_priors),
        cmocka_unit_test(without_marks_weights_are_the_priors_again),
        cmocka_unit_test(other_priors_restart_weights_and_leave_what_was_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
