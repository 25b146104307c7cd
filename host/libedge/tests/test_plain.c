/* Each packet of random traces takes the path that the model in plain.h chooses. */
#include <string.h>

#include "edge/choose.h"
#include "edge/delay.h"
#include "edge/switch/leaf.h"
#include "plain.h"
#include "random.h"
#include "testing.h"

enum { RTT_NS = 100000, PACKETS = 3000, FLOWS = 12 };

static struct edge_paths paths;
static struct edge_params params;
static struct edge_flow flows[PLAIN_ENTRIES];
static struct plain_sender plain;

static const struct {
    enum edge_scheme scheme;
    enum plain_scheme plain;
} schemes[] = {
    {EDGE_WCMP, PLAIN_STATIC_WEIGHTS},      {EDGE_PRESTO, PLAIN_PRESTO},
    {EDGE_FLOWLET, PLAIN_EDGE_FLOWLET},     {EDGE_CLOVE_ECN, PLAIN_CLOVE_ECN},
    {EDGE_CLOVE_INT, PLAIN_LEAST_UTILISED}, {EDGE_CLOVE_LATENCY, PLAIN_LEAST_DELAY},
    {EDGE_ALB, PLAIN_LEAST_DELAY},
};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

/* Sets weights of 1 to 40, sometimes all equal. */
static void set_weights(struct random *random, uint32_t count, bool replace) {
    uint32_t weights[EDGE_MAX_PATHS];
    struct edge_found found[EDGE_MAX_PATHS];
    const bool equal = random_one_in(random, 3);
    for (uint32_t i = 0; i < count; i++) {
        weights[i] = equal && i > 0 ? weights[0] : (uint32_t)random_between(random, 1, 40);
        found[i] = (struct edge_found){.key = i, .weight = weights[i], .port = (uint16_t)i};
    }
    if (replace)
        edge_set_paths(&paths, found, count);
    else
        edge_set_priors(&paths, found, count);
    plain_set_weights(&plain, weights, (int)count);
}

static void begin(struct random *random, unsigned of, uint32_t count) {
    memset(&paths, 0, sizeof paths);
    memset(flows, 0, sizeof flows);
    params = edge_defaults(schemes[of].scheme, RTT_NS, UINT64_C(10000000000));
    plain_begin(&plain, schemes[of].plain, RTT_NS);
    params.gap_adapt = random_one_in(random, 2) ? 0 : (uint32_t)random_between(random, 1, 512);
    plain.gap_share = params.gap_adapt;
    set_weights(random, count, true);
}

/*
 * Returns a pause: mostly within a flowlet, often at its end, rarely so long that all metrics are
 * outdated. Packets of another processor may be slightly older.
 */
static int64_t a_pause(struct random *random) {
    if (random_one_in(random, 300))
        return random_between(random, 0, 20000000);
    if (random_one_in(random, 50))
        return random_between(random, -5000, 0);
    return random_one_in(random, 6) ? random_between(random, 0, 600000)
                                    : random_between(random, 0, 20000);
}

static void a_packet_goes_the_same_way(struct random *random, uint64_t now_ns) {
    const uint32_t hash = edge_mix(99, (uint32_t)random_between(random, 1, FLOWS));
    const uint32_t bytes =
        random_one_in(random, 3) ? (uint32_t)random_between(random, 64, 65536) : 1500;
    const uint32_t lot = (uint32_t)random_next(random);
    const struct edge_packet packet = {
        .now_ns = now_ns, .hash = hash, .bytes = bytes, .random = lot};
    const struct plain_packet same = {
        .now_ns = (int64_t)now_ns, .hash = hash, .bytes = bytes, .random = lot};
    assert_int_equal(edge_choose(&params, &paths, &flows[hash % PLAIN_ENTRIES], &packet, NULL),
                     plain_send(&plain, &same));
}

static void feedback_has_the_same_effect(struct random *random, uint64_t now_ns) {
    const uint32_t path = (uint32_t)random_between(random, 0, paths.count - 1);
    /* Half of the metrics are equal, like those of idle paths. */
    const uint32_t metric = random_one_in(random, 2)
                                ? (uint32_t)random_between(random, 0, 3)
                                : (uint32_t)(random_next(random) >> random_between(random, 32, 62));
    const bool masked = !edge_apply_feedback(&params, &paths, path, true, metric, now_ns);
    assert_int_equal(masked, !plain_mark(&plain, (int)path, (int64_t)now_ns));
    plain_note(&plain, (int)path, metric, (int64_t)now_ns);
}

static void every_packet_goes_where_the_papers_say(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned round = 0; round < 60 * SCHEMES; round++) {
        const uint32_t count = (uint32_t)random_between(&random, 1, EDGE_MAX_PATHS);
        begin(&random, round % SCHEMES, count);
        uint64_t now_ns = 1000000;
        for (unsigned i = 0; i < PACKETS; i++) {
            now_ns += (uint64_t)a_pause(&random);
            if (random_one_in(&random, 500))
                set_weights(&random, count, false);
            if (random_one_in(&random, 2))
                feedback_has_the_same_effect(&random, now_ns);
            a_packet_goes_the_same_way(&random, now_ns);
        }
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(paths.prior[i], plain.paths[i].prior);
            assert_int_equal(paths.weight[i], plain.paths[i].weight);
        }
    }
}

/* Both ends of ALB: the delays over the receiver's baseline decide the flowlets' paths. */
static void albs_packets_go_by_delays_over_the_moving_baseline(void **state) {
    (void)state;
    enum { COUNT = 4, ALB = SCHEMES - 1 };
    struct random random = {seed() + 1};
    static struct plain_delays delays[COUNT];
    for (unsigned round = 0; round < 60; round++) {
        struct edge_baseline baselines[COUNT] = {{0}};
        memset(delays, 0, sizeof delays);
        begin(&random, ALB, COUNT);
        /* The receiver's clock is up to a minute ahead or behind, and up to 100 ppm fast or
         * slow. */
        const int64_t offset_ns = random_between(&random, INT64_C(-60000000000), 60000000000);
        const int64_t drift_ppm = random_between(&random, -100, 100);
        int64_t now_ns = random_between(&random, 1000000, INT64_C(1) << 40);
        for (unsigned i = 0; i < PACKETS; i++) {
            now_ns += a_pause(&random);
            const int path = (int)random_between(&random, 0, COUNT - 1);
            const int64_t sent_ns = now_ns;
            const int64_t arrived_ns = sent_ns + INT64_C(20000) * (1 + path) + offset_ns +
                                       now_ns / 1000000 * drift_ppm +
                                       random_between(&random, 0, 300000);
            const bool remeasure = random_one_in(&random, 200);
            const int64_t delay_ns =
                plain_delay(&delays[path], RTT_NS, remeasure, arrived_ns - sent_ns, now_ns);
            assert_int_equal(edge_delay_over_baseline(&params, &baselines[path], (uint32_t)sent_ns,
                                                      (uint32_t)arrived_ns, remeasure,
                                                      (uint64_t)now_ns),
                             delay_ns);
            edge_apply_feedback(&params, &paths, (uint32_t)path, false, (uint32_t)delay_ns,
                                (uint64_t)now_ns);
            plain_note(&plain, path, delay_ns, now_ns);
            a_packet_goes_the_same_way(&random, (uint64_t)now_ns);
        }
    }
}

static void letflows_packets_take_the_uplinks_that_a_plain_switch_draws(void **state) {
    (void)state;
    struct random random = {seed() + 2};
    for (unsigned round = 0; round < 200; round++) {
        static struct edge_leaf leaf;
        struct plain_letflow letflow = {.uplinks = (int)random_between(&random, 1, EDGE_UPLINKS),
                                        .gap_ns = random_between(&random, 50000, 500000)};
        memset(&leaf, 0, sizeof leaf);
        memset(flows, 0, sizeof flows);
        leaf.scheme = EDGE_LEAF_LETFLOW;
        leaf.uplinks = (uint32_t)letflow.uplinks;
        leaf.gap_ns = (uint32_t)letflow.gap_ns;
        leaf.up = (UINT64_C(1) << letflow.uplinks) - 1;
        for (uint32_t i = 0; i < leaf.uplinks; i++)
            edge_rate_init(&leaf.rate[i], UINT64_C(10000000000), 0);
        uint64_t now_ns = 1000000;
        for (unsigned i = 0; i < PACKETS; i++) {
            now_ns += (uint64_t)a_pause(&random);
            const uint32_t failing = (uint32_t)random_between(&random, 0, EDGE_UPLINKS - 1);
            /* A failure or a repair; at least one uplink stays up. */
            if (failing > 0 && failing < leaf.uplinks && random_one_in(&random, 50)) {
                letflow.down[failing] = !letflow.down[failing];
                leaf.up ^= UINT64_C(1) << failing;
            }
            const uint32_t hash = edge_mix(7, (uint32_t)random_between(&random, 1, FLOWS));
            const uint32_t lot = (uint32_t)random_next(&random);
            const struct plain_packet packet = {
                .now_ns = (int64_t)now_ns, .hash = hash, .random = lot};
            assert_int_equal(edge_leaf_choose(&leaf, &flows[hash % PLAIN_ENTRIES], 3, hash, 1500,
                                              (uint32_t)random_between(&random, 0, 7), lot, now_ns),
                             plain_letflow(&letflow, &packet));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_packet_goes_where_the_papers_say),
        cmocka_unit_test(albs_packets_go_by_delays_over_the_moving_baseline),
        cmocka_unit_test(letflows_packets_take_the_uplinks_that_a_plain_switch_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
