/* The schedule of discovery in virtual time, on a fabric modelled by a function. */
#include "prober.h"

#include <stdlib.h>
#include <string.h>

#include "probed.h"
#include "random.h"
#include "testing.h"

enum { PORTS = 16, PEERS = 40, LOG = 100000, LEAF = 1, SPINES = 10, FAR_LEAF = 2 };

static struct peer_config peers[PEERS];
static struct config config;
static struct prober *prober;
static uint64_t now_ns;

/* The fabric: the spine of a port, and which nodes answer. */
static uint32_t spines;
static bool (*answers)(const struct probe *probe);

/* A record of sent probes. */
static struct sent {
    uint64_t at_ns;
    struct probe probe;
} sent[LOG];
static unsigned sent_count;
static struct ended {
    uint64_t at_ns;
    unsigned peer;
} ended[LOG];
static unsigned ended_count;

static bool spines_are_silent(const struct probe *probe) {
    return probe->ttl != 2;
}

static bool odd_peers_are_dead(const struct probe *probe) {
    return probe->peer.words[0] % 2 == 0;
}

static uint32_t spine_of(uint16_t port) {
    return SPINES + edge_mix(7, port) % spines;
}

static void begin(unsigned count) {
    probed_peers(peers, count, PORTS);
    config = (struct config){.peers = peers, .peers_count = count};
    prober = prober_create(&config, seed(), now_ns);
    assert_non_null(prober);
    sent_count = ended_count = 0;
}

static int set_up(void **state) {
    (void)state;
    now_ns = 5 * S;
    spines = 4;
    answers = all_answer;
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    prober_free(prober);
    prober = NULL;
    return 0;
}

static struct probe_answer answer_to(const struct probe *probe) {
    const uint32_t hops[] = {LEAF, spine_of(probe->source_port), FAR_LEAF, probe->peer.words[0]};
    const bool arrives = probe->ttl >= 4;
    return (struct probe_answer){.outcome = arrives ? PROBE_ARRIVED : PROBE_PASSED,
                                 .from = address_ipv4(hops[arrives ? 3 : probe->ttl - 1]),
                                 .ttl_left = (uint8_t)(arrives ? probe->ttl - 3 : 0),
                                 .probe = *probe};
}

/* Returns the first probe of a trace, after the knock. */
static struct probe first_of_trace(void) {
    struct probe probe;
    now_ns = prober_next_ns(prober);
    assert_true(prober_send(prober, now_ns, &probe));
    const struct probe_answer answer = answer_to(&probe);
    assert_true(prober_take(prober, now_ns, &answer));
    now_ns += MS;
    assert_true(prober_send(prober, now_ns, &probe));
    assert_int_equal(probe.ttl, 1);
    return probe;
}

/* Checks a route's hops; 0: no answer. */
static void assert_hops(const struct edge_route *route, const uint32_t hops[4]) {
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(route->hops[i].family, hops[i] ? 4 : 0);
        assert_int_equal(route->hops[i].words[0], hops[i]);
    }
}

/* Advances time; the fabric answers at once. */
static void run(uint64_t span_ns) {
    const uint64_t end_ns = now_ns + span_ns;
    uint64_t next_ns;
    while ((next_ns = prober_next_ns(prober)) <= end_ns) {
        now_ns = next_ns > now_ns ? next_ns : now_ns;
        struct probe probe;
        while (prober_send(prober, now_ns, &probe)) {
            assert_true(sent_count < LOG);
            sent[sent_count++] = (struct sent){now_ns, probe};
            const struct probe_answer answer = answer_to(&probe);
            if (answers(&probe))
                assert_true(prober_take(prober, now_ns, &answer));
        }
        for (unsigned peer; (peer = prober_finish(prober, now_ns)) != PROBER_NONE;)
            ended[ended_count++] = (struct ended){now_ns, peer};
    }
    now_ns = end_ns;
}

static void a_round_traces_every_port_hop_by_hop(void **state) {
    (void)state;
    begin(1);
    run(S);
    assert_int_equal(ended_count, 1);
    assert_int_equal(sent_count, 1 + 4 * PORTS); /* one knock */
    const struct candidate *candidates = prober_candidates(prober, 0);
    for (unsigned i = 0; i < PORTS; i++) {
        const uint32_t hops[] = {LEAF, spine_of(candidates[i].port), FAR_LEAF, 1000};
        assert_int_equal(candidates[i].port, 50000 + i);
        assert_true(candidates[i].arrives);
        assert_int_equal(candidates[i].route.length, 4);
        assert_hops(&candidates[i].route, hops);
    }
}

static void all_peers_together_keep_to_the_rate(void **state) {
    (void)state;
    begin(PEERS);
    answers = odd_peers_are_dead;
    run(60 * S);
    for (unsigned i = 1; i < sent_count; i++)
        assert_true(sent[i].at_ns - sent[i - 1].at_ns >= PROBER_GAP_NS);
    unsigned rounds[PEERS] = {0};
    for (unsigned i = 0; i < ended_count; i++)
        rounds[ended[i].peer]++;
    for (unsigned i = 0; i < PEERS; i++)
        assert_true(rounds[i] >= 2);
}

static void rounds_come_once_in_a_period_and_spread_out(void **state) {
    (void)state;
    begin(PEERS);
    const uint64_t start_ns = now_ns;
    run(100 * S);
    uint64_t last_ns[PEERS] = {0}, apart = 0;
    for (unsigned i = 0; i < ended_count; i++) {
        const unsigned peer = ended[i].peer;
        /* 64 probes of 1 ms for each of up to 16 peers at a time. */
        const uint64_t takes_ns = (uint64_t)PORTS * 4 * 16 * MS;
        if (last_ns[peer] == 0) {
            assert_true(ended[i].at_ns <= start_ns + PEERS * (uint64_t)PROBER_SPREAD_NS + takes_ns);
        } else {
            const uint64_t after_ns = ended[i].at_ns - last_ns[peer];
            assert_true(after_ns >= 30 * S * 7 / 8 && after_ns <= 30 * S * 9 / 8 + takes_ns);
            apart += after_ns < 29 * S || after_ns > 31 * S;
        }
        last_ns[peer] = ended[i].at_ns;
    }
    assert_true(apart > 0);
    for (unsigned i = 0; i < PEERS; i++)
        assert_true(last_ns[i] > start_ns + 60 * S);
}

static void a_silent_hop_is_asked_three_times_and_passed_over(void **state) {
    (void)state;
    begin(1);
    answers = spines_are_silent;
    run(5 * S);
    unsigned asked = 0;
    for (unsigned i = 0; i < sent_count; i++)
        asked += sent[i].probe.ttl == 2;
    assert_int_equal(asked, PROBER_TRIES * PORTS);
    const struct candidate *candidates = prober_candidates(prober, 0);
    for (unsigned i = 0; i < PORTS; i++) {
        const uint32_t hops[] = {LEAF, 0, FAR_LEAF, 1000};
        assert_true(candidates[i].arrives);
        assert_hops(&candidates[i].route, hops);
    }
}

static void a_late_answer_counts_and_another_ones_does_not(void **state) {
    (void)state;
    begin(1);
    peers[0].paths_count = 1;
    struct probe first = first_of_trace(), second;
    now_ns += (uint64_t)200 * MS;
    assert_true(prober_send(prober, now_ns, &second));
    assert_int_equal(second.ttl, 1);
    struct probe_answer answer = answer_to(&first);
    for (unsigned field = 0; field < 5; field++) {
        struct probe_answer forged = answer;
        forged.probe.peer.words[0] = field == 0 ? 1001 : forged.probe.peer.words[0];
        forged.probe.source_port = field == 1 ? 50001 : forged.probe.source_port;
        forged.probe.id = field == 2 ? forged.probe.id ^ 1 : forged.probe.id;
        forged.probe.nonce = field == 3 ? forged.probe.nonce ^ 512 : forged.probe.nonce;
        forged.from.words[0] = field == 4 ? 0 : forged.from.words[0];
        assert_false(prober_take(prober, now_ns, &forged));
    }
    answer.probe.nonce = 0; /* a short quote */
    assert_true(prober_take(prober, now_ns, &answer));
    assert_false(prober_take(prober, now_ns, &answer)); /* twice */
    now_ns += MS;
    assert_true(prober_send(prober, now_ns, &first));
    assert_int_equal(first.ttl, 2);
}

static void a_peer_that_does_not_answer_is_asked_again_sooner(void **state) {
    (void)state;
    begin(1);
    answers = none_answers;
    run(120 * S);
    /* Knocks on three ports: first one, then two at a time. */
    const uint64_t takes_ns = (uint64_t)2 * 200 * MS;
    for (unsigned i = 1; i < 5; i++) {
        const uint64_t pause_ns = ended[i].at_ns - ended[i - 1].at_ns;
        assert_true(pause_ns >= (S << (i - 1)) + takes_ns);
        assert_true(pause_ns <= (S << (i - 1)) + takes_ns + (uint64_t)PROBER_TRIES * MS);
    }
    assert_true(ended[6].at_ns - ended[5].at_ns >= 30 * S * 7 / 8);
    assert_false(prober_candidates(prober, 0)[0].arrives);
}

static void where_a_packet_cannot_go_on_its_trace_ends(void **state) {
    (void)state;
    begin(1);
    peers[0].paths_count = 1;
    const struct probe probe = first_of_trace();
    struct probe_answer answer = answer_to(&probe);
    answer.outcome = PROBE_STOPPED;
    assert_true(prober_take(prober, now_ns, &answer));
    assert_int_equal(prober_finish(prober, now_ns), 0);
    assert_false(prober_candidates(prober, 0)[0].arrives);
}

static void a_way_keeps_its_key_until_it_is_another_one(void **state) {
    (void)state;
    begin(1);
    run(2 * S);
    struct candidate before[PORTS];
    const struct candidate *candidates = prober_candidates(prober, 0);
    memcpy(before, candidates, sizeof before);
    answers = spines_are_silent; /* no hop differs */
    run(40 * S);
    assert_int_equal(ended_count, 2);
    assert_memory_equal(candidates, before, sizeof before);
    answers = none_answers;
    run(40 * S);
    assert_true(ended_count > 2);
    assert_memory_equal(&candidates[0].route, &before[0].route, sizeof before[0].route);
    answers = all_answer;
    spines = 3;
    run(80 * S);
    unsigned changed = 0;
    for (unsigned i = 0; i < PORTS; i++) {
        const bool same = address_same(&candidates[i].route.hops[1], &before[i].route.hops[1]);
        assert_int_equal(candidates[i].key == before[i].key, same);
        changed += !same;
    }
    assert_true(changed > 0 && changed < PORTS);
}

static void hurry_begins_a_round_soon_and_ends_none(void **state) {
    (void)state;
    begin(2);
    run(S);
    assert_int_equal(ended_count, 2);
    prober_start_rounds(prober, now_ns);
    /* Repeatedly in the middle of both rounds. */
    for (unsigned i = 0; i < 100; i++) {
        run((uint64_t)2 * MS);
        prober_start_rounds(prober, now_ns);
    }
    run(S);
    assert_true(ended_count >= 4);
    const unsigned count = ended_count;
    run(20 * S);
    assert_int_equal(ended_count, count);
}

static void peers_with_listed_paths_are_left_alone(void **state) {
    (void)state;
    begin(2);
    prober_free(prober);
    peers[0].discover.paths = 0;
    prober = prober_create(&config, seed(), now_ns);
    run(60 * S);
    assert_true(sent_count > 0);
    for (unsigned i = 0; i < sent_count; i++)
        assert_true(address_same(&sent[i].probe.peer, &peers[1].address));
    assert_null(prober_candidates(prober, 0));
}

static bool answers_are_lost_at_first(const struct probe *probe) {
    return probe->ttl < 3 || probe->ttl > 5;
}

static void a_peer_is_as_far_as_the_ttl_says_that_was_left(void **state) {
    (void)state;
    begin(1);
    answers = answers_are_lost_at_first;
    run(10 * S);
    const struct candidate *candidates = prober_candidates(prober, 0);
    for (unsigned i = 0; i < PORTS; i++) {
        const uint32_t hops[] = {LEAF, spine_of(candidates[i].port), 0, 1000};
        assert_true(candidates[i].arrives);
        assert_int_equal(candidates[i].route.length, 4);
        assert_hops(&candidates[i].route, hops);
    }
}

static void a_peer_that_lies_about_the_ttl_is_not_heard(void **state) {
    (void)state;
    begin(1);
    peers[0].paths_count = 1;
    const struct probe probe = first_of_trace();
    struct probe_answer answer = {
        .outcome = PROBE_ARRIVED, .from = probe.peer, .ttl_left = 2, .probe = probe};
    assert_false(prober_take(prober, now_ns, &answer));
    answer.ttl_left = 0;
    assert_false(prober_take(prober, now_ns, &answer));
    answer.ttl_left = 1;
    assert_true(prober_take(prober, now_ns, &answer));
}

/* With any losses every round ends with correct results. */
static struct random loss;

static bool half_answer(const struct probe *probe) {
    (void)probe;
    return random_one_in(&loss, 2);
}

static void losses_hide_hops_and_make_up_none(void **state) {
    (void)state;
    loss = (struct random){seed()};
    begin(8);
    answers = half_answer;
    run(300 * S);
    assert_true(ended_count >= 8 * 8);
    for (unsigned peer = 0; peer < 8; peer++) {
        const struct candidate *candidates = prober_candidates(prober, peer);
        for (unsigned i = 0; i < PORTS; i++) {
            const uint32_t hops[] = {LEAF, spine_of(candidates[i].port), FAR_LEAF, 1000 + peer};
            assert_true(candidates[i].route.length == 4 || candidates[i].route.length == 0);
            for (unsigned h = 0; h < candidates[i].route.length; h++)
                assert_true(candidates[i].route.hops[h].words[0] == hops[h] ||
                            candidates[i].route.hops[h].family == 0);
        }
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_round_traces_every_port_hop_by_hop),
        TEST(all_peers_together_keep_to_the_rate),
        TEST(rounds_come_once_in_a_period_and_spread_out),
        TEST(a_silent_hop_is_asked_three_times_and_passed_over),
        TEST(a_late_answer_counts_and_another_ones_does_not),
        TEST(a_peer_that_does_not_answer_is_asked_again_sooner),
        TEST(where_a_packet_cannot_go_on_its_trace_ends),
        TEST(a_way_keeps_its_key_until_it_is_another_one),
        TEST(hurry_begins_a_round_soon_and_ends_none),
        TEST(peers_with_listed_paths_are_left_alone),
        TEST(a_peer_is_as_far_as_the_ttl_says_that_was_left),
        TEST(a_peer_that_lies_about_the_ttl_is_not_heard),
        TEST(losses_hide_hops_and_make_up_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
