/*
 * The order of work in virtual time, which only the work itself advances: a due packet waits for at
 * most one frame that is being taken in, and frames do not starve.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "base/time.h"
#include "random.h"
#include "testing.h"
#include "turn.h"

enum { HOSTS = 3, PACKETS = 4000, PER_CALL = 8 };

/* Hosts with packets that are due at given times, and waiting frames. */
struct fake {
    struct random random;
    int64_t now_ns;
    int64_t due_ns[HOSTS][PACKETS]; /* ascending */
    unsigned next[HOSTS];
    unsigned frames[HOSTS]; /* number of waiting frames */
    unsigned taken[HOSTS];
    unsigned taken_all, sent_all;
    /* maximum over all packets: frames taken in while the packet was due, minus one for each
     * started TURN_STARVED packets sent meanwhile */
    int most_in_front;
    unsigned taken_when_due[HOSTS][PACKETS], sent_when_due[HOSTS][PACKETS];
};

static int64_t now(void *context) {
    return ((struct fake *)context)->now_ns;
}

/* Advances time, and records the work done so far for each packet that becomes due. */
static void pass(struct fake *fake, int64_t ns) {
    for (unsigned h = 0; h < HOSTS; h++)
        for (unsigned i = fake->next[h]; i < PACKETS && fake->due_ns[h][i] <= fake->now_ns + ns;
             i++)
            if (fake->due_ns[h][i] > fake->now_ns) {
                fake->taken_when_due[h][i] = fake->taken_all;
                fake->sent_when_due[h][i] = fake->sent_all;
            }
    fake->now_ns += ns;
}

static unsigned send_due(void *context, unsigned host) {
    struct fake *fake = context;
    unsigned count = 0;
    while (count < PER_CALL && fake->next[host] < PACKETS &&
           fake->due_ns[host][fake->next[host]] <= fake->now_ns) {
        const unsigned i = fake->next[host]++;
        const unsigned sent = fake->sent_all - fake->sent_when_due[host][i];
        const int in_front = (int)(fake->taken_all - fake->taken_when_due[host][i]) -
                             (int)((sent + TURN_STARVED - 1) / TURN_STARVED);
        if (in_front > fake->most_in_front)
            fake->most_in_front = in_front;
        fake->sent_all++;
        count++;
        pass(fake, random_between(&fake->random, 500, 2000));
    }
    return count;
}

static int64_t due(void *context, unsigned host) {
    const struct fake *fake = context;
    return fake->next[host] < PACKETS ? fake->due_ns[host][fake->next[host]] : BASE_FOREVER;
}

/* Of all hosts. */
static int64_t next_due_ns(struct fake *fake) {
    int64_t due_ns = BASE_FOREVER;
    for (unsigned host = 0; host < HOSTS; host++)
        due_ns = due(fake, host) < due_ns ? due(fake, host) : due_ns;
    return due_ns;
}

/* Hosts differ: one may read larger frames than others. */
static int64_t take_in_ns(void *context, unsigned host) {
    (void)context;
    return TURN_TAKE_IN_NS * (1 + host);
}

static bool take_in(void *context, unsigned host, int64_t spare_ns) {
    struct fake *fake = context;
    /* hosts may take in as many frames as fit */
    assert_true(spare_ns <= next_due_ns(fake) - fake->now_ns);
    if (fake->frames[host] == 0) {
        pass(fake, 100);
        return false;
    }
    fake->frames[host]--;
    fake->taken[host]++;
    /* counts at its end: a packet that becomes due during it waits for it */
    pass(fake, random_between(&fake->random, 300, take_in_ns(fake, host) - 1));
    fake->taken_all++;
    return true;
}

static struct fake *make(unsigned frames, int64_t most_gap_ns) {
    struct fake *fake = calloc(1, sizeof *fake);
    assert_non_null(fake);
    fake->random.state = seed();
    for (unsigned h = 0; h < HOSTS; h++) {
        int64_t due_ns = 0;
        fake->frames[h] = frames;
        for (unsigned i = 0; i < PACKETS; i++) {
            /* some due at the same time, like after an application's burst */
            due_ns +=
                random_one_in(&fake->random, 4) ? 0 : random_between(&fake->random, 1, most_gap_ns);
            fake->due_ns[h][i] = due_ns;
        }
    }
    return fake;
}

/* Runs turns until all packets are sent and all frames are taken in. */
static void run(struct fake *fake) {
    const struct turn_work work = {fake, HOSTS, now, send_due, due, take_in_ns, take_in};
    struct turn turn = {.work = &work};
    for (;;) {
        const int64_t next_ns = turn_run(&turn);
        if (next_ns == BASE_FOREVER)
            break;
        if (next_ns > fake->now_ns)
            pass(fake, next_ns - fake->now_ns);
    }
    assert_int_equal(turn.moved, fake->sent_all + fake->taken_all);
}

static void a_due_packet_waits_for_one_frame_at_most(void **state) {
    (void)state;
    /* more frames than fit: some are waiting as long as there are packets */
    struct fake *fake = make(1000000, 40000);
    const struct turn_work work = {fake, HOSTS, now, send_due, due, take_in_ns, take_in};
    struct turn turn = {.work = &work};
    while (fake->sent_all < HOSTS * PACKETS) {
        const int64_t next_ns = turn_run(&turn);
        if (next_ns > fake->now_ns)
            pass(fake, next_ns - fake->now_ns);
    }
    assert_true(fake->most_in_front <= 1);
    /* all hosts used the gaps equally */
    assert_true(fake->taken_all > fake->sent_all);
    for (unsigned h = 1; h < HOSTS; h++)
        assert_in_range(fake->taken[h], fake->taken[0] - 1, fake->taken[0] + 1);
    free(fake);
}

static void frames_are_taken_in_even_if_packets_are_due_all_the_time(void **state) {
    (void)state;
    struct fake *fake = make(1000000, 1);
    pass(fake, PACKETS); /* finally all are due */
    const struct turn_work work = {fake, HOSTS, now, send_due, due, take_in_ns, take_in};
    struct turn turn = {.work = &work};
    while (fake->sent_all < HOSTS * (PACKETS - PER_CALL)) {
        const unsigned sent = fake->sent_all;
        turn_run(&turn);
        assert_true(fake->sent_all > sent);
    }
    assert_true(fake->most_in_front <= 1);
    /* a turn may exceed the limit by PER_CALL packets of each host */
    assert_true(fake->taken_all >= fake->sent_all / (TURN_STARVED + HOSTS * PER_CALL));
    free(fake);
}

static void everything_is_sent_and_taken_in(void **state) {
    (void)state;
    struct fake *fake = make(5000, 20000);
    fake->frames[1] = 0; /* a host with silent applications does not delay others */
    run(fake);
    assert_int_equal(fake->sent_all, HOSTS * PACKETS);
    assert_int_equal(fake->taken_all, 2 * 5000);
    free(fake);
}

/* libsdd cannot predict when conditions on other queues become true. */
static int64_t always_due(void *context, unsigned host) {
    (void)host;
    return ((struct fake *)context)->now_ns;
}

static void packets_that_wait_for_a_condition_do_not_keep_frames_out(void **state) {
    (void)state;
    struct fake *fake = make(100, 1);
    for (unsigned h = 0; h < HOSTS; h++)
        fake->next[h] = PACKETS; /* no packet may be sent */
    const struct turn_work work = {fake, HOSTS, now, send_due, always_due, take_in_ns, take_in};
    struct turn turn = {.work = &work};
    for (unsigned i = 1; i <= HOSTS * 100; i++) {
        turn_run(&turn);
        assert_int_equal(fake->taken_all, i); /* then due packets are tried again */
    }
    free(fake);
}

static void a_turn_ends_for_other_work_however_many_frames_wait(void **state) {
    (void)state;
    struct fake *fake = make(1000000, 1000);
    for (unsigned h = 0; h < HOSTS; h++)
        fake->next[h] = PACKETS; /* nothing to send */
    const struct turn_work work = {fake, HOSTS, now, send_due, due, take_in_ns, take_in};
    struct turn turn = {.work = &work};
    const int64_t next_ns = turn_run(&turn);
    assert_int_equal(fake->taken_all, TURN_FRAMES);
    assert_true(next_ns <= fake->now_ns); /* and another turn must follow at once */
    free(fake);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_due_packet_waits_for_one_frame_at_most),
        cmocka_unit_test(frames_are_taken_in_even_if_packets_are_due_all_the_time),
        cmocka_unit_test(everything_is_sent_and_taken_in),
        cmocka_unit_test(packets_that_wait_for_a_condition_do_not_keep_frames_out),
        cmocka_unit_test(a_turn_ends_for_other_work_however_many_frames_wait),
    };
    return cmocka_run_group_tests_name("turn", tests, NULL, NULL);
}
