/* What an order makes of peers' schemes, and which orders fit. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "order.h"
#include "random.h"
#include "testing.h"

enum { PEERS = 3, ROUNDS = 20000 };

/* "10.0.0.0/8" and so on, up to a null. */
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
    config = (struct config){.peers = peers, .peers_count = PEERS};
    order = (struct order){.report_ms = 1000};
    for (unsigned i = 0; i < PEERS; i++) {
        peers[i] = (struct peer_config){
            .address = address_ipv4(htonl(0xc0000202 + i)),
            .own_params = scheme_params(EDGE_CLOVE_ECN, 100000, (struct gap){250000, 256})};
        set_prefixes(&peers[i], behind[i]);
    }
    return 0;
}

static void add(const char *prefix, enum edge_scheme scheme, uint32_t gap_ns) {
    const char *const texts[] = {prefix, NULL};
    struct peer_config scratch;
    set_prefixes(&scratch, texts);
    order.prefixes[order.count++] =
        (struct ordered_prefix){.prefix = scratch.prefixes[0], .scheme = scheme, .gap_ns = gap_ns};
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
    add("0.0.0.0/0", EDGE_WCMP, 0);
    add("10.79.3.0/24", EDGE_PRESTO, 0);
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
    for (unsigned i = 0; i < PEERS; i++)
        assert_memory_equal(&peers[i].params, &peers[i].own_params, sizeof peers[i].params);
}

static void an_order_that_divides_a_peer_does_not_fit(void **state) {
    (void)state;
    add("10.0.0.0/8", EDGE_ALB, 0);
    add("10.78.0.0/16", EDGE_ECMP, 0); /* and not 10.77.2.0/24 */
    assert_false(fits("prefixes[1].address: divides what is behind peer 192.0.2.2"));
    order.count = 0;
    add("10.79.4.0/24", EDGE_ECMP, 0); /* a part of 10.79.0.0/16 */
    assert_false(fits("prefixes[0].address: divides what is behind peer 192.0.2.3"));
    order.count = 0;
    add("10.79.3.1/32", EDGE_ECMP, 0);
    assert_false(fits("prefixes[0].address: divides what is behind peer 192.0.2.4"));
    order.count = 0;
    add("10.99.0.0/16", EDGE_ECMP, 0); /* nobody's */
    assert_true(fits(""));
}

/* Orders are of IPv4 prefixes: what IPv6 is behind a peer goes the same way. */
static void prefixes_of_the_other_family_do_not_count(void **state) {
    (void)state;
    static const char *const both[] = {"2001:db8::/64", "10.77.2.0/24", NULL};
    static const char *const ipv6[] = {"::/0", NULL};
    set_prefixes(&peers[0], both);
    set_prefixes(&peers[1], ipv6);
    add("10.77.0.0/16", EDGE_ALB, 0);
    add("0.0.0.0/0", EDGE_PRESTO, 0);
    assert_true(fits(""));
    order_apply(&order, &config);
    assert_int_equal(peers[0].params.scheme, EDGE_ALB);
    assert_int_equal(peers[1].params.scheme, EDGE_CLOVE_ECN);
    assert_int_equal(peers[2].params.scheme, EDGE_PRESTO);
}

/* The peer that an address is behind, by the longest prefix. */
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

/* In an order that fits each address gets what its own longest ordered prefix says. */
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
                .scheme = EDGE_ECMP,
                .gap_ns = 1 + i};
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
            assert_int_equal(peer->params.gap_ns, longest ? longest->gap_ns : 250000);
    }
    assert_true(fitting > ROUNDS / 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_longest_prefix_counts, set_up),
        cmocka_unit_test_setup(an_order_that_divides_a_peer_does_not_fit, set_up),
        cmocka_unit_test_setup(prefixes_of_the_other_family_do_not_count, set_up),
        cmocka_unit_test_setup(every_address_gets_what_was_ordered_of_it, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
