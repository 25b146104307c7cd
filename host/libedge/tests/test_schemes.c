/* Invariants of all schemes. */
#include <string.h>

#include "edge/choose.h"
#include "random.h"
#include "testing.h"

static struct edge_paths paths;

static void random_paths(struct random *random, uint32_t count) {
    struct edge_found found[EDGE_MAX_PATHS];
    for (uint32_t i = 0; i < count; i++)
        found[i] = (struct edge_found){.key = i,
                                       .weight = (uint32_t)random_between(random, 1, 8),
                                       .port = (uint16_t)(50000 + i)};
    memset(&paths, 0, sizeof paths);
    edge_set_paths(&paths, found, count);
}

/* Sends packets of 20 flows with all kinds of feedback and returns their paths. */
static void run(struct random *random, const struct edge_params *params, unsigned packets,
                uint8_t *taken) {
    struct edge_flow flows[20] = {{0}};
    uint64_t now_ns = 1000;
    for (unsigned i = 0; i < packets; i++) {
        now_ns += (uint64_t)(random_one_in(random, 10) ? random_between(random, 1, 600000)
                                                       : random_between(random, 1, 2000));
        uint32_t f = (uint32_t)random_between(random, 0, 19);
        struct edge_packet packet = {.now_ns = now_ns,
                                     .hash = edge_mix(17, f),
                                     .bytes = (uint32_t)random_between(random, 64, 65000),
                                     .random = (uint32_t)random_next(random)};
        taken[i] = (uint8_t)edge_choose(params, &paths, &flows[f], &packet, NULL);
        edge_apply_feedback(params, &paths, (uint32_t)random_between(random, 0, 63),
                            random_one_in(random, 5), (uint32_t)random_between(random, 0, 1000000),
                            now_ns);
    }
}

static void every_scheme_takes_a_path_that_there_is(void **state) {
    (void)state;
    struct random random = {seed()};
    static uint8_t taken[2000];
    for (uint32_t scheme = 0; scheme < EDGE_SCHEMES; scheme++) {
        struct edge_params params = edge_defaults(scheme, 100000, UINT64_C(10000000000));
        for (unsigned round = 0; round < 40; round++) {
            random_paths(&random, (uint32_t)random_between(&random, 1, EDGE_MAX_PATHS));
            run(&random, &params, sizeof taken, taken);
            for (unsigned i = 0; i < sizeof taken; i++)
                assert_true(taken[i] < paths.count);
        }
    }
}

static void with_one_path_every_scheme_is_ecmp(void **state) {
    (void)state;
    static uint8_t ecmp[5000], taken[5000];
    for (uint32_t scheme = 0; scheme < EDGE_SCHEMES; scheme++) {
        struct random random = {seed() + 1};
        random_paths(&random, 1);
        struct edge_params params = edge_defaults(scheme, 100000, UINT64_C(10000000000));
        run(&random, &params, sizeof taken, scheme == EDGE_ECMP ? ecmp : taken);
        if (scheme != EDGE_ECMP)
            assert_memory_equal(ecmp, taken, sizeof taken);
    }
}

static void the_same_input_gives_the_same_choices(void **state) {
    (void)state;
    static uint8_t once[3000], again[3000];
    for (uint32_t scheme = 0; scheme < EDGE_SCHEMES; scheme++) {
        struct edge_params params = edge_defaults(scheme, 100000, UINT64_C(10000000000));
        for (unsigned time = 0; time < 2; time++) {
            struct random random = {seed() + 2};
            random_paths(&random, 8);
            run(&random, &params, sizeof once, time ? again : once);
        }
        assert_memory_equal(once, again, sizeof once);
    }
}

static void within_a_flowlet_the_path_stays(void **state) {
    (void)state;
    struct random random = {seed() + 3};
    for (uint32_t scheme = 0; scheme < EDGE_SCHEMES; scheme++) {
        struct edge_params params = edge_defaults(scheme, 100000, UINT64_C(10000000000));
        random_paths(&random, 8);
        struct edge_flow flow = {0};
        struct edge_packet packet = {.now_ns = 1000, .hash = 99, .bytes = 600};
        uint32_t path = edge_choose(&params, &paths, &flow, &packet, NULL);
        for (unsigned i = 0; i < 100; i++) { /* 60 KB: less than a flowcell */
            packet.now_ns += params.gap_ns - 1;
            packet.random = (uint32_t)random_next(&random);
            assert_int_equal(edge_choose(&params, &paths, &flow, &packet, NULL), path);
        }
    }
}

static void prestos_flowcells_are_64_kb_and_take_turns_by_the_prior(void **state) {
    (void)state;
    struct edge_found found[3] = {
        {.key = 1, .weight = 1}, {.key = 2, .weight = 1}, {.key = 3, .weight = 2}};
    memset(&paths, 0, sizeof paths);
    edge_set_paths(&paths, found, 3);
    struct edge_params params = edge_defaults(EDGE_PRESTO, 100000, UINT64_C(10000000000));
    struct edge_flow flow = {0};
    unsigned cells[3] = {0}, packets_of_cell = 0;
    uint16_t cell = 0;
    for (unsigned i = 0; i < 400 * 43; i++) {
        struct edge_packet packet = {.now_ns = 1000 + i, .hash = 99, .bytes = 1500};
        uint32_t path = edge_choose(&params, &paths, &flow, &packet, NULL);
        if (flow.flowlet != cell) {
            /* 43 packets of 1500 bytes fit 65,536 */
            assert_true(cell == 0 || packets_of_cell == 43);
            cell = flow.flowlet;
            packets_of_cell = 0;
            cells[path]++;
        }
        packets_of_cell++;
    }
    assert_int_equal(cells[0], 100);
    assert_int_equal(cells[1], 100);
    assert_int_equal(cells[2], 200);
}

/* 32,000 draws of 8: 4000 each with a standard deviation of 59. The test allows five. */
static void hashes_spread_evenly_over_paths(void **state) {
    (void)state;
    struct edge_found found[8];
    for (uint32_t i = 0; i < 8; i++)
        found[i] = (struct edge_found){.key = i, .weight = 1};
    static const uint32_t schemes[] = {EDGE_ECMP, EDGE_WCMP, EDGE_FLOWLET};
    for (unsigned s = 0; s < 3; s++) {
        memset(&paths, 0, sizeof paths);
        edge_set_paths(&paths, found, 8);
        struct edge_params params = edge_defaults(schemes[s], 100000, UINT64_C(10000000000));
        unsigned draws[8] = {0};
        for (uint32_t i = 0; i < 32000; i++) {
            struct edge_flow flow = {0};
            struct edge_packet packet = {.now_ns = 1, .hash = edge_mix(4711, i), .bytes = 100};
            draws[edge_choose(&params, &paths, &flow, &packet, NULL)]++;
        }
        for (unsigned i = 0; i < 8; i++)
            assert_in_range(draws[i], 4000 - 295, 4000 + 295);
    }
}

static void the_trace_says_why(void **state) {
    (void)state;
    struct random random = {seed() + 4};
    random_paths(&random, 4);
    struct edge_params params = edge_defaults(EDGE_ALB, 100000, UINT64_C(10000000000));
    struct edge_flow flow = {0};
    struct edge_trace trace = {0};
    for (uint32_t i = 0; i < 4; i++)
        edge_note_metric(&paths, i, i == 2 ? 1000 : 9000, 500);
    struct edge_packet packet = {.now_ns = 1000, .hash = 99, .bytes = 600};
    assert_int_equal(edge_choose(&params, &paths, &flow, &packet, &trace), 2);
    assert_int_equal(trace.reason, EDGE_LEAST_LOADED);
    assert_int_equal(trace.path, 2);
    assert_int_equal(trace.from, EDGE_MAX_PATHS);
    assert_int_equal(trace.metric, 1000);
    assert_int_equal(trace.idle_ns, UINT32_MAX);
    assert_int_equal(trace.flowlet, 1);
    packet.now_ns = 2000;
    edge_choose(&params, &paths, &flow, &packet, &trace);
    assert_int_equal(trace.at_ns, 1000); /* the flowlet continues: no decision */
    edge_note_metric(&paths, 1, 10, 2000);
    packet.now_ns = 2000 + params.gap_ns;
    assert_int_equal(edge_choose(&params, &paths, &flow, &packet, &trace), 1);
    assert_int_equal(trace.from, 2);
    assert_int_equal(trace.idle_ns, params.gap_ns);
    assert_int_equal(trace.flowlet, 2);
}

/* Forged reports say that all paths except one are full. Of 32,000 flowlets a 16th explores 8 paths
 * by their priors. The test allows five standard deviations. */
static void whatever_is_reported_each_path_keeps_a_share(void **state) {
    (void)state;
    struct edge_found found[8];
    for (uint32_t i = 0; i < 8; i++)
        found[i] = (struct edge_found){.key = i, .weight = i < 4 ? 1 : 3};
    static const uint32_t schemes[] = {EDGE_CLOVE_INT, EDGE_CLOVE_LATENCY, EDGE_ALB};
    for (unsigned s = 0; s < 3; s++) {
        memset(&paths, 0, sizeof paths);
        edge_set_paths(&paths, found, 8);
        struct random random = {seed() + 5 + s};
        struct edge_params params = edge_defaults(schemes[s], 100000, UINT64_C(10000000000));
        params.explore = EDGE_EXPLORE;
        unsigned draws[8] = {0}, explored = 0;
        for (uint32_t i = 0; i < 32000; i++) {
            struct edge_flow flow = {0};
            struct edge_trace trace = {0};
            struct edge_packet packet = {.now_ns = 1000 + i,
                                         .hash = edge_mix(4711, i),
                                         .bytes = 100,
                                         .random = (uint32_t)random_next(&random)};
            for (uint32_t path = 0; path < 8; path++)
                edge_apply_feedback(&params, &paths, path, false, path == 5 ? 0 : UINT32_MAX,
                                    packet.now_ns);
            draws[edge_choose(&params, &paths, &flow, &packet, &trace)]++;
            explored += trace.reason == EDGE_AT_RANDOM;
        }
        assert_in_range(explored, 2000 - 217, 2000 + 217);
        for (unsigned i = 0; i < 8; i++)
            if (i != 5)
                assert_in_range(draws[i], i < 4 ? 125 - 56 : 375 - 97, i < 4 ? 125 + 56 : 375 + 97);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_takes_a_path_that_there_is),
        cmocka_unit_test(with_one_path_every_scheme_is_ecmp),
        cmocka_unit_test(the_same_input_gives_the_same_choices),
        cmocka_unit_test(within_a_flowlet_the_path_stays),
        cmocka_unit_test(prestos_flowcells_are_64_kb_and_take_turns_by_the_prior),
        cmocka_unit_test(hashes_spread_evenly_over_paths),
        cmocka_unit_test(the_trace_says_why),
        cmocka_unit_test(whatever_is_reported_each_path_keeps_a_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
