/* MDCTCP's sender against the equations of ALB and RFC 8257, in floating point. */
#include "edge/mdctcp.h"
#include "random.h"
#include "testing.h"

/* Integer rounding loses less than 1/1024 in a window, and 15/16 of the loss persist in the next:
 * at most 16/1024 in total, and the same again for the remainder of the division. */
static const double TOLERANCE = 32.0 / EDGE_ALPHA_ONE;

static double apart(double a, double b) {
    return a > b ? a - b : b - a;
}

static void alpha_is_the_average_of_the_marked_share(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned round = 0; round < 200; round++) {
        struct edge_mdctcp sender = {.alpha = EDGE_ALPHA_ONE};
        double alpha = 1;
        for (unsigned window = 0; window < 500; window++) {
            uint32_t packets = 0, marked = 0;
            const unsigned acknowledgements = (unsigned)random_between(&random, 1, 20);
            for (unsigned i = 0; i < acknowledgements; i++) {
                const uint32_t of_it = (uint32_t)random_between(&random, 1, 45);
                const uint32_t with_echo = random_one_in(&random, 3) ? of_it : 0;
                const bool changed = random_one_in(&random, 4);
                edge_mdctcp_acked(&sender, of_it, with_echo, changed);
                packets += changed ? 0 : of_it;
                marked += changed ? 0 : with_echo;
            }
            edge_mdctcp_window(&sender);
            if (packets)
                alpha = alpha * 15 / 16 + (double)marked / packets / 16;
            assert_true(apart((double)sender.alpha / EDGE_ALPHA_ONE, alpha) < TOLERANCE);
            assert_true(sender.alpha <= EDGE_ALPHA_ONE);
            const uint32_t cwnd = (uint32_t)random_between(&random, 2, 100000);
            const double cut = cwnd * (1 - alpha / 2);
            assert_true(apart(edge_mdctcp_cut(&sender, cwnd), cut > 2 ? cut : 2) <=
                        1 + cwnd * TOLERANCE / 2);
        }
    }
}

static void a_window_that_is_always_marked_is_halved(void **state) {
    (void)state;
    struct edge_mdctcp sender = {.alpha = EDGE_ALPHA_ONE};
    for (unsigned window = 0; window < 1000; window++) {
        edge_mdctcp_acked(&sender, 7, 7, false);
        edge_mdctcp_window(&sender);
        assert_int_equal(sender.alpha, EDGE_ALPHA_ONE);
        assert_int_equal(edge_mdctcp_cut(&sender, 100), 50);
    }
    assert_int_equal(edge_mdctcp_cut(&sender, 3), 2);
    assert_int_equal(edge_mdctcp_cut(&sender, 2), 2);
}

static void without_marks_alpha_comes_to_nothing(void **state) {
    (void)state;
    struct edge_mdctcp sender = {.alpha = EDGE_ALPHA_ONE};
    unsigned windows = 0;
    for (; sender.alpha > 0; windows++) {
        edge_mdctcp_acked(&sender, 1, 0, false);
        edge_mdctcp_window(&sender);
    }
    assert_in_range(windows, 60,
                    100); /* (15/16)^64 is 1/64; then alpha falls by 1/1024 at a time */
    assert_int_equal(edge_mdctcp_cut(&sender, 100), 100);
}

static void what_is_of_another_path_changes_nothing(void **state) {
    (void)state;
    struct edge_mdctcp sender = {.alpha = 300};
    for (unsigned window = 0; window < 100; window++) {
        edge_mdctcp_acked(&sender, 10, window % 2 ? 10 : 0, true);
        edge_mdctcp_window(&sender);
    }
    assert_int_equal(sender.alpha, 300);
    edge_mdctcp_acked(&sender, 10, 0, false);
    edge_mdctcp_window(&sender);
    assert_int_equal(sender.alpha, 300 - 300 / 16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alpha_is_the_average_of_the_marked_share),
        cmocka_unit_test(a_window_that_is_always_marked_is_halved),
        cmocka_unit_test(without_marks_alpha_comes_to_nothing),
        cmocka_unit_test(what_is_of_another_path_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
