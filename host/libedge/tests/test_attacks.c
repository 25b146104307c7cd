/*
 * The effect of forged reports in a peer's name beside the peer's own reports.
 *
 * A host sends flowlets to a peer over identical paths. The peer's report on each packet arrives a
 * round-trip time later. An attacker reports 500 times a second that all paths except one are full,
 * or with IntFlow that a flow is late.
 */
#include "edge/choose.h"
#include "edge/feedback.h"
#include "edge/intflow.h"

#include "random.h"
#include "testing.h"

#include <string.h>

enum { PATHS = 4, LIKED = 2, QUEUE = 64 };

#define RTT_NS UINT64_C(100000)
#define SECOND_NS UINT64_C(1000000000)
#define FORGED_PER_SECOND 500u
#define SECONDS 4u

/* A report on its way back. */
struct sent {
    uint64_t at_ns;
    uint32_t path;
    uint32_t metric;
};

struct world {
    struct edge_params params;
    struct edge_paths paths;
    struct edge_reports reports;
    struct sent queue[QUEUE];
    unsigned first, end;
    uint64_t forged_ns;
    uint32_t forged_path;
    struct random random;
};

static struct world world;

static void begin(uint32_t scheme, uint32_t answer_ns, uint64_t of) {
    struct edge_found found[PATHS];
    memset(&world, 0, sizeof world);
    for (uint32_t i = 0; i < PATHS; i++)
        found[i] = (struct edge_found){.key = i, .weight = 1};
    edge_set_paths(&world.paths, found, PATHS);
    world.params = edge_defaults(scheme, (uint32_t)RTT_NS, UINT64_C(10000000000));
    world.params.explore = EDGE_EXPLORE;
    world.params.answer_ns = answer_ns;
    world.random = (struct random){seed() + of};
}

/* The peer's edge receives the packet and returns its report. */
static void arrive(uint32_t path, uint64_t now_ns) {
    struct edge_feedback feedback = {0};
    uint32_t metric = (uint32_t)random_between(&world.random, 0, 10000);
    edge_report(&world.reports, path, false, metric, now_ns);
    if (edge_next_report(&world.params, &world.reports, now_ns, &feedback))
        world.queue[world.end++ % QUEUE] =
            (struct sent){now_ns + RTT_NS, feedback.path, feedback.metric};
}

static void hear(uint64_t until_ns) {
    for (; world.first != world.end && world.queue[world.first % QUEUE].at_ns <= until_ns;
         world.first++) {
        const struct sent *sent = &world.queue[world.first % QUEUE];
        edge_apply_feedback(&world.params, &world.paths, sent->path, false, sent->metric,
                            sent->at_ns);
    }
}

/* Reports each path except the preferred one as marked and full in turn, and sometimes the
 * preferred one as idle. */
static void forge(uint64_t until_ns) {
    for (; world.forged_ns <= until_ns; world.forged_ns += SECOND_NS / FORGED_PER_SECOND) {
        uint32_t path = world.forged_path++ % PATHS;
        edge_apply_feedback(&world.params, &world.paths, path, path != LIKED,
                            path == LIKED ? 0 : UINT32_MAX, world.forged_ns);
    }
}

/* Sends flowlets of one packet for some seconds. draws: receives the number of flowlets on each
 * path. */
static unsigned run(unsigned per_second, unsigned draws[PATHS]) {
    const uint64_t pause_ns = SECOND_NS / per_second;
    unsigned all = 0;
    memset(draws, 0, PATHS * sizeof *draws);
    for (uint64_t now_ns = SECOND_NS; now_ns < (1 + SECONDS) * SECOND_NS; now_ns += pause_ns) {
        struct edge_flow flow = {0};
        struct edge_packet packet = {.now_ns = now_ns,
                                     .hash = (uint32_t)random_next(&world.random),
                                     .bytes = 1500,
                                     .random = (uint32_t)random_next(&world.random)};
        forge(now_ns);
        hear(now_ns);
        uint32_t path = edge_choose(&world.params, &world.paths, &flow, &packet, NULL);
        draws[path]++;
        all++;
        arrive(path, now_ns);
    }
    return all;
}

/*
 * Without forged reports each path's share is a quarter. With answer_ns 0 the preferred path gets
 * 65 to 99.9 % at the lowest flowlet rate here, and without `explore` the other paths get less than
 * 1 %.
 */
static void forged_reports_lead_to_no_path(void **state) {
    (void)state;
    static const uint32_t schemes[] = {EDGE_CLOVE_ECN, EDGE_CLOVE_INT, EDGE_CLOVE_LATENCY,
                                       EDGE_ALB};
    static const unsigned rates[] = {100, 1000, 10000};
    for (unsigned s = 0; s < sizeof schemes / sizeof *schemes; s++)
        for (unsigned r = 0; r < sizeof rates / sizeof *rates; r++) {
            unsigned draws[PATHS];
            begin(schemes[s], EDGE_ANSWER_RTTS * (uint32_t)RTT_NS, s * 8 + r);
            world.forged_ns = SECOND_NS;
            unsigned all = run(rates[r], draws);
            assert_true(draws[LIKED] * 100 < all * 45);
            for (unsigned i = 0; i < PATHS; i++)
                assert_true(draws[i] * 100 > all * 15);
        }
}

/* A peer's own reports on unused paths are outdated and must not count. */
static void a_report_counts_for_some_time_after_a_packet_only(void **state) {
    (void)state;
    const uint32_t span_ns = EDGE_ANSWER_RTTS * (uint32_t)RTT_NS;
    for (uint64_t late_ns = 0; late_ns < UINT64_C(4) * span_ns; late_ns += span_ns / 8) {
        begin(EDGE_ALB, span_ns, 0);
        edge_note_sent(&world.params, &world.paths, 1, SECOND_NS);
        edge_apply_feedback(&world.params, &world.paths, 1, false, 7, SECOND_NS + late_ns);
        edge_apply_feedback(&world.params, &world.paths, 2, false, 7, SECOND_NS + late_ns);
        const bool counts = world.paths.noted_ns[1] != 0;
        assert_true(late_ns > span_ns || counts);
        assert_false(late_ns >= 2 * (uint64_t)span_ns && counts);
        assert_int_equal(world.paths.noted_ns[2], 0);
    }
}

/*
 * IntFlow's flow for some seconds. The peer's own report comes with each packet and is of a low
 * delay; a forged one comes every so many packets. Returns the number of instructions to move the
 * flow because of congestion.
 */
static unsigned moves(const struct edge_params *params, unsigned packets_per_forged,
                      uint32_t bytes) {
    struct edge_flow_status flow = {0};
    unsigned moved = 0, packets = 0;
    for (uint64_t now_ns = SECOND_NS; now_ns < (1 + SECONDS) * SECOND_NS; now_ns += RTT_NS) {
        edge_intflow_delay(&flow, (uint32_t)random_between(&world.random, 0, RTT_NS));
        if (packets++ % packets_per_forged == 0)
            edge_intflow_delay(&flow, UINT32_MAX);
        moved += edge_intflow_instruct(params, &flow, flow.next_sequence, bytes, now_ns) ==
                 EDGE_CONGESTION;
    }
    return moved;
}

static void forged_delays_move_large_flows_once_per_report_and_settling_time(void **state) {
    (void)state;
    const unsigned packets = (unsigned)(SECONDS * SECOND_NS / RTT_NS);
    const unsigned slow = (unsigned)(SECOND_NS / RTT_NS / FORGED_PER_SECOND);
    begin(EDGE_INTFLOW, 0, 0);
    world.params.settle_ns = 4 * (uint32_t)RTT_NS;
    const unsigned at_most = packets / 4 + 1;
    for (unsigned every = 1; every <= slow; every++) {
        const unsigned forged = packets / every + 1;
        const unsigned moved = moves(&world.params, every, 1000);
        assert_in_range(moved, 1, forged < at_most ? forged : at_most);
        assert_int_equal(moves(&world.params, every, 1), 0); /* a small flow */
    }
}

static void forged_delays_hide_no_loss(void **state) {
    (void)state;
    begin(EDGE_INTFLOW, 0, 0);
    struct edge_flow_status flow = {.started = true,
                                    .next_sequence = 5000,
                                    .last_ns = SECOND_NS,
                                    .window_began_ns = SECOND_NS,
                                    .rate_at_ns = SECOND_NS,
                                    .retransmits = world.params.retransmissions_per_1024 + 1};
    edge_intflow_delay(&flow, 0);
    assert_int_equal(edge_intflow_instruct(&world.params, &flow, 5000, 1000, SECOND_NS + 1),
                     EDGE_FAILURE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forged_reports_lead_to_no_path),
        cmocka_unit_test(a_report_counts_for_some_time_after_a_packet_only),
        cmocka_unit_test(forged_delays_move_large_flows_once_per_report_and_settling_time),
        cmocka_unit_test(forged_delays_hide_no_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
