/* Reports queue per path: none is lost or attributed to another path, and all take turns. */
#include <string.h>

#include "edge/feedback.h"
#include "random.h"
#include "testing.h"

static struct edge_params params;

static void every_mark_is_reported_once_and_of_its_own_path(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned round = 0; round < 300; round++) {
        params = edge_defaults(EDGE_CLOVE_ECN, 100000, UINT64_C(10000000000));
        struct edge_reports reports = {0};
        uint32_t count = (uint32_t)random_between(&random, 1, EDGE_MAX_PATHS);
        bool waits[EDGE_MAX_PATHS] = {false};
        uint64_t sent_ns[EDGE_MAX_PATHS] = {0};
        uint64_t now_ns = 1000;
        for (unsigned step = 0; step < 3000; step++) {
            now_ns += (uint64_t)random_between(&random, 0, 20000);
            if (random_one_in(&random, 2)) {
                uint32_t path = (uint32_t)random_between(&random, 0, count - 1);
                bool marked = random_one_in(&random, 3);
                edge_report(&reports, path, marked, 0, now_ns);
                waits[path] |= marked;
                continue;
            }
            struct edge_feedback feedback;
            if (!edge_next_report(&params, &reports, now_ns, &feedback)) {
                for (uint32_t i = 0; i < count; i++)
                    assert_false(waits[i] &&
                                 (sent_ns[i] == 0 || now_ns - sent_ns[i] >= params.relay_ns));
                continue;
            }
            assert_true(feedback.path < count);
            assert_int_equal(feedback.marked, waits[feedback.path]);
            assert_true(sent_ns[feedback.path] == 0 ||
                        now_ns - sent_ns[feedback.path] >= params.relay_ns);
            waits[feedback.path] = false;
            sent_ns[feedback.path] = now_ns;
        }
        /* In the end every waiting mark is reported. */
        for (uint32_t i = 0; i < 2 * EDGE_MAX_PATHS; i++) {
            struct edge_feedback feedback;
            now_ns += params.relay_ns;
            if (edge_next_report(&params, &reports, now_ns, &feedback) && feedback.marked) {
                assert_true(waits[feedback.path]);
                waits[feedback.path] = false;
            }
        }
        for (uint32_t i = 0; i < count; i++)
            assert_false(waits[i]);
    }
}

/* A path's state in a simple model of the queue. */
struct plain_path {
    bool known, changed, marked, sent;
    uint32_t metric;
    uint64_t sent_ns;
};

/* Finds the next path whose turn it is: first among those with changes, then among all. */
static bool plain_take(struct plain_path *paths, uint32_t *next, uint64_t now_ns,
                       struct edge_feedback *feedback) {
    for (unsigned round = 0; round < 2; round++)
        for (uint32_t i = 0; i < EDGE_MAX_PATHS; i++) {
            struct plain_path *path = &paths[(*next + i) % EDGE_MAX_PATHS];
            bool rests = path->sent && now_ns - path->sent_ns < params.relay_ns;
            if (!path->known || rests || (round == 0 && !path->changed))
                continue;
            feedback->path = (*next + i) % EDGE_MAX_PATHS;
            feedback->metric = path->metric;
            feedback->marked = path->marked;
            path->changed = path->marked = false;
            path->sent = true;
            path->sent_ns = now_ns;
            *next = feedback->path + 1;
            return true;
        }
    return false;
}

static void reports_leave_in_the_order_of_a_plain_model(void **state) {
    (void)state;
    struct random random = {seed() + 1};
    for (unsigned round = 0; round < 300; round++) {
        params = edge_defaults(EDGE_ALB, 100000, UINT64_C(10000000000));
        params.relay_ns = random_one_in(&random, 4) ? 0 : params.relay_ns;
        struct edge_reports reports = {0};
        struct plain_path plain[EDGE_MAX_PATHS] = {{0}};
        uint32_t next = 0, count = (uint32_t)random_between(&random, 1, EDGE_MAX_PATHS);
        uint64_t now_ns = 1000;
        int64_t pace_ns = random_between(&random, 1, 3000);
        for (unsigned step = 0; step < 3000; step++) {
            now_ns += (uint64_t)(random_one_in(&random, 200) ? 200000
                                                             : random_between(&random, 0, pace_ns));
            if (random_one_in(&random, 2)) {
                uint32_t i = (uint32_t)random_between(&random, 0, count - 1);
                uint32_t metric = (uint32_t)random_between(&random, 0, 2);
                bool marked = random_one_in(&random, 5);
                edge_report(&reports, i, marked, metric, now_ns);
                plain[i].changed |= marked || !plain[i].known || plain[i].metric != metric;
                plain[i].known = true;
                plain[i].marked |= marked;
                plain[i].metric = metric;
                continue;
            }
            struct edge_feedback ours = {0}, theirs = {0};
            bool any = plain_take(plain, &next, now_ns, &theirs);
            assert_int_equal(edge_next_report(&params, &reports, now_ns, &ours), any);
            assert_int_equal(ours.path, theirs.path);
            assert_int_equal(ours.metric, theirs.metric);
            assert_int_equal(ours.marked, theirs.marked);
        }
    }
}

/* ALB: round robin; paths that changed since their last turn come first. */
static void changed_metrics_go_first_and_the_others_in_turn(void **state) {
    (void)state;
    params = edge_defaults(EDGE_ALB, 100000, UINT64_C(10000000000));
    params.relay_ns = 0;
    struct edge_reports reports = {0};
    struct edge_feedback feedback;
    assert_false(edge_next_report(&params, &reports, 5, &feedback));
    for (uint32_t i = 0; i < 5; i++)
        edge_report(&reports, i, false, 100 + i, 10);
    for (uint32_t i = 0; i < 5; i++) {
        assert_true(edge_next_report(&params, &reports, 20, &feedback));
        assert_int_equal(feedback.path, i);
        assert_int_equal(feedback.metric, 100 + i);
    }
    edge_report(&reports, 3, false, 900, 30);
    edge_report(&reports, 4, false, 104, 30); /* the same value: not a change */
    static const uint32_t turns[] = {3, 4, 0, 1, 2, 3};
    for (uint32_t i = 0; i < 6; i++) {
        assert_true(edge_next_report(&params, &reports, 40, &feedback));
        assert_int_equal(feedback.path, turns[i]);
    }
    assert_int_equal(feedback.metric, 900);
}

static void what_waits_longer_than_beta_rtts_needs_a_probe(void **state) {
    (void)state;
    params = edge_defaults(EDGE_ALB, 100000, UINT64_C(10000000000));
    struct edge_reports reports = {0};
    struct edge_feedback feedback;
    assert_false(edge_report_overdue(&params, &reports, 1000000));
    edge_report(&reports, 9, false, 50, 1000000);
    assert_false(edge_report_overdue(&params, &reports, 1000000 + 199999));
    assert_true(edge_report_overdue(&params, &reports, 1000000 + 200000));
    /* A later change of the same path does not restart its wait. */
    edge_report(&reports, 9, false, 60, 1000000 + 150000);
    assert_true(edge_report_overdue(&params, &reports, 1000000 + 200000));
    assert_true(edge_next_report(&params, &reports, 1000000 + 200000, &feedback));
    assert_int_equal(feedback.metric, 60);
    assert_false(edge_report_overdue(&params, &reports, 2000000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mark_is_reported_once_and_of_its_own_path),
        cmocka_unit_test(reports_leave_in_the_order_of_a_plain_model),
        cmocka_unit_test(changed_metrics_go_first_and_the_others_in_turn),
        cmocka_unit_test(what_waits_longer_than_beta_rtts_needs_a_probe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
