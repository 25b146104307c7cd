/* ALB: one-way delays without synchronised clocks, least RTTs, ACK correction. */
#include <string.h>

#include "edge/choose.h"
#include "edge/delay.h"
#include "edge/feedback.h"
#include "random.h"
#include "testing.h"

static struct edge_params params;
static struct edge_paths paths;

static void two_paths(void) {
    struct edge_found found[2] = {{.key = 1, .weight = 1, .port = 50001},
                                  {.key = 2, .weight = 1, .port = 50002}};
    memset(&paths, 0, sizeof paths);
    edge_set_paths(&paths, found, 2);
    params = edge_defaults(EDGE_ALB, 100000, UINT64_C(10000000000));
}

/* The five steps of Figure 2, in its order, with clocks 3 s apart. */
static void the_five_steps_of_figure_2(void **state) {
    (void)state;
    two_paths();
    struct edge_baseline baseline[2] = {{0}};
    struct edge_reports reports = {0};
    struct edge_flow flow = {0};
    const uint32_t offset_ns = 3000000000u; /* the destination's clock is ahead by this */
    uint64_t now_ns = 1000000;
    /* Both baselines are those of idle paths: 20 us each way. */
    for (uint32_t path = 0; path < 2; path++) {
        uint32_t t1 = (uint32_t)now_ns, t2 = t1 + 20000 + offset_ns;
        assert_int_equal(edge_delay_over_baseline(&params, &baseline[path], t1, t2, false, now_ns),
                         0);
    }
    /* 1: path 0 is chosen, because path 1 has the larger known delay; t1 is written. */
    edge_apply_feedback(&params, &paths, 0, false, 5000, now_ns);
    edge_apply_feedback(&params, &paths, 1, false, 9000, now_ns);
    struct edge_packet packet = {.now_ns = now_ns, .hash = 77, .bytes = 1500, .random = 1};
    assert_int_equal(edge_choose(&params, &paths, &flow, &packet, NULL), 0);
    uint32_t t1 = (uint32_t)now_ns;
    /* 2: it queues for 70 us; the receiver notes t2 and the delay over the baseline. */
    uint32_t t2 = t1 + 20000 + 70000 + offset_ns;
    uint32_t delay_ns = edge_delay_over_baseline(&params, &baseline[0], t1, t2, false, now_ns);
    assert_int_equal(delay_ns, 70000);
    edge_report(&reports, 0, false, delay_ns, now_ns);
    /* 3: the ACK goes back 10 us later with t1, t2, t3, the path and one metric. */
    uint32_t t3 = t2 + 10000;
    struct edge_feedback feedback;
    assert_true(edge_next_report(&params, &reports, now_ns, &feedback));
    assert_int_equal(feedback.path, 0);
    assert_int_equal(feedback.metric, 70000);
    /* 4: it arrives after 20 us at t4, by the source's clock. */
    uint32_t t4 = t3 - offset_ns + 20000;
    /* 5: RTT = t4 - t1 - (t3 - t2), and the table takes the metric: path 1 is better now. */
    assert_true(edge_least_rtt(&paths, 0, t1, t2, t3, t4));
    assert_int_equal(paths.rtt_ns[0], 20000 + 70000 + 20000);
    edge_apply_feedback(&params, &paths, feedback.path, feedback.marked, feedback.metric, now_ns);
    packet.now_ns = now_ns + params.gap_ns;
    assert_int_equal(edge_choose(&params, &paths, &flow, &packet, NULL), 1);
}

static void the_delay_is_the_queueing_whatever_the_clocks(void **state) {
    (void)state;
    struct random random = {seed()};
    two_paths();
    for (unsigned round = 0; round < 200; round++) {
        struct edge_baseline baseline = {0};
        uint32_t offset_ns = (uint32_t)random_next(&random);
        int64_t drift_ppm = random_between(&random, -100, 100);
        uint64_t now_ns = (uint64_t)random_between(&random, 1, INT64_C(1) << 40);
        for (unsigned step = 0; step < 2000; step++) {
            now_ns += (uint64_t)random_between(&random, 1000, 20000);
            /* One packet in ten finds no queue, so each window of 1.6 ms has at least one. */
            uint32_t queue_ns =
                random_one_in(&random, 10) ? 0 : (uint32_t)random_between(&random, 0, 500000);
            int64_t drift_ns = (int64_t)(now_ns / 1000) * drift_ppm / 1000;
            uint32_t t1 = (uint32_t)now_ns;
            uint32_t t2 = t1 + 20000 + queue_ns + offset_ns + (uint32_t)drift_ns;
            uint32_t delay_ns = edge_delay_over_baseline(&params, &baseline, t1, t2, false, now_ns);
            if (step < 400)
                continue;
            /* In two windows the clocks drift apart by 3.2 ms * 100 ppm = 320 ns. A window without
             * an idle sample (probability 0.9^150) would give a delay that is far too small. */
            assert_true(delay_ns + 400 >= queue_ns && delay_ns <= queue_ns + 400);
        }
    }
}

static void a_restart_measures_the_baseline_anew(void **state) {
    (void)state;
    two_paths();
    struct edge_baseline baseline = {0};
    assert_int_equal(edge_delay_over_baseline(&params, &baseline, 0, 20000, false, 1000), 0);
    /* The path becomes 30 us longer, which looks like queueing until the sender reports a changed
     * RTT. */
    assert_int_equal(edge_delay_over_baseline(&params, &baseline, 0, 50000, false, 2000), 30000);
    assert_int_equal(edge_delay_over_baseline(&params, &baseline, 0, 50000, true, 3000), 0);
    assert_int_equal(edge_delay_over_baseline(&params, &baseline, 0, 60000, false, 4000), 10000);
}

static void a_silence_of_two_windows_forgets_the_baseline(void **state) {
    (void)state;
    two_paths();
    struct edge_baseline baseline = {0};
    edge_delay_over_baseline(&params, &baseline, 0, 20000, false, 1000);
    uint64_t later_ns = 1000 + 2 * (uint64_t)params.baseline_ns;
    assert_int_equal(edge_delay_over_baseline(&params, &baseline, 0, 90000, false, later_ns), 0);
}

static void the_least_rtt_is_kept_as_the_paper_says(void **state) {
    (void)state;
    two_paths();
    assert_true(edge_least_rtt(&paths, 1, 0, 500, 700, 1200));
    assert_int_equal(paths.rtt_ns[1], 1000);
    assert_false(edge_least_rtt(&paths, 1, 0, 500, 700, 1300));
    assert_false(edge_least_rtt(&paths, 1, 0, 500, 700, 1200));
    assert_int_equal(paths.rtt_ns[1], 1000);
    assert_true(edge_least_rtt(&paths, 1, 0, 500, 700, 1100));
    assert_int_equal(paths.rtt_ns[1], 900);
    /* Impossible time stamps and nonexistent paths. */
    assert_false(edge_least_rtt(&paths, 1, 100, 500, 700, 200));
    assert_false(edge_least_rtt(&paths, 2, 0, 500, 700, 1100));
}

static void an_ack_of_another_path_leaves_the_window_alone(void **state) {
    (void)state;
    struct edge_flow flow = {.last_ns = 5, .path = 3};
    assert_false(edge_path_changed(&flow, 3));
    assert_true(edge_path_changed(&flow, 2));
    struct edge_flow unknown = {0};
    assert_false(edge_path_changed(&unknown, 2));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_five_steps_of_figure_2),
        cmocka_unit_test(the_delay_is_the_queueing_whatever_the_clocks),
        cmocka_unit_test(a_restart_measures_the_baseline_anew),
        cmocka_unit_test(a_silence_of_two_windows_forgets_the_baseline),
        cmocka_unit_test(the_least_rtt_is_kept_as_the_paper_says),
        cmocka_unit_test(an_ack_of_another_path_leaves_the_window_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
