/* The effect of an order on peers' schemes, and which orders are valid. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "order.h"
#include "random.h"
#include "testing.h"

enum { PEERS = 3, ROUNDS = 20000 };

/* Sets prefixes such as "10.0.0.0/8" from an array that ends with null. */
static void set_prefixes(struct peer_config *peer, const char *const *texts) {
    peer->prefixes_count = 0;
    for (; *texts; texts++) {
        assert_true(prefix_read(*texts, &peer->prefixes[peer->prefixes_count++]));
    }
}

static struct peer_config peers[PEERS];
static struct config config;
static struct order order;

static int set_up(void **state) {
    (void)state;
    static const char *const behind[PEERS][3] = {
        {"10.77.2.0/24", "10.78.0.0/16"}, {"10.79.0.0/16"}, {"10.79.3.0/24"}};
    config = (struct config){.peers = peers, .peers_count = PEERS, .tuning = default_tuning};
    config.tuning.gap_percent = 100;
    order = (struct order){.report_ms = 1000};
    for (unsigned i = 0; i < PEERS; i++) {
        peers[i] = (struct peer_config){.address = address_ipv4(htonl(0xc0000202 + i)),
                                        .own_scheme = EDGE_CLOVE_ECN};
        set_prefixes(&peers[i], behind[i]);
    }
    return 0;
}

/* Returns an order of a scheme with the file's parameters. */
static struct ordered only(enum edge_scheme scheme) {
    return (struct ordered){.scheme = scheme,
                            .gap_ns = NOT_ORDERED,
                            .gap_percent = NOT_ORDERED,
                            .rtt_ns = NOT_ORDERED,
                            .relay_ns = NOT_ORDERED,
                            .metric_age_ns = NOT_ORDERED,
                            .delay_ns = NOT_ORDERED,
                            .window_ns = NOT_ORDERED,
                            .timeout_ns = NOT_ORDERED,
                            .settle_ns = NOT_ORDERED,
                            .size_bytes = NOT_ORDERED};
}

static void add(const char *prefix, enum edge_scheme scheme, uint32_t gap_ns) {
    struct ordered_prefix *added = &order.prefixes[order.count++];
    added->what = only(scheme);
    added->what.gap_ns = gap_ns;
    assert_true(prefix_read(prefix, &added->prefix));
}

static bool fits(const char *expected) {
    char error[200] = "";
    const bool good = order_fits(&order, &config, error, sizeof error);
    assert_string_equal(error, expected);
    return good;
}

static void the_longest_prefix_counts(void **state) {
    (void)state;
    add("10.79.0.0/16", EDGE_ALB, 500000);
    add("0.0.0.0/0", EDGE_WCMP, NOT_ORDERED);
    add("10.79.3.0/24", EDGE_PRESTO, NOT_ORDERED);
    assert_true(fits(""));
    order_apply(&order, &config);
    assert_int_equal(peers[0].params.scheme, EDGE_WCMP);
    assert_int_equal(peers[0].params.gap_ns, 250000);
    assert_int_equal(peers[1].params.scheme, EDGE_ALB);
    assert_int_equal(peers[1].params.gap_ns, 500000);
    assert_int_equal(peers[1].params.gap_adapt, 256);
    assert_int_equal(peers[2].params.scheme, EDGE_PRESTO);
    assert_int_equal(peers[2].params.rtt_ns, 100000);
    order.count = 0;
    order_apply(&order, &config);
    for (unsigned i = 0; i < PEERS; i++) {
        assert_int_equal(peers[i].params.scheme, EDGE_CLOVE_ECN);
        assert_int_equal(peers[i].params.gap_ns, 250000);
        assert_int_equal(peers[i].params.gap_adapt, 256);
    }
}

static void what_is_ordered_takes_the_files_place_and_the_rest_follows(void **state) {
    (void)state;
    config.tuning.intflow.link_mbps = 1000; /* its flows' time is ten times slower */
    add("10.76.0.0/14", EDGE_CLOVE_ECN, 300000);
    order.prefixes[0].what.rtt_ns = 40000;
    add("10.79.0.0/16", EDGE_INTFLOW, NOT_ORDERED);
    order.prefixes[1].what.delay_ns = 1000;
    order.prefixes[1].what.window_ns = 8000000;
    order.prefixes[1].what.timeout_ns = 9000000;
    order.prefixes[1].what.settle_ns = 6000000;
    order.prefixes[1].what.size_bytes = 70;
    add("10.79.3.0/24", EDGE_ALB, NOT_ORDERED);
    order.prefixes[2].what.gap_percent = 0;
    order.prefixes[2].what.relay_ns = 7;
    order.prefixes[2].what.metric_age_ns = 80000;
    assert_true(fits(""));
    order_apply(&order, &config);
    assert_int_equal(peers[0].params.gap_ns, 300000);
    assert_int_equal(peers[0].params.rtt_ns, 40000);
    assert_int_equal(peers[0].params.relay_ns, 20000); /* half the round-trip time */
    assert_int_equal(peers[0].params.baseline_ns, 16 * 40000);
    assert_int_equal(peers[1].params.scheme, EDGE_INTFLOW);
    assert_int_equal(peers[1].params.delay_high_ns, 1000);
    assert_int_equal(peers[1].params.window_ns, 800000);
    assert_int_equal(peers[1].params.timeout_ns, 900000);
    assert_int_equal(peers[1].params.settle_ns, 600000);
    assert_int_equal(peers[0].params.settle_ns, 16000); /* four of the ordered round-trip times */
    assert_int_equal(peers[1].params.size_bytes, 70);
    assert_int_equal(peers[1].params.rate_bps, 3000000000); /* 30 % of the link, in that time */
    assert_int_equal(peers[2].params.gap_adapt, 0);
    assert_int_equal(peers[2].params.relay_ns, 7);
    assert_int_equal(peers[1].params.metric_age_ns, 10000000); /* from the file */
    assert_int_equal(peers[2].params.metric_age_ns, 80000);
}

static void an_order_that_divides_a_peer_does_not_fit(void **state) {
    (void)state;
    add("10.0.0.0/8", EDGE_ALB, NOT_ORDERED);
    add("10.78.0.0/16", EDGE_ECMP, NOT_ORDERED); /* and not 10.77.2.0/24 */
    assert_false(fits("prefixes[1].address: divides the prefixes of peer 192.0.2.2"));
    order.count = 0;
    add("10.79.4.0/24", EDGE_ECMP, NOT_ORDERED); /* a part of 10.79.0.0/16 */
    assert_false(fits("prefixes[0].address: divides the prefixes of peer 192.0.2.3"));
    order.count = 0;
    add("10.79.3.1/32", EDGE_ECMP, NOT_ORDERED);
    assert_false(fits("prefixes[0].address: divides the prefixes of peer 192.0.2.4"));
    order.count = 0;
    add("10.99.0.0/16", EDGE_ECMP, NOT_ORDERED); /* no peer's */
    assert_true(fits(""));
}

static void both_families_count_and_must_agree(void **state) {
    (void)state;
    static const char *const both[] = {"2001:db8::/64", "10.77.2.0/24", NULL};
    static const char *const ipv6[] = {"2001:db8:1::/64", NULL};
    set_prefixes(&peers[0], both);
    set_prefixes(&peers[1], ipv6);
    add("10.77.0.0/16", EDGE_ALB, NOT_ORDERED);
    add("0.0.0.0/0", EDGE_PRESTO, NOT_ORDERED);
    assert_true(fits(""));
    order_apply(&order, &config);
    assert_int_equal(peers[0].params.scheme, EDGE_ALB);
    assert_int_equal(peers[1].params.scheme, EDGE_PRESTO); /* 0.0.0.0/0 is for IPv6 too */
    assert_int_equal(peers[2].params.scheme, EDGE_PRESTO);
    add("2001:db8::/32", EDGE_ALB, NOT_ORDERED);
    add("2001:db8:1::/64", EDGE_WCMP, NOT_ORDERED);
    assert_true(fits(""));
    order_apply(&order, &config);
    assert_int_equal(peers[0].params.scheme, EDGE_ALB);
    assert_int_equal(peers[1].params.scheme, EDGE_WCMP);
    order.count = 1; /* one family of a peer suffices */
    add("2001:db8:1::/64", EDGE_WCMP, NOT_ORDERED);
    assert_true(fits(""));
    order.count = 1;
    add("2001:db8::/64", EDGE_ALB, 5);
    assert_false(
        fits("prefixes[1].address: the order for peer 192.0.2.2 differs from "
             "prefixes[0]"));
    add("2001:db8:1::/96", EDGE_ECMP, NOT_ORDERED);
    assert_false(fits("prefixes[2].address: divides the prefixes of peer 192.0.2.3"));
}

/* Returns an address's peer by the longest prefix. */
static const struct peer_config *owner(const struct edge_address *address) {
    const struct peer_config *found = NULL;
    int longest = -1;
    for (unsigned i = 0; i < PEERS; i++)
        for (unsigned p = 0; p < peers[i].prefixes_count; p++)
            if (prefix_covers(&peers[i].prefixes[p], address) &&
                peers[i].prefixes[p].bits > longest) {
                longest = peers[i].prefixes[p].bits;
                found = &peers[i];
            }
    return found;
}

/* In a valid order each address gets the scheme of its own longest ordered prefix. */
static void every_address_gets_what_was_ordered_of_it(void **state) {
    (void)state;
    struct random random = {seed()};
    unsigned fitting = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        order.count = 0;
        for (unsigned i = 0; i < 3; i++) {
            const uint8_t bits = (uint8_t)random_between(&random, 13, 25);
            const uint32_t address =
                (0x0a4c0000u | (uint32_t)random_between(&random, 0, (1 << 18) - 1)) &
                (UINT32_MAX << (32 - bits));
            order.prefixes[order.count++] = (struct ordered_prefix){
                .prefix = {.address = address_ipv4(htonl(address)), .bits = bits},
                .what = only(EDGE_ECMP)};
            order.prefixes[i].what.gap_ns = 1 + i;
        }
        char error[200];
        if (!order_fits(&order, &config, error, sizeof error))
            continue;
        fitting++;
        order_apply(&order, &config);
        const struct edge_address address =
            address_ipv4(htonl(0x0a4c0000u | (uint32_t)random_between(&random, 0, (1 << 18) - 1)));
        const struct peer_config *peer = owner(&address);
        const struct ordered_prefix *longest = NULL;
        for (unsigned i = 0; i < order.count; i++)
            if (prefix_covers(&order.prefixes[i].prefix, &address) &&
                (!longest || order.prefixes[i].prefix.bits > longest->prefix.bits))
                longest = &order.prefixes[i];
        if (peer)
            assert_int_equal(peer->params.gap_ns, longest ? longest->what.gap_ns : 250000);
    }
    assert_true(fitting > ROUNDS / 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_longest_prefix_counts, set_up),
        cmocka_unit_test_setup(what_is_ordered_takes_the_files_place_and_the_rest_follows, set_up),
        cmocka_unit_test_setup(an_order_that_divides_a_peer_does_not_fit, set_up),
        cmocka_unit_test_setup(both_families_count_and_must_agree, set_up),
        cmocka_unit_test_setup(every_address_gets_what_was_ordered_of_it, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
