/* The controller's weights of paths. */
#include <arpa/inet.h>
#include <stdlib.h>

#include "testing.h"
#include "weights.h"

static struct weights weights;

static int forget(void **state) {
    (void)state;
    free(weights.prefixes);
    weights = (struct weights){0};
    return 0;
}

static struct edge_address hop(uint32_t number) {
    return address_ipv4(htonl(0x64400000u + number));
}

static struct weighted_prefix to(uint32_t address, uint8_t bits, unsigned hops, uint32_t share) {
    struct weighted_prefix prefix = {.prefix = {address_ipv4(htonl(address)), bits}, .count = hops};
    for (unsigned i = 0; i < hops; i++)
        prefix.hops[i] = (struct weighted_hop){hop(i), share + i};
    return prefix;
}

/* Returns the weights of a peer by its IPv4 address. */
static const struct weighted_prefix *of_peer(uint32_t address) {
    const struct edge_address peer = address_ipv4(address);
    return weights_of(&weights, &peer);
}

static void the_longest_prefix_counts_and_the_newest_weights(void **state) {
    (void)state;
    const struct weighted_prefix wide = to(0x0a000000, 8, 1, 10),
                                 narrow = to(0x0a010000, 16, 1, 20),
                                 newer = to(0x0a010000, 16, 2, 30), gone = to(0x0a010000, 16, 0, 0);
    const uint32_t peer = htonl(0x0a010203);
    assert_null(of_peer(peer));
    assert_true(weights_put(&weights, &wide));
    assert_true(weights_put(&weights, &narrow));
    assert_int_equal(of_peer(peer)->hops[0].share, 20);
    assert_int_equal(of_peer(htonl(0x0a020203))->hops[0].share, 10);
    assert_null(of_peer(htonl(0x0b000001)));
    assert_true(weights_put(&weights, &newer));
    assert_int_equal(weights.count, 2);
    assert_int_equal(of_peer(peer)->count, 2);
    assert_true(weights_put(&weights, &gone));
    assert_true(weights_put(&weights, &gone));
    assert_int_equal(weights.count, 1);
    assert_int_equal(of_peer(peer)->hops[0].share, 10);
}

static void there_are_not_too_many(void **state) {
    (void)state;
    for (uint32_t i = 0; i < MAX_WEIGHTED_PREFIXES; i++) {
        const struct weighted_prefix one = to(0x0a000000 + (i << 8), 24, 1, 1);
        assert_true(weights_put(&weights, &one));
    }
    const struct weighted_prefix more = to(0x0b000000, 24, 1, 1), known = to(0x0a000000, 24, 2, 7);
    assert_false(weights_put(&weights, &more));
    assert_true(weights_put(&weights, &known));
    assert_int_equal(weights.count, MAX_WEIGHTED_PREFIXES);
}

static void a_path_weighs_what_its_hops_get_together(void **state) {
    (void)state;
    struct weighted_prefix of = {.count = 3,
                                 .hops = {{hop(1), WEIGHTS_ONE / 4},
                                          {hop(2), WEIGHTS_ONE / 4 * 3},
                                          {hop(3), WEIGHTS_ONE / 2}}};
    const struct edge_route first = {.hops = {hop(9), hop(1), hop(8)}, .length = 3},
                            second = {.hops = {hop(9), hop(2), hop(3)}, .length = 3},
                            dark = {.hops = {[0] = hop(9), [2] = hop(3)}, .length = 3};
    const struct edge_route *routes[2] = {&first, &second};
    struct edge_found found[2] = {{0}};
    weights_fill(&of, routes, found, 2);
    assert_int_equal(found[0].weight, (1u << 30) / 4);
    assert_int_equal(found[1].weight, (1u << 30) / 8 * 3);
    of.hops[0].share = of.hops[1].share = of.hops[2].share = 1;
    weights_fill(&of, routes, found, 2);
    assert_int_equal(found[1].weight, 1); /* not 0 */
    /* An unknown hop, a path without a route, no weights. */
    routes[1] = &dark;
    weights_fill(&of, routes, found, 2);
    assert_int_equal(found[0].weight, 1);
    routes[1] = NULL;
    found[0].weight = 7;
    weights_fill(&of, routes, found, 2);
    assert_int_equal(found[0].weight, 1);
    weights_fill(NULL, routes, found, 2);
    assert_int_equal(found[1].weight, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_longest_prefix_counts_and_the_newest_weights, forget),
        cmocka_unit_test_teardown(there_are_not_too_many, forget),
        cmocka_unit_test(a_path_weighs_what_its_hops_get_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
