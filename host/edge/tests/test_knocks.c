/* Discovery among many, mostly dead peers in virtual time: the order of probes, and that live peers
 * do not wait. */
#include <stdlib.h>
#include <string.h>

#include "probed.h"
#include "prober.h"
#include "random.h"
#include "testing.h"

enum { PORTS = 32, DEAD = 500, PEERS = DEAD + 1, LIVE = DEAD, HOPS = 4 };

static struct peer_config peers[PEERS];
static struct config config;
static struct prober *prober;
static uint64_t now_ns, sent_ns;

static uint64_t ended_ns[PEERS]; /* end of the last round */
static unsigned rounds[PEERS];
static unsigned asked[PEERS];

/* Which probes the live peer answers. */
static bool (*answers)(const struct probe *probe);

static bool the_last_port_answers(const struct probe *probe) {
    return probe->source_port == 50000 + PORTS - 1;
}

static int set_up(void **state) {
    (void)state;
    probed_peers(peers, PEERS, PORTS);
    config = (struct config){.peers = peers, .peers_count = PEERS};
    now_ns = 5 * S;
    sent_ns = 0;
    prober = prober_create(&config, seed(), now_ns);
    memset(ended_ns, 0, sizeof ended_ns);
    memset(rounds, 0, sizeof rounds);
    memset(asked, 0, sizeof asked);
    answers = all_answer;
    return prober ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    prober_free(prober);
    return 0;
}

static void deliver(const struct probe *probe) {
    const unsigned peer = probe->peer.words[0] - 1000;
    const bool arrives = probe->ttl >= HOPS;
    const struct probe_answer answer = {.outcome = arrives ? PROBE_ARRIVED : PROBE_PASSED,
                                        .from =
                                            arrives ? probe->peer : address_ipv4(1 + probe->ttl),
                                        .ttl_left = (uint8_t)(arrives ? probe->ttl - HOPS + 1 : 0),
                                        .probe = *probe};
    asked[peer]++;
    assert_true(now_ns - sent_ns >= PROBER_GAP_NS);
    sent_ns = now_ns;
    if (peer == LIVE && answers(probe))
        assert_true(prober_take(prober, now_ns, &answer));
}

static void run(uint64_t span_ns) {
    const uint64_t end_ns = now_ns + span_ns;
    uint64_t next_ns;
    while ((next_ns = prober_next_ns(prober)) <= end_ns) {
        struct probe probe;
        now_ns = next_ns > now_ns ? next_ns : now_ns;
        while (prober_send(prober, now_ns, &probe))
            deliver(&probe);
        for (unsigned peer; (peer = prober_finish(prober, now_ns)) != PROBER_NONE;) {
            ended_ns[peer] = now_ns;
            rounds[peer]++;
        }
    }
    now_ns = end_ns;
}

static unsigned arrived(void) {
    unsigned count = 0;
    for (unsigned i = 0; i < PORTS; i++)
        count += prober_candidates(prober, LIVE)[i].arrives;
    return count;
}

static void a_peer_that_lives_does_not_wait_for_the_dead(void **state) {
    (void)state;
    const uint64_t start_ns = now_ns;
    while (rounds[LIVE] == 0 && now_ns < start_ns + 60 * S)
        run((uint64_t)10 * MS);
    /* All rounds begin within the time of 2 probes per peer. Then one knock per peer and every
     * other probe precede the traces. */
    const uint64_t most_ns = (uint64_t)PROBER_GAP_NS * (PEERS * 2 + PEERS + 2 * (1 + HOPS * PORTS));
    print_message("# found after %.3f s\n", (double)(ended_ns[LIVE] - start_ns) / (double)S);
    assert_int_equal(rounds[LIVE], 1);
    assert_int_equal(arrived(), PORTS);
    assert_true(ended_ns[LIVE] - start_ns <= most_ns);
    assert_int_equal(asked[LIVE], 1 + HOPS * PORTS);
}

static void all_are_asked_once_before_others_again(void **state) {
    (void)state;
    answers = none_answers;
    run((uint64_t)PROBER_GAP_NS * (PEERS * 2 + PEERS)); /* as in the test above */
    for (unsigned i = 0; i < PEERS; i++)
        assert_true(asked[i] > 0);
}

static void later_rounds_of_it_come_in_time(void **state) {
    (void)state;
    run(10 * S);
    while (now_ns < 300 * S) {
        const uint64_t before_ns = ended_ns[LIVE];
        const unsigned before = rounds[LIVE];
        run(35 * S);
        assert_true(rounds[LIVE] > before);
        assert_true(ended_ns[LIVE] - before_ns <= 70 * S);
    }
}

static void dead_peers_are_asked_less_and_less(void **state) {
    (void)state;
    run(120 * S);
    memset(asked, 0, sizeof asked);
    run(60 * S);
    for (unsigned i = 0; i < DEAD; i++) /* at least 26.25 s apart */
        assert_in_range(asked[i], 1, 3 * PROBER_TRIES);
}

static void one_port_that_is_answered_is_enough(void **state) {
    (void)state;
    answers = the_last_port_answers;
    run(30 * S);
    assert_int_equal(arrived(), 1);
}

static void one_that_comes_back_is_found_within_a_period(void **state) {
    (void)state;
    answers = none_answers;
    run(200 * S);
    assert_int_equal(arrived(), 0);
    answers = all_answer;
    run(36 * S);
    assert_int_equal(arrived(), PORTS);
}

static void after_hurry_all_ports_of_the_dead_are_asked(void **state) {
    (void)state;
    run(120 * S);
    assert_false(prober_is_pending(prober));
    memset(asked, 0, sizeof asked);
    prober_start_rounds(prober, now_ns);
    while (prober_is_pending(prober))
        run(S);
    for (unsigned i = 0; i < DEAD; i++)
        assert_true(asked[i] >= PORTS);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_peer_that_lives_does_not_wait_for_the_dead),
        TEST(all_are_asked_once_before_others_again),
        TEST(later_rounds_of_it_come_in_time),
        TEST(dead_peers_are_asked_less_and_less),
        TEST(one_port_that_is_answered_is_enough),
        TEST(one_that_comes_back_is_found_within_a_period),
        TEST(after_hurry_all_ports_of_the_dead_are_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
