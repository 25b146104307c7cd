/* Jobs that other threads give to the owner of the queues. */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

#include "jobs.h"
#include "testing.h"

enum { CALLERS = 8, CALLS = 200 };

struct caller {
    struct jobs *jobs;
    pthread_t thread;
    unsigned *total; /* of all callers, without a lock: only the owner's thread changes it */
    unsigned ran;    /* of this caller's calls */
};

static bool pending(const struct jobs *jobs, int timeout_ms) {
    struct pollfd owner = {.fd = jobs_descriptor(jobs), .events = POLLIN};
    return poll(&owner, 1, timeout_ms) == 1;
}

static void add(void *argument) {
    struct caller *caller = argument;
    caller->ran++;
    ++*caller->total;
}

static void *call_often(void *argument) {
    struct caller *caller = argument;
    for (unsigned i = 1; i <= CALLS; i++) {
        jobs_call(caller->jobs, add, caller);
        if (caller->ran != i)
            return NULL; /* it returned before its job had run */
    }
    return caller;
}

static void each_call_waits_until_the_owner_has_run_it(void **state) {
    (void)state;
    struct jobs *jobs = jobs_create();
    struct caller callers[CALLERS];
    unsigned total = 0;
    assert_non_null(jobs);
    for (unsigned i = 0; i < CALLERS; i++) {
        callers[i] = (struct caller){.jobs = jobs, .total = &total};
        assert_int_equal(pthread_create(&callers[i].thread, NULL, call_often, &callers[i]), 0);
    }
    while (total < CALLERS * CALLS) {
        assert_true(pending(jobs, -1));
        jobs_clear(jobs);
        jobs_run(jobs);
    }
    for (unsigned i = 0; i < CALLERS; i++) {
        void *good = NULL;
        assert_int_equal(pthread_join(callers[i].thread, &good), 0);
        assert_ptr_equal(good, &callers[i]);
    }
    jobs_destroy(jobs);
}

static void *call_once(void *argument) {
    struct caller *caller = argument;
    jobs_call(caller->jobs, add, caller);
    return NULL;
}

static void the_descriptor_is_readable_until_it_is_cleared(void **state) {
    (void)state;
    struct jobs *jobs = jobs_create();
    unsigned total = 0;
    assert_non_null(jobs);
    assert_false(pending(jobs, 0));
    jobs_run(jobs); /* without any */
    struct caller caller = {.jobs = jobs, .total = &total};
    assert_int_equal(pthread_create(&caller.thread, NULL, call_once, &caller), 0);
    assert_true(pending(jobs, -1));
    jobs_run(jobs);
    assert_int_equal(pthread_join(caller.thread, NULL), 0);
    assert_int_equal(total, 1);
    assert_true(pending(jobs, 0));
    jobs_clear(jobs);
    assert_false(pending(jobs, 0));
    jobs_clear(jobs); /* without a value it does not block */
    jobs_run(jobs);
    assert_int_equal(total, 1);
    jobs_destroy(jobs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_waits_until_the_owner_has_run_it),
        cmocka_unit_test(the_descriptor_is_readable_until_it_is_cleared),
    };
    return cmocka_run_group_tests_name("jobs", tests, NULL, NULL);
}
