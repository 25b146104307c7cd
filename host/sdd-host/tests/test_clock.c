/* The clock with simulated counters and system clocks. */
#include <stdlib.h>
#include <time.h>

#include "clock.h"
#include "random.h"
#include "testing.h"

#define MS INT64_C(1000000)

/* Returns a sample of a counter with ticks_per_ns and of a system clock that runs `ppm` faster than
 * nominal. */
static struct clock_sample at(int64_t true_ns, double ticks_per_ns, double ppm) {
    return (struct clock_sample){(uint64_t)((double)true_ns * ticks_per_ns),
                                 true_ns + (int64_t)((double)true_ns * ppm / 1e6)};
}

static void the_rate_is_that_of_the_samples_and_not_nominal(void **state) {
    (void)state;
    struct clock clock;
    /* 0.15 % off, as on a real machine */
    clock_start(&clock, CLOCK_MONOTONIC, at(0, 2.5 * 1.0015, 0), at(20 * MS, 2.5 * 1.0015, 0));
    const struct clock_sample later = at(1000 * MS, 2.5 * 1.0015, 0);
    /* the rate has 32 bits of fraction and ticks are integers, so 1e9 ticks err by less than 100
     * ns */
    assert_true(llabs(clock_at(&clock, later.ticks) - later.ns) < 100);
}

static void it_follows_a_clock_that_changes_its_rate(void **state) {
    (void)state;
    struct clock clock;
    clock_start(&clock, CLOCK_MONOTONIC, at(0, 2.5, 0), at(20 * MS, 2.5, 0));
    for (int64_t ns = 100 * MS; ns < 5000 * MS; ns += 100 * MS)
        clock_update(&clock, at(ns, 2.5, 200));
    assert_int_equal(clock.steps, 0);
    /* the gap of 20 us (100 ms at 200 ppm) shrinks by a tenth per sample: 0.9^48 of it is 130 ns */
    assert_true(llabs(clock.error_ns) < 200);
}

static void it_never_goes_back_and_waits_for_a_clock_that_was_set_back(void **state) {
    (void)state;
    struct clock clock;
    clock_start(&clock, CLOCK_REALTIME, at(0, 1, 0), at(20 * MS, 1, 0));
    int64_t before = clock_at(&clock, 100 * (uint64_t)MS);
    clock_update(&clock, (struct clock_sample){100 * (uint64_t)MS, 60 * MS});
    assert_int_equal(clock.steps, 1);
    for (uint64_t ticks = 100 * (uint64_t)MS; ticks < 200 * (uint64_t)MS; ticks += 1000) {
        int64_t now = clock_at(&clock, ticks);
        assert_true(now >= before);
        before = now;
    }
    assert_int_equal(clock_at(&clock, 200 * (uint64_t)MS), 160 * MS);
}

static void it_jumps_to_a_clock_that_was_set_forward(void **state) {
    (void)state;
    struct clock clock;
    clock_start(&clock, CLOCK_REALTIME, at(0, 1, 0), at(20 * MS, 1, 0));
    clock_update(&clock, (struct clock_sample){100 * (uint64_t)MS, 500 * MS});
    assert_int_equal(clock.steps, 1);
    assert_int_equal(clock_at(&clock, 100 * (uint64_t)MS), 500 * MS);
}

static void random_samples_never_make_it_go_back(void **state) {
    (void)state;
    struct random random = {seed()};
    struct clock clock;
    clock_start(&clock, CLOCK_REALTIME, at(0, 2.5, 0), at(20 * MS, 2.5, 0));
    uint64_t ticks = 50 * (uint64_t)MS;
    int64_t system = 20 * MS, before = 0;
    for (unsigned i = 0; i < 20000; i++) {
        ticks += (uint64_t)random_between(&random, 1, 1000000);
        system += random_between(&random, 0, 499999) - (i % 50 == 0 ? 5000000 : 0);
        const int64_t now = clock_at(&clock, ticks);
        assert_true(now >= before);
        before = now;
        clock_update(&clock, (struct clock_sample){ticks, system});
        assert_true(clock_at(&clock, ticks) >= before);
    }
}

static void it_agrees_with_the_systems_clock(void **state) {
    (void)state;
    struct clock clock;
    clock_calibrate(&clock, CLOCK_MONOTONIC);
    const struct clock_sample sample = clock_sample(CLOCK_MONOTONIC);
    /* an interrupted sample could be off by more, but not the best of five */
    assert_true(llabs(clock_at(&clock, sample.ticks) - sample.ns) < 100000);
}

static void a_clock_that_is_behind_takes_no_sample_before_the_period_is_over(void **state) {
    (void)state;
    struct clock clock;
    clock_calibrate(&clock, CLOCK_MONOTONIC);
    /* like a sample of a slewed clock: 500 ppm, 50 us in a period */
    clock.last.ns += 50000;
    const struct clock_sample last = clock.last;
    clock_discipline(&clock, last.ns - 50000);
    clock_discipline(&clock, last.ns + CLOCK_PERIOD_NS - 1);
    assert_int_equal(clock.last.ticks, last.ticks);
    clock_discipline(&clock, last.ns + CLOCK_PERIOD_NS);
    assert_int_not_equal(clock.last.ticks, last.ticks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rate_is_that_of_the_samples_and_not_nominal),
        cmocka_unit_test(it_follows_a_clock_that_changes_its_rate),
        cmocka_unit_test(it_never_goes_back_and_waits_for_a_clock_that_was_set_back),
        cmocka_unit_test(it_jumps_to_a_clock_that_was_set_forward),
        cmocka_unit_test(random_samples_never_make_it_go_back),
        cmocka_unit_test(it_agrees_with_the_systems_clock),
        cmocka_unit_test(a_clock_that_is_behind_takes_no_sample_before_the_period_is_over),
    };
    return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
