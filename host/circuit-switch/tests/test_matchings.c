/* Examples of the switch's matchings, and a comparison with a list. */
#include <stdlib.h>
#include <string.h>

#include "matchings.h"
#include "testing.h"

static struct matching to(int64_t at_ns, int64_t night_ns, uint16_t output) {
    struct matching matching = {.at_ns = at_ns, .night_end_ns = at_ns + night_ns};
    for (unsigned i = 0; i < MAX_SWITCH_PORTS; i++)
        matching.output_of[i] = NO_CIRCUIT;
    matching.output_of[0] = output;
    return matching;
}

static struct matchings matchings;

static int fresh(void **state) {
    (void)state;
    memset(&matchings, 0, sizeof matchings);
    return 0;
}

static enum forwarding forward(int64_t time_ns, uint16_t *output) {
    *output = NO_CIRCUIT;
    return matchings_forward(&matchings, 0, time_ns, output);
}

static void it_is_dark_in_nights_and_before_the_first_configuration(void **state) {
    (void)state;
    uint16_t output;
    const struct matching first = to(1000, 100, 3), second = to(2000, 100, 4);
    assert_int_equal(forward(500, &output), IN_NIGHT);
    matchings_add(&matchings, &first, 0);
    matchings_add(&matchings, &second, 0);
    assert_int_equal(forward(999, &output), IN_NIGHT);
    assert_int_equal(forward(1099, &output), IN_NIGHT);
    assert_int_equal(forward(1100, &output), TO_CIRCUIT);
    assert_int_equal(output, 3);
    assert_int_equal(forward(1999, &output), TO_CIRCUIT);
    assert_int_equal(output, 3);
    assert_int_equal(forward(2000, &output), IN_NIGHT);
    assert_int_equal(forward(2100, &output), TO_CIRCUIT);
    assert_int_equal(output, 4);
    assert_int_equal(matchings_forward(&matchings, 1, 2100, &output), OUT_OF_SLOT);
    assert_int_equal(matchings_begun(&matchings, 1500), 1);
}

static void one_that_comes_late_begins_at_once_with_its_night(void **state) {
    (void)state;
    uint16_t output;
    const struct matching late = to(1000, 100, 3);
    matchings_add(&matchings, &late, 1700);
    assert_int_equal(matchings.late, 1);
    assert_int_equal(matchings.latest_ns, 700);
    assert_int_equal(forward(1600, &output), IN_NIGHT);
    assert_int_equal(forward(1799, &output), IN_NIGHT);
    assert_int_equal(forward(1800, &output), TO_CIRCUIT);
}

static void one_that_is_earlier_replaces_those_that_wait(void **state) {
    (void)state;
    uint16_t output;
    const struct matching a = to(1000, 0, 1), b = to(2000, 0, 2), c = to(3000, 0, 3),
                          other = to(2000, 0, 7);
    matchings_add(&matchings, &a, 0);
    matchings_add(&matchings, &b, 0);
    matchings_add(&matchings, &c, 0);
    matchings_add(&matchings, &other, 1500);
    assert_int_equal(forward(1999, &output), TO_CIRCUIT);
    assert_int_equal(output, 1);
    assert_int_equal(forward(5000, &output), TO_CIRCUIT);
    assert_int_equal(output, 7);
}

static void no_more_than_the_limit_wait_and_the_past_is_remembered(void **state) {
    (void)state;
    uint16_t output;
    for (int64_t i = 0; i < MAX_WAITING; i++) {
        const struct matching next = to(1000 + i, 0, (uint16_t)(i % 50));
        assert_int_equal(matchings_add(&matchings, &next, 0), MATCHINGS_OK);
    }
    struct matching more = to(9000, 0, 1);
    assert_int_equal(matchings_add(&matchings, &more, 0), MATCHINGS_FULL);
    /* an hour of successive configurations */
    for (int64_t i = 0; i < 5000; i++) {
        more = to(10000 + i, 0, (uint16_t)(i % 50));
        assert_int_equal(matchings_add(&matchings, &more, 10000 + i), MATCHINGS_OK);
        for (int64_t back = 0; back <= i && back < MAX_PAST; back++) {
            assert_int_equal(forward(10000 + i - back, &output), TO_CIRCUIT);
            assert_int_equal(output, (i - back) % 50);
        }
    }
    assert_int_equal(matchings_begun(&matchings, 20000), MAX_WAITING + 5000);
}

static void counts_begin_anew_and_what_was_ordered_goes_on(void **state) {
    (void)state;
    uint16_t output;
    const struct matching late = to(1000, 0, 3), next = to(2000, 0, 4), last = to(3000, 0, 5);
    matchings_add(&matchings, &late, 1200);
    matchings_add(&matchings, &next, 1200);
    matchings_add(&matchings, &last, 1200);
    matchings_restart_counts(&matchings, 2500);
    assert_int_equal(matchings_begun(&matchings, 2500), 0);
    assert_int_equal(matchings_begun(&matchings, 3000), 1);
    assert_int_equal(matchings.late, 0);
    assert_int_equal(matchings.latest_ns, 0);
    assert_int_equal(forward(2600, &output), TO_CIRCUIT);
    assert_int_equal(output, 4);
    assert_int_equal(forward(3000, &output), TO_CIRCUIT);
    assert_int_equal(output, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(it_is_dark_in_nights_and_before_the_first_configuration, fresh),
        cmocka_unit_test_setup(one_that_comes_late_begins_at_once_with_its_night, fresh),
        cmocka_unit_test_setup(one_that_is_earlier_replaces_those_that_wait, fresh),
        cmocka_unit_test_setup(no_more_than_the_limit_wait_and_the_past_is_remembered, fresh),
        cmocka_unit_test_setup(counts_begin_anew_and_what_was_ordered_goes_on, fresh),
    };
    return cmocka_run_group_tests_name("matchings", tests, NULL, NULL);
}
