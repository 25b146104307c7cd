/* Packets are passed on in order if missing ones arrive in time, and none is passed on twice. */
#include <string.h>

#include "edge/reorder.h"
#include "random.h"
#include "testing.h"

enum { PACKETS = 4000 };

/* The caller's state: 64 places, and the packets passed on. */
static uint16_t place[EDGE_REORDER_WINDOW];
static uint16_t delivered[2 * PACKETS];
static unsigned delivered_count;

static void pass_on(uint16_t number) {
    delivered[delivered_count++] = number;
}

static bool pass_next(struct edge_reorder *reorder, bool skip, uint64_t now_ns) {
    uint32_t at = edge_reorder_next(reorder, skip, now_ns);
    if (at < EDGE_REORDER_WINDOW)
        pass_on(place[at]);
    return at < EDGE_REORDER_WINDOW;
}

static void arrive(struct edge_reorder *reorder, uint16_t number, uint64_t now_ns) {
    while (edge_reorder_overflows(reorder, number))
        pass_next(reorder, true, now_ns);
    if (edge_reorder_arrive(reorder, number, now_ns) == EDGE_DELIVER)
        pass_on(number);
    else
        place[number % EDGE_REORDER_WINDOW] = number;
    while (pass_next(reorder, false, now_ns))
        ;
}

static void expire(const struct edge_params *params, struct edge_reorder *reorder,
                   uint64_t now_ns) {
    if (edge_reorder_expired(params, reorder, now_ns))
        pass_next(reorder, true, now_ns);
    while (pass_next(reorder, false, now_ns))
        ;
}

/* Each packet is up to 40 places late, which the window of 64 covers: all are passed on in
 * order. */
static void late_packets_within_the_window_come_out_in_order(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned round = 0; round < 50; round++) {
        struct edge_reorder reorder = {0};
        uint16_t order[PACKETS], first = (uint16_t)random_next(&random);
        for (unsigned i = 0; i < PACKETS; i++)
            order[i] = (uint16_t)(first + i);
        for (unsigned block = 1; block + 40 < PACKETS; block += 40)
            for (unsigned i = 39; i > 0; i--) {
                unsigned j = (unsigned)random_between(&random, 0, i);
                uint16_t swapped = order[block + i];
                order[block + i] = order[block + j];
                order[block + j] = swapped;
            }
        delivered_count = 0;
        for (unsigned i = 0; i < PACKETS; i++)
            arrive(&reorder, order[i], i);
        assert_int_equal(delivered_count, PACKETS);
        for (unsigned i = 0; i < PACKETS; i++)
            assert_int_equal(delivered[i], (uint16_t)(first + i));
    }
}

/* With losses, duplicates and long delays, each arriving packet is passed on exactly once. */
static void nothing_is_lost_or_doubled_whatever_arrives(void **state) {
    (void)state;
    struct random random = {seed() + 1};
    struct edge_params params = edge_defaults(EDGE_PRESTO, 100000, UINT64_C(10000000000));
    static unsigned in[65536], out[65536];
    for (unsigned round = 0; round < 100; round++) {
        struct edge_reorder reorder = {0};
        memset(in, 0, sizeof in);
        memset(out, 0, sizeof out);
        delivered_count = 0;
        uint64_t now_ns = 1000;
        uint16_t next = (uint16_t)random_next(&random);
        for (unsigned i = 0; i < PACKETS; i++) {
            now_ns += (uint64_t)random_between(&random, 0, 30000);
            next = (uint16_t)(next +
                              (random_one_in(&random, 30) ? random_between(&random, 2, 90) : 1));
            uint16_t number =
                (uint16_t)(random_one_in(&random, 4) ? next - random_between(&random, 0, 100)
                                                     : next);
            in[number]++;
            arrive(&reorder, number, now_ns);
            if (random_one_in(&random, 5))
                expire(&params, &reorder, now_ns);
        }
        for (unsigned i = 0; i <= EDGE_REORDER_WINDOW; i++) {
            now_ns += params.reorder_ns;
            expire(&params, &reorder, now_ns);
        }
        assert_int_equal(reorder.held, 0);
        for (unsigned i = 0; i < delivered_count; i++)
            out[delivered[i]]++;
        assert_memory_equal(in, out, sizeof in);
    }
}

static void what_is_missed_is_waited_for_and_then_given_up(void **state) {
    (void)state;
    struct edge_params params = edge_defaults(EDGE_PRESTO, 100000, UINT64_C(10000000000));
    struct edge_reorder reorder = {0};
    delivered_count = 0;
    arrive(&reorder, 10, 1000);
    arrive(&reorder, 12, 2000);
    arrive(&reorder, 15, 3000);
    assert_int_equal(delivered_count, 1);
    expire(&params, &reorder, 2000 + params.reorder_ns - 1);
    assert_int_equal(delivered_count, 1);
    expire(&params, &reorder, 2000 + params.reorder_ns);
    assert_int_equal(delivered_count, 2);
    assert_int_equal(delivered[1], 12);
    /* The wait for the next missing packet starts again. */
    expire(&params, &reorder, 2000 + params.reorder_ns + 1);
    assert_int_equal(delivered_count, 2);
    arrive(&reorder, 13, 2000 + params.reorder_ns + 2);
    arrive(&reorder, 14, 2000 + params.reorder_ns + 3);
    static const uint16_t order[] = {10, 12, 13, 14, 15};
    assert_memory_equal(delivered, order, sizeof order);
    /* An abandoned packet that arrives later is passed on at once. */
    arrive(&reorder, 11, 2000 + params.reorder_ns + 4);
    assert_int_equal(delivered[5], 11);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late_packets_within_the_window_come_out_in_order),
        cmocka_unit_test(nothing_is_lost_or_doubled_whatever_arrives),
        cmocka_unit_test(what_is_missed_is_waited_for_and_then_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
