/* Compares the chosen routes with a simple model. */
#include <string.h>

#include "addresses.h"
#include "choice.h"
#include "random.h"
#include "testing.h"

enum { CANDIDATES = 12, LENGTH = 4, ROUNDS = 20000 };

static struct candidate candidates[EDGE_MAX_PATHS];
static unsigned chosen[EDGE_MAX_PATHS];

static struct candidate candidate(uint16_t port, const uint32_t *hops, uint32_t length) {
    struct candidate made = {.port = port, .arrives = true, .route.length = length};
    for (uint32_t i = 0; i < length; i++)
        if (hops[i])
            made.route.hops[i] = address_ipv4(hops[i]);
    made.key = route_key(&made.route, port);
    return made;
}

/* Returns a candidate over a spine between two leaves, 1 and 2, to the peer, 9. */
static struct candidate over(uint16_t port, uint32_t spine) {
    return candidate(port, (const uint32_t[]){1, spine, 2, 9}, 4);
}

/* Returns a random route of a fabric with few routers at each distance. hides: some hops do not
 * answer. */
static struct candidate random_candidate(struct random *random, uint16_t port, bool hides) {
    uint32_t hops[LENGTH];
    for (uint32_t i = 0; i + 1 < LENGTH; i++)
        hops[i] =
            hides && random_one_in(random, 6) ? 0 : 10 * i + (uint32_t)random_between(random, 1, 3);
    hops[LENGTH - 1] = 99;
    struct candidate made = candidate(port, hops, LENGTH);
    made.arrives = !random_one_in(random, 8);
    made.in_use = random_one_in(random, 3);
    return made;
}

static bool same_hop(struct edge_address a, struct edge_address b) {
    return a.words[0] == b.words[0] || a.family == 0 || b.family == 0;
}

/* Routes have equal lengths here, so they share links only at the same distance. */
static unsigned slow_shared(const struct edge_route *a, const struct edge_route *b) {
    unsigned shared = same_hop(a->hops[0], b->hops[0]);
    for (unsigned i = 1; i < LENGTH; i++)
        shared += same_hop(a->hops[i - 1], b->hops[i - 1]) && same_hop(a->hops[i], b->hops[i]);
    return shared;
}

static unsigned hidden(const struct edge_route *route) {
    unsigned count = 0;
    for (unsigned i = 0; i < LENGTH; i++)
        count += route->hops[i].family == 0;
    return count;
}

/* Whether the candidate may be added to the first `used` chosen ones. */
static bool is_open(unsigned i, unsigned used) {
    bool open = candidates[i].arrives;
    for (unsigned u = 0; u < used; u++) {
        const struct edge_route *route = &candidates[chosen[u]].route;
        open &= chosen[u] != i;
        open &= hidden(route) || memcmp(route, &candidates[i].route, sizeof *route) != 0;
    }
    return open;
}

/* A cost with the first criterion in the highest digits. */
static uint64_t cost(unsigned i, unsigned used) {
    uint64_t shared = 0;
    for (unsigned u = 0; u < used; u++)
        shared += slow_shared(&candidates[chosen[u]].route, &candidates[i].route);
    return shared << 32 | (uint64_t)hidden(&candidates[i].route) << 16 |
           (uint64_t)!candidates[i].in_use << 8 | i;
}

static void each_choice_is_the_least_of_all(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned count = (unsigned)random_between(&random, 1, CANDIDATES);
        const unsigned wanted = (unsigned)random_between(&random, 1, CANDIDATES);
        const bool hides = random_one_in(&random, 2);
        bool light = false;
        for (unsigned i = 0; i < count; i++) {
            candidates[i] = random_candidate(&random, (uint16_t)(50000 + i), hides);
            light |= candidates[i].arrives && hidden(&candidates[i].route) < LENGTH - 1;
        }
        if (!light)
            continue; /* has its own test */
        const unsigned used = choose_ways(candidates, count, wanted, chosen);
        assert_true(used <= wanted);
        for (unsigned u = 0; u < used; u++) {
            assert_true(is_open(chosen[u], u));
            for (unsigned i = 0; i < count; i++)
                assert_true(!is_open(i, u) || cost(chosen[u], u) <= cost(i, u));
        }
        for (unsigned i = 0; i < count; i++)
            assert_true(used == wanted || !is_open(i, used));
    }
}

/* With spines between two leaves the greedy choice is optimal: one path for each spine. */
static void as_many_spines_are_used_as_there_are(void **state) {
    (void)state;
    struct random random = {seed() + 1};
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned count = (unsigned)random_between(&random, 1, EDGE_MAX_PATHS);
        const unsigned wanted = (unsigned)random_between(&random, 1, 8);
        uint64_t there = 0, used_spines = 0;
        for (unsigned i = 0; i < count; i++) {
            const uint32_t spine = (uint32_t)random_between(&random, 10, 19);
            candidates[i] = over((uint16_t)(50000 + i), spine);
            there |= UINT64_C(1) << spine;
        }
        const unsigned used = choose_ways(candidates, count, wanted, chosen);
        for (unsigned u = 0; u < used; u++)
            used_spines |= UINT64_C(1) << candidates[chosen[u]].route.hops[1].words[0];
        const unsigned spines = (unsigned)__builtin_popcountll(there);
        assert_int_equal(used, spines < wanted ? spines : wanted);
        assert_int_equal(__builtin_popcountll(used_spines), used);
    }
}

static void what_is_in_use_stays_among_equals(void **state) {
    (void)state;
    struct random random = {seed() + 2};
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned count = (unsigned)random_between(&random, 1, CANDIDATES);
        const unsigned wanted = (unsigned)random_between(&random, 1, CANDIDATES);
        const bool hides = random_one_in(&random, 2);
        unsigned again[EDGE_MAX_PATHS];
        for (unsigned i = 0; i < count; i++) {
            candidates[i] = random_candidate(&random, (uint16_t)(50000 + i), hides);
            candidates[i].in_use = false;
        }
        const unsigned used = choose_ways(candidates, count, wanted, chosen);
        for (unsigned u = 0; u < used; u++)
            candidates[chosen[u]].in_use = true;
        assert_int_equal(choose_ways(candidates, count, wanted, again), used);
        assert_memory_equal(again, chosen, used * sizeof *again);
    }
}

static void where_no_router_answers_all_ports_are_used_as_they_are(void **state) {
    (void)state;
    for (uint16_t i = 0; i < 8; i++)
        candidates[i] = candidate(50000 + i, (const uint32_t[]){0, 0, 0, 9}, 4);
    candidates[3].arrives = false;
    assert_int_equal(choose_ways(candidates, 8, 2, chosen), 7);
}

static void a_way_that_is_not_known_is_used_last_and_not_left_out(void **state) {
    (void)state;
    candidates[0] = over(50000, 0);
    candidates[1] = over(50001, 10);
    candidates[2] = over(50002, 10);
    candidates[3] = over(50003, 11);
    assert_int_equal(choose_ways(candidates, 4, 4, chosen), 3);
    assert_int_equal(chosen[0], 1);
    assert_int_equal(chosen[1], 3);
    assert_int_equal(chosen[2], 0);
}

static void nothing_is_chosen_of_what_does_not_arrive(void **state) {
    (void)state;
    candidates[0] = over(50000, 10);
    candidates[0].arrives = false;
    assert_int_equal(choose_ways(candidates, 1, 4, chosen), 0);
}

/* Hosts on the same switch, or directly connected. */
static void a_way_without_a_choice_is_one_path(void **state) {
    (void)state;
    for (uint16_t i = 0; i < 4; i++)
        candidates[i] = candidate(50000 + i, (const uint32_t[]){9}, 1);
    assert_int_equal(choose_ways(candidates, 4, 4, chosen), 1);
}

static void links_are_shared_at_any_distance(void **state) {
    (void)state;
    candidates[0] = candidate(50000, (const uint32_t[]){1, 2, 3, 9}, 4);
    candidates[1] = candidate(50001, (const uint32_t[]){1, 4, 2, 3, 9}, 5);
    assert_int_equal(route_shared(&candidates[0].route, &candidates[1].route), 3);
    assert_int_equal(route_shared(&candidates[1].route, &candidates[0].route), 3);
}

static void a_way_is_completed_by_what_was_known_of_it(void **state) {
    (void)state;
    const struct candidate before = over(50000, 10), other = over(50000, 11);
    struct candidate now = over(50000, 0);
    assert_true(route_agrees(&now.route, &before.route));
    assert_false(route_equals(&now.route, &before.route));
    route_complete(&now.route, &before.route);
    assert_true(route_equals(&now.route, &before.route));
    assert_false(route_agrees(&now.route, &other.route));
    assert_int_equal(route_key(&now.route, 50000), route_key(&before.route, 50001));
    now = over(50000, 0);
    assert_int_not_equal(route_key(&now.route, 50000), route_key(&now.route, 50001));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_choice_is_the_least_of_all),
        cmocka_unit_test(as_many_spines_are_used_as_there_are),
        cmocka_unit_test(what_is_in_use_stays_among_equals),
        cmocka_unit_test(where_no_router_answers_all_ports_are_used_as_they_are),
        cmocka_unit_test(a_way_that_is_not_known_is_used_last_and_not_left_out),
        cmocka_unit_test(nothing_is_chosen_of_what_does_not_arrive),
        cmocka_unit_test(a_way_without_a_choice_is_one_path),
        cmocka_unit_test(links_are_shared_at_any_distance),
        cmocka_unit_test(a_way_is_completed_by_what_was_known_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
