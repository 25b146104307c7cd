/* Compares the timing wheel with a scan of all timers. */
#include "base/wheel.h"
#include "random.h"
#include "testing.h"

enum { TIMERS = 200 };

/* Mostly short, sometimes as long as an int64_t can express. */
static int64_t random_distance(struct random *random) {
    return 1 + (int64_t)(random_next(random) >> random_between(random, 2, 63));
}

static int64_t earliest(const struct base_timer timers[TIMERS]) {
    int64_t earliest = BASE_FOREVER;
    for (unsigned i = 0; i < TIMERS; i++)
        if (timers[i].armed && timers[i].deadline_ns < earliest)
            earliest = timers[i].deadline_ns;
    return earliest;
}

static void expire(struct base_wheel *wheel, const struct base_timer timers[TIMERS], int64_t now) {
    const struct base_timer *timer;
    while ((timer = base_wheel_expire(wheel, now)) != NULL) {
        assert_false(timer->armed);
        assert_true(timer->deadline_ns <= now);
        assert_true(timer->deadline_ns <= earliest(timers));
    }
    assert_true(earliest(timers) > now);
}

static void the_wheel_expires_timers_in_order_and_on_time(void **state) {
    (void)state;
    struct random random = {seed()};
    static struct base_wheel wheel;
    struct base_timer timers[TIMERS];
    for (unsigned round = 0; round < 60; round++) {
        int64_t now = 0;
        base_wheel_init(&wheel);
        for (unsigned i = 0; i < TIMERS; i++)
            base_timer_init(&timers[i], 0);
        for (unsigned step = 0; step < 600 && now < INT64_MAX / 4; step++) {
            struct base_timer *timer = &timers[random_between(&random, 0, TIMERS - 1)];
            if (random_one_in(&random, 4))
                base_wheel_disarm(&wheel, timer);
            else
                base_wheel_arm(&wheel, timer, now + random_distance(&random) / 2 + 1);
            if (!random_one_in(&random, 3))
                continue;
            assert_true(base_wheel_next_ns(&wheel) <= earliest(timers));
            assert_true(base_wheel_next_ns(&wheel) > now);
            now += random_distance(&random) >> random_between(&random, 0, 40);
            expire(&wheel, timers, now);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_wheel_expires_timers_in_order_and_on_time),
    };
    return cmocka_run_group_tests_name("wheel", tests, NULL, NULL);
}
