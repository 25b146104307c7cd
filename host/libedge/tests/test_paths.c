/* Sets of paths, their weights, and the three ways to pick one of them. */
#include <string.h>

#include "edge/paths.h"
#include "random.h"
#include "testing.h"

static struct edge_paths paths;

static uint32_t random_set(struct random *random, struct edge_found found[EDGE_MAX_PATHS]) {
    uint32_t count = (uint32_t)random_between(random, 1, EDGE_MAX_PATHS);
    for (uint32_t i = 0; i < count; i++) {
        found[i].key = (uint32_t)random_between(random, 0, 200) * EDGE_MAX_PATHS + i;
        found[i].port = (uint16_t)random_between(random, 49152, 65535);
        found[i].weight = random_one_in(random, 8)
                              ? 0
                              : (uint32_t)(random_next(random) >> random_between(random, 32, 63));
    }
    return count;
}

static uint64_t sum_of(const uint32_t values[EDGE_MAX_PATHS]) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < EDGE_MAX_PATHS; i++)
        sum += i < paths.count ? values[i] : 0;
    return sum;
}

static void priors_follow_the_controllers_weights_and_sum_to_one(void **state) {
    (void)state;
    struct random random = {seed()};
    struct edge_found found[EDGE_MAX_PATHS];
    for (unsigned round = 0; round < 20000; round++) {
        uint32_t count = random_set(&random, found);
        edge_set_paths(&paths, found, count);
        assert_int_equal(sum_of(paths.prior), EDGE_WEIGHT_ONE);
        assert_int_equal(sum_of(paths.weight), EDGE_WEIGHT_ONE);
        double total = 0;
        for (uint32_t i = 0; i < count; i++)
            total += found[i].weight ? found[i].weight : 1;
        for (uint32_t i = 0; i < count; i++) {
            double due = (found[i].weight ? found[i].weight : 1) / total * EDGE_WEIGHT_ONE;
            assert_true(paths.prior[i] >= 1);
            /* Each gives up at most 64 units for the others' least, and path 0 takes up the rest.
             */
            assert_true(paths.prior[i] >= due - 65 && paths.prior[i] <= due + 65);
        }
    }
}

static void what_is_known_of_a_way_survives_another_source_port(void **state) {
    (void)state;
    struct random random = {seed() + 1};
    struct edge_found found[EDGE_MAX_PATHS], again[EDGE_MAX_PATHS];
    for (unsigned round = 0; round < 2000; round++) {
        uint32_t count = random_set(&random, found);
        edge_set_paths(&paths, found, count);
        for (uint32_t i = 0; i < count; i++) {
            edge_note_metric(&paths, i, found[i].key + 7, 1000 + i);
            paths.rtt_ns[i] = found[i].key + 9;
        }
        uint32_t generation = paths.generation;
        uint32_t count_again = random_set(&random, again);
        for (uint32_t i = 0; i < count_again; i++)
            if (random_one_in(&random, 2) && i < count)
                again[i].key = found[i].key;
        edge_set_paths(&paths, again, count_again);
        assert_int_equal(paths.generation, generation + 1);
        for (uint32_t i = 0; i < count_again; i++) {
            uint32_t j = 0;
            while (j < count && found[j].key != again[i].key)
                j++;
            assert_int_equal(paths.port[i], again[i].port);
            assert_int_equal(paths.metric[i], j < count ? again[i].key + 7 : 0);
            assert_int_equal(paths.noted_ns[i], j < count ? 1000 + j : 0);
            assert_int_equal(paths.rtt_ns[i], j < count ? again[i].key + 9 : 0);
        }
    }
}

static void turns_keep_to_the_shares_at_every_moment(void **state) {
    (void)state;
    struct random random = {seed() + 2};
    struct edge_found found[EDGE_MAX_PATHS];
    for (unsigned round = 0; round < 60; round++) {
        uint32_t count = random_set(&random, found);
        edge_set_paths(&paths, found, count);
        uint64_t turns[EDGE_MAX_PATHS] = {0};
        for (uint64_t turn = 1; turn <= 3000; turn++) {
            turns[edge_next_in_turn(&paths)]++;
            int64_t credits = 0;
            for (uint32_t i = 0; i < count; i++) {
                /* turns - turn * weight / ONE, in units of 1 / ONE */
                int64_t ahead = (int64_t)(turns[i] << 20) - (int64_t)(turn * paths.weight[i]);
                assert_true(ahead == -(int64_t)paths.credit[i]);
                assert_true(ahead < (int64_t)EDGE_WEIGHT_ONE * EDGE_MAX_PATHS &&
                            -ahead < (int64_t)EDGE_WEIGHT_ONE * EDGE_MAX_PATHS);
                credits += paths.credit[i];
            }
            assert_true(credits == 0);
        }
    }
}

static void equal_weights_take_turns_one_after_the_other(void **state) {
    (void)state;
    struct edge_found found[8];
    for (uint32_t i = 0; i < 8; i++)
        found[i] = (struct edge_found){.key = i, .weight = 1, .port = 1};
    edge_set_paths(&paths, found, 8);
    for (uint32_t turn = 0; turn < 64; turn++)
        assert_int_equal(edge_next_in_turn(&paths), turn % 8);
}

/* The plainest way: look at all, note the best, draw among equals by the same lots. */
static uint32_t slow_least(uint64_t now_ns, uint64_t age_ns, uint32_t lot) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < paths.count; i++) {
        bool young = now_ns < paths.noted_ns[i] + age_ns;
        bool best_young = now_ns < paths.noted_ns[best] + age_ns;
        uint32_t metric = young ? paths.metric[i] : 0;
        uint32_t best_metric = best_young ? paths.metric[best] : 0;
        if (metric < best_metric ||
            (metric == best_metric && edge_mix(lot, i) >> 8 < edge_mix(lot, best) >> 8))
            best = i;
    }
    return best;
}

static void the_least_metric_is_found_and_old_ones_count_as_none(void **state) {
    (void)state;
    struct random random = {seed() + 3};
    struct edge_found found[EDGE_MAX_PATHS];
    for (unsigned round = 0; round < 3000; round++) {
        uint32_t count = random_set(&random, found);
        edge_set_paths(&paths, found, count);
        for (uint32_t i = 0; i < count; i++)
            edge_note_metric(&paths, i,
                             (uint32_t)(random_next(&random) >> random_between(&random, 32, 62)),
                             (uint64_t)random_between(&random, 1, 20000000));
        uint32_t lot = (uint32_t)random_next(&random);
        uint64_t now_ns = (uint64_t)random_between(&random, 1, 40000000);
        assert_int_equal(edge_least_metric(&paths, now_ns, 10000000, lot),
                         slow_least(now_ns, 10000000, lot));
    }
}

/* 16,000 draws of 16: each 1000 with a standard deviation of 31; five of them are allowed. */
static void equal_metrics_are_drawn_evenly(void **state) {
    (void)state;
    struct random random = {seed() + 4};
    struct edge_found found[16];
    for (uint32_t i = 0; i < 16; i++)
        found[i] = (struct edge_found){.key = i, .weight = 1, .port = 1};
    edge_set_paths(&paths, found, 16);
    unsigned draws[16] = {0};
    for (unsigned i = 0; i < 16000; i++)
        draws[edge_least_metric(&paths, 1, 1, (uint32_t)random_next(&random))]++;
    for (unsigned i = 0; i < 16; i++)
        assert_in_range(draws[i], 1000 - 155, 1000 + 155);
}

static void a_hash_falls_into_the_prior_that_holds_it(void **state) {
    (void)state;
    struct random random = {seed() + 5};
    struct edge_found found[EDGE_MAX_PATHS];
    for (unsigned round = 0; round < 3000; round++) {
        uint32_t count = random_set(&random, found);
        edge_set_paths(&paths, found, count);
        uint32_t end = 0;
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(edge_by_prior(&paths, end << 12), i);
            end += paths.prior[i];
            assert_int_equal(edge_by_prior(&paths, (end << 12) - 1), i);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(priors_follow_the_controllers_weights_and_sum_to_one),
        cmocka_unit_test(what_is_known_of_a_way_survives_another_source_port),
        cmocka_unit_test(turns_keep_to_the_shares_at_every_moment),
        cmocka_unit_test(equal_weights_take_turns_one_after_the_other),
        cmocka_unit_test(the_least_metric_is_found_and_old_ones_count_as_none),
        cmocka_unit_test(equal_metrics_are_drawn_evenly),
        cmocka_unit_test(a_hash_falls_into_the_prior_that_holds_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
