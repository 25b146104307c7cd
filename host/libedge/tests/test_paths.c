/* Sets of paths, their weights, and the three ways to choose a path; test_plain.c tests more. */
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
            /* Each path cedes at most 64 units to the minimum of others, and path 0 has the
             * rest. */
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

/* A random set that includes some of the ways in use, without duplicates. */
static uint32_t random_update(struct random *random, struct edge_found found[EDGE_MAX_PATHS]) {
    static uint32_t fresh = 1u << 20;
    const uint32_t count = random_set(random, found);
    const uint32_t turn = (uint32_t)random_between(random, 0, EDGE_MAX_PATHS - 1);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t j = (i + turn) % EDGE_MAX_PATHS;
        found[i].key = fresh++;
        if (j >= paths.count || random_one_in(random, 2))
            continue;
        found[i].key = paths.key[j];
        if (!random_one_in(random, 4))
            found[i].port = paths.port[j];
    }
    return count;
}

static void ways_that_live_on_keep_their_places_and_weights(void **state) {
    (void)state;
    struct random random = {seed() + 6};
    struct edge_found found[EDGE_MAX_PATHS];
    edge_set_paths(&paths, found, random_set(&random, found));
    for (unsigned round = 0; round < 20000; round++) {
        const struct edge_paths before = paths;
        for (uint32_t i = 0; i < paths.count; i++)
            paths.noted_ns[i] = 1 + paths.key[i];
        const uint32_t count = random_update(&random, found);
        const uint64_t changed = edge_update_paths(&paths, found, count);
        assert_int_equal(paths.count, count);
        assert_int_equal(sum_of(paths.weight), EDGE_WEIGHT_ONE);
        assert_int_equal(sum_of(paths.prior), EDGE_WEIGHT_ONE);
        for (uint32_t f = 0; f < count; f++) {
            uint32_t place = 0, old = 0;
            while (place < count && paths.key[place] != found[f].key)
                place++;
            while (old < before.count && before.key[old] != found[f].key)
                old++;
            assert_true(place < count);
            assert_int_equal(paths.port[place], found[f].port);
            assert_true(paths.weight[place] >= 1);
            assert_int_equal(paths.noted_ns[place], old < before.count ? 1 + found[f].key : 0);
            assert_int_equal(changed >> place & 1, place != old || old == before.count);
            if (old < count && old < before.count)
                assert_int_equal(place, old);
        }
        const uint32_t congested = (uint32_t)random_between(&random, 0, count - 1);
        const uint32_t cut = paths.weight[congested] / 2;
        paths.weight[congested] -= cut;
        paths.weight[congested ? 0 : paths.count - 1] += cut;
    }
}

static void a_path_that_goes_leaves_the_others_in_proportion(void **state) {
    (void)state;
    struct edge_found found[4];
    for (uint32_t i = 0; i < 4; i++)
        found[i] = (struct edge_found){.key = i, .weight = 1, .port = (uint16_t)(50000 + i)};
    edge_set_paths(&paths, found, 4);
    paths.weight[1] -= EDGE_WEIGHT_ONE / 8;
    paths.weight[2] += EDGE_WEIGHT_ONE / 8;
    found[0] = found[3]; /* path 3 must remain, in any order */
    assert_int_equal(edge_update_paths(&paths, found, 3), 1);
    assert_int_equal(paths.key[0], 3);
    /* 2 : 1 : 3, within one unit of rounding and one of the minimum for each of three paths */
    assert_in_range(paths.weight[0], EDGE_WEIGHT_ONE * 2 / 6 - 4, EDGE_WEIGHT_ONE * 2 / 6 + 4);
    assert_in_range(paths.weight[1], EDGE_WEIGHT_ONE / 6 - 4, EDGE_WEIGHT_ONE / 6 + 4);
    assert_in_range(paths.weight[2], EDGE_WEIGHT_ONE / 2 - 4, EDGE_WEIGHT_ONE / 2 + 4);
}

static void the_same_set_in_any_order_changes_nothing(void **state) {
    (void)state;
    struct random random = {seed() + 7};
    struct edge_found found[EDGE_MAX_PATHS];
    for (unsigned round = 0; round < 1000; round++) {
        const uint32_t count = random_set(&random, found);
        edge_set_paths(&paths, found, count);
        paths.weight[0] -= paths.weight[0] / 3; /* an update would restore it */
        paths.credit[0] = 7;
        const struct edge_paths before = paths;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t j = (uint32_t)random_between(&random, 0, count - 1);
            const struct edge_found swapped = found[i];
            found[i] = found[j];
            found[j] = swapped;
        }
        assert_int_equal(edge_update_paths(&paths, found, count), 0);
        assert_memory_equal(&paths, &before, sizeof paths);
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

/* 16,000 draws of 16: each 1000 with a standard deviation of 31. The test allows five. */
static void equal_metrics_are_drawn_evenly(void **state) {
    (void)state;
    struct random random = {seed() + 4};
    struct edge_found found[16];
    for (uint32_t i = 0; i < 16; i++)
        found[i] = (struct edge_found){.key = i, .weight = 1, .port = 1};
    edge_set_paths(&paths, found, 16);
    unsigned draws[16] = {0};
    for (unsigned i = 0; i < 16000; i++)
        draws[edge_least_metric(&paths, 1, 1, 0, (uint32_t)random_next(&random))]++;
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
        cmocka_unit_test(ways_that_live_on_keep_their_places_and_weights),
        cmocka_unit_test(a_path_that_goes_leaves_the_others_in_proportion),
        cmocka_unit_test(the_same_set_in_any_order_changes_nothing),
        cmocka_unit_test(turns_keep_to_the_shares_at_every_moment),
        cmocka_unit_test(equal_weights_take_turns_one_after_the_other),
        cmocka_unit_test(equal_metrics_are_drawn_evenly),
        cmocka_unit_test(a_hash_falls_into_the_prior_that_holds_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
