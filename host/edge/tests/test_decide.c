/* Compares the programs' decisions with libedge in user space: the state of a flow and its peer
 * after a packet. */
#include <bpf/bpf.h>
#include <linux/pkt_cls.h>
#include <time.h>

#include "programs.h"
#include "random.h"
#include "testing.h"

enum { ROUNDS = 300 };

static uint64_t now_ns(void) {
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &now), 0);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Finds the flow of the last sent packet; returns false if there is none. */
static bool latest_flow(struct edge_flow_key *key, struct edge_flow *flow) {
    const int map = bpf_object__find_map_fd_by_name(object, "flows");
    struct edge_flow_key at;
    struct edge_flow found;
    flow->last_ns = 0;
    for (int more = bpf_map_get_next_key(map, NULL, &at); more == 0;
         more = bpf_map_get_next_key(map, &at, &at))
        if (bpf_map_lookup_elem(map, &at, &found) == 0 && found.last_ns > flow->last_ns) {
            *key = at;
            *flow = found;
        }
    return flow->last_ns != 0;
}

/* Changes the metrics of paths. They differ, so that no random choice among equal ones is
 * needed. */
static void learn(struct random *random, struct edge_peer *peer) {
    struct edge_found priors[PATHS];
    const uint64_t now = now_ns();
    for (uint32_t i = 0; i < PATHS; i++)
        priors[i] = (struct edge_found){.weight = (uint32_t)random_between(random, 1, 5)};
    if (random_one_in(random, 20))
        edge_set_priors(&peer->paths, priors, PATHS);
    const uint32_t path = (uint32_t)random_between(random, 0, PATHS - 1);
    if (peer->params.scheme == EDGE_CLOVE_ECN) {
        if (random_one_in(random, 3))
            edge_clove_mark(&peer->params, &peer->paths, path, now);
        return;
    }
    edge_forget_metrics(&peer->paths);
    const uint32_t metric = (uint32_t)random_between(random, 1, 1000);
    /* A future time, which counts as now, so that metrics do not age on a slow machine. */
    const uint64_t noted = now + UINT64_C(3600000000000);
    for (uint32_t i = 0; i < PATHS; i++) /* at least a step of 2^alike apart */
        edge_note_metric(&peer->paths, i, (metric + (i + path) % PATHS) << 13, noted);
}

static void the_programs_decide_as_libedge_does(void **state) {
    (void)state;
    if (!object)
        skip();
    struct random random = {seed()};
    static struct edge_peer before, after;
    const struct edge_address to = outer_of(there);
    for (scheme = 0; scheme < EDGE_SCHEMES; scheme++) {
        if (!edge_keeps_flows(scheme))
            continue;
        be(here);
        unsigned begun = 0;
        for (unsigned round = 0; round < ROUNDS; round++) {
            uint8_t frame[FRAME], outer[FRAME + HEADER];
            uint32_t length = sizeof outer;
            struct edge_flow_key key = {0};
            struct edge_flow flow = {0}, expected = {0};
            struct edge_trace trace = {0};
            get("peers", &to, &before);
            learn(&random, &before);
            before.params.gap_ns = random_one_in(&random, 2) ? 1 : UINT32_MAX;
            before.params.flowcell_bytes = random_one_in(&random, 4) ? 1 : 65536;
            put("peers", &to, &before);
            make_inner(frame);
            frame[35] = (uint8_t)(1 + scheme); /* each scheme has its own flows */
            if (round > 0)
                assert_true(latest_flow(&key, &expected));
            assert_int_equal(run("edge_out", frame, FRAME, outer, &length), TC_ACT_UNSPEC);
            assert_true(latest_flow(&key, &flow));
            get("peers", &to, &after);
            const struct edge_packet packet = {
                .now_ns = flow.last_ns, .hash = key.hash, .bytes = FRAME - ETHERNET};
            edge_choose(&before.params, &before.paths, &expected, &packet, &trace);
            assert_memory_equal(&flow, &expected, sizeof flow);
            assert_int_equal(outer[OPTION + 2], flow.path);
            assert_int_equal(after.traced, before.traced + (trace.at_ns != 0));
            if (trace.at_ns != 0) {
                begun++;
                const uint32_t at = before.traced & (EDGE_TRACES - 1);
                assert_memory_equal(&after.traces[at], &trace, sizeof trace);
            }
            assert_memory_equal(&after.paths, &before.paths, sizeof after.paths);
        }
        assert_in_range(begun, ROUNDS / 10, ROUNDS - ROUNDS / 10);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_programs_decide_as_libedge_does),
    };
    return cmocka_run_group_tests(tests, programs_load, programs_unload);
}
