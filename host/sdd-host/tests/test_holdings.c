/* The use of users' quotas. */
#include <string.h>

#include "application_holdings.h"
#include "testing.h"

enum { FIRST = 4, ALICE = 1000, BOB = 1001 };

static int up(void **state) {
    static struct holdings holdings;
    static const struct host_config config = {.limits = {.max_queues = 8,
                                                         .max_mappings = 40,
                                                         .max_conditions = 4,
                                                         .max_slots = 4,
                                                         .max_triggers = 4},
                                              .applications = {.queues = 4}};
    assert_true(holdings_init(&holdings, &config));
    for (uint32_t i = 0; i < 3; i++)
        holdings.queues[i] =
            (struct held_queue){.used = true,
                                .user = i < 2 ? ALICE : BOB,
                                .owner = (const struct application *)&holdings.queues[i],
                                .config = {.max_packets = 100}};
    *state = &holdings;
    return 0;
}

static int down(void **state) {
    holdings_free(*state);
    return 0;
}

static struct sdd_program program(const char *text) {
    struct sdd_program made;
    struct sdd_parse_error error;
    assert_true(sdd_program_parse(text, strlen(text), &made, &error));
    return made;
}

static void queues_are_their_owners(void **state) {
    const struct holdings *holdings = *state;
    const struct application *owner = holdings->queues[1].owner;
    assert_ptr_equal(holdings_queue(holdings, FIRST + 1, owner), &holdings->queues[1]);
    assert_null(holdings_queue(holdings, FIRST, owner));
    assert_null(holdings_queue(holdings, FIRST + 3, NULL)); /* not open */
    assert_null(holdings_queue(holdings, 0, owner));
    assert_null(holdings_queue(holdings, 8, owner));
    assert_int_equal(holdings_queues(holdings, ALICE), 2);
    assert_int_equal(holdings_packets(holdings, ALICE), 200);
    assert_int_equal(holdings_queues(holdings, BOB), 1);
}

static void conditions_count_by_their_slots_until_they_are_over(void **state) {
    struct holdings *holdings = *state;
    static const struct {
        const char *text;
        uint32_t weight;
        int64_t end_ns;
    } cases[] = {
        {"TRUE", 0, BASE_FOREVER},
        {"packets > 5", 1, BASE_FOREVER},
        {"Q[5].packets > 5", 1, BASE_FOREVER},
        {"currTime > 5", 1, BASE_FOREVER},
        {"currTime < 50", 1, 50},
        {"currTime < 50 OR currTime > 70 AND currTime < 90", 2, 90},
        {"currTime < 5 AND currTime > 6", 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t end_ns;
        const struct sdd_program made = program(cases[i].text);
        assert_int_equal(condition_weight(&made, &end_ns), cases[i].weight);
        assert_int_equal(end_ns, cases[i].end_ns);
        assert_true(holdings_add_condition(holdings, FIRST, &made, cases[i].weight, end_ns));
    }
    assert_int_equal(holdings_conditions(holdings, ALICE), 7);
    assert_int_equal(holdings_conditions(holdings, BOB), 0);
    holdings_advance(holdings, 50);
    assert_int_equal(holdings_conditions(holdings, ALICE), 5);
    const struct sdd_program two = program(cases[5].text);
    holdings_drop_condition(holdings, FIRST + 1, &two); /* of another queue */
    assert_int_equal(holdings_conditions(holdings, ALICE), 5);
    holdings_drop_condition(holdings, FIRST, &two);
    assert_int_equal(holdings_conditions(holdings, ALICE), 3);
    holdings_drop_conditions(holdings, FIRST);
    assert_int_equal(holdings_conditions(holdings, ALICE), 0);
}

static void different_shapes_of_matches_are_limited(void **state) {
    struct holdings *holdings = *state;
    struct sdd_match match = sdd_match_all();
    for (int i = 0; i < MAX_APPLICATION_SHAPES; i++) {
        match.destination_prefix_bits = (uint8_t)i;
        assert_false(holdings_lack_shapes(holdings, &match));
        struct held_mapping *mapping = holdings_add_mapping(holdings);
        *mapping = (struct held_mapping){.match = match, .queue = FIRST + 2};
    }
    assert_false(holdings_lack_shapes(holdings, &match)); /* of an existing shape */
    assert_ptr_equal(holdings_mapping(holdings, &match),
                     &holdings->mappings[MAX_APPLICATION_SHAPES - 1]);
    match.destination_prefix_bits = 100;
    assert_true(holdings_lack_shapes(holdings, &match));
    assert_null(holdings_mapping(holdings, &match));
    assert_int_equal(holdings_mappings(holdings, BOB), MAX_APPLICATION_SHAPES);
    holdings_drop_mapping(holdings, &holdings->mappings[0]);
    assert_false(holdings_lack_shapes(holdings, &match));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(queues_are_their_owners, up, down),
        cmocka_unit_test_setup_teardown(conditions_count_by_their_slots_until_they_are_over, up,
                                        down),
        cmocka_unit_test_setup_teardown(different_shapes_of_matches_are_limited, up, down),
    };
    return cmocka_run_group_tests_name("holdings", tests, NULL, NULL);
}
