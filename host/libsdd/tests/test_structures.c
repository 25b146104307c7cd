/* The internal data structures, each against a simple reference. */
#include <stdlib.h>
#include <string.h>

#include "matcher.h"
#include "ready.h"
#include "slots.h"
#include "support.h"

static void the_ready_set_finds_the_next_member(void **state) {
    (void)state;
    struct random random = {seed() + 1};
    static const uint32_t sizes[] = {1, 2, 63, 64, 65, 4095, 4096, 4097, 10000, SDD_MAX_QUEUES};
    static bool members[2][SDD_MAX_QUEUES];
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct sdd_ready ready;
        assert_true(sdd_ready_init(&ready, sizes[s]));
        memset(members, 0, sizeof members);
        for (unsigned step = 0; step < 3000; step++) {
            unsigned priority = (unsigned)random_between(&random, 0, 1);
            uint32_t member = (uint32_t)random_between(&random, 0, sizes[s] - 1);
            bool add = random_one_in(&random, 2);
            (add ? sdd_ready_add : sdd_ready_remove)(&ready, priority ? 63 : 0, member);
            members[priority][member] = add;
            uint32_t from = (uint32_t)random_between(&random, 0, sizes[s]), expected = from;
            while (expected < sizes[s] && !members[priority][expected])
                expected++;
            assert_int_equal(sdd_ready_next(&ready, priority ? 63 : 0, from),
                             expected < sizes[s] ? expected : SDD_READY_NONE);
        }
        for (unsigned p = 0; p < 2; p++) {
            bool any = memchr(members[p], true, sizes[s]) != NULL;
            assert_int_equal(ready.priorities >> (p ? 63 : 0) & 1, any);
        }
        sdd_ready_free(&ready);
    }
}

/* Removes slots that are over from the schedule and the model; returns the number left in the
 * model. */
static unsigned end_slots(struct sdd_slot_pool *pool, struct sdd_schedule *schedule,
                          struct sdd_window *model, unsigned count, int64_t now) {
    for (unsigned i = 0; i < count; i++)
        while (i < count && model[i].close_ns <= now) {
            /* over, but possibly still behind a longer one: remove it explicitly */
            uint32_t slot = sdd_schedule_find(pool, schedule, model[i]);
            if (slot != SDD_NO_SLOT && slot != schedule->first)
                sdd_schedule_remove(pool, schedule, slot);
            else
                assert_true(sdd_schedule_expire(pool, schedule, now) || slot == SDD_NO_SLOT);
            model[i] = model[--count];
        }
    return count;
}

static void a_schedule_keeps_its_slots_in_order(void **state) {
    (void)state;
    struct random random = {seed() + 2};
    enum { SLOTS = 30 };
    struct sdd_slot_pool pool;
    struct sdd_schedule schedule;
    struct sdd_window model[SLOTS];
    unsigned count = 0;
    int64_t now = 0;
    assert_true(sdd_slots_init(&pool, SLOTS));
    sdd_schedule_init(&schedule);
    for (unsigned step = 0; step < 20000; step++) {
        if (count < SLOTS && random_one_in(&random, 2)) {
            int64_t open = now + random_between(&random, -5, 60);
            struct sdd_window window = {open, open + random_between(&random, 6, 30)};
            sdd_schedule_add(&pool, &schedule, window, 0);
            model[count++] = window;
        } else if (count > 0 && random_one_in(&random, 2)) {
            unsigned victim = (unsigned)random_between(&random, 0, count - 1);
            uint32_t slot = sdd_schedule_find(&pool, &schedule, model[victim]);
            assert_int_not_equal(slot, SDD_NO_SLOT);
            sdd_schedule_remove(&pool, &schedule, slot);
            model[victim] = model[--count];
        } else {
            now += random_between(&random, 0, 9);
            count = end_slots(&pool, &schedule, model, count, now);
        }
        struct sdd_window window;
        bool expected = false;
        int64_t from = now + random_between(&random, 0, 50), open = BASE_FOREVER;
        for (unsigned i = 0; i < count; i++)
            if (model[i].close_ns > from) {
                expected = true;
                open = model[i].open_ns < open ? model[i].open_ns : open;
            }
        assert_int_equal(sdd_schedule_window(&pool, &schedule, from, &window), expected);
        if (expected) {
            assert_int_equal(window.open_ns, open);
            assert_true(window.close_ns > from);
        }
    }
    sdd_slots_free(&pool);
}

static struct base_flow_key small_key(struct random *random) {
    struct base_flow_key key = {.protocol = random_one_in(random, 2) ? 6 : 17};
    key.source = base_ipv4((uint32_t)random_between(random, 0, 3) << 30);
    key.destination = base_ipv4((uint32_t)random_between(random, 0, 3) << 30);
    key.source_port = (uint16_t)random_between(random, 1, 2);
    key.destination_port = (uint16_t)random_between(random, 1, 2);
    return key;
}

static struct sdd_match small_match(struct random *random) {
    static const uint8_t lengths[] = {0, 97, 98, 128};
    struct base_flow_key key = small_key(random);
    struct sdd_match match = sdd_match_flow(&key);
    match.source_prefix_bits = lengths[random_between(random, 0, 3)];
    match.destination_prefix_bits = lengths[random_between(random, 0, 3)];
    match.wildcards = (uint8_t)random_between(random, 0, 7);
    return match;
}

static const struct sdd_mapping *most_specific(const struct sdd_mapping *const *mapped,
                                               unsigned count, const struct base_flow_key *key) {
    const struct sdd_mapping *best = NULL;
    for (unsigned i = 0; i < count; i++) {
        if (!sdd_match_covers(&mapped[i]->match, key))
            continue;
        if (best) /* two mappings that match one flow never have equal precedence */
            assert_int_not_equal(sdd_match_precedence(&mapped[i]->match, &best->match), 0);
        if (!best || sdd_match_precedence(&mapped[i]->match, &best->match) > 0)
            best = mapped[i];
    }
    return best;
}

static void classifying_finds_the_most_specific_mapping(void **state) {
    (void)state;
    struct random random = {seed() + 3};
    enum { MAPPINGS = 24 };
    for (unsigned round = 0; round < 100; round++) {
        struct sdd_matcher matcher;
        const struct sdd_mapping *mapped[MAPPINGS] = {NULL};
        unsigned count = 0;
        assert_true(sdd_matcher_init(&matcher, MAPPINGS, round));
        for (unsigned step = 0; step < 200; step++) {
            struct sdd_match match = small_match(&random);
            struct sdd_mapping *mapping = sdd_matcher_find(&matcher, &match);
            if (mapping && random_one_in(&random, 2)) {
                unsigned at = 0;
                while (at < count && mapped[at] != mapping)
                    at++;
                assert_true(at < count);
                mapped[at] = mapped[--count];
                sdd_matcher_remove(&matcher, mapping);
            } else if (!mapping && (mapping = sdd_matcher_add(&matcher, &match)) != NULL) {
                mapped[count++] = mapping;
            }
            struct base_flow_key key = small_key(&random);
            assert_ptr_equal(sdd_matcher_classify(&matcher, &key),
                             most_specific(mapped, count, &key));
        }
        assert_true(count > 0);
        sdd_matcher_free(&matcher);
    }
}

static void prefixes_that_end_within_a_byte_match_bit_by_bit(void **state) {
    (void)state;
    struct sdd_match match = sdd_match_to_ipv4(0x0a000080, 25);
    struct base_flow_key inside = {.destination = base_ipv4(0x0a0000ff)};
    struct base_flow_key outside = {.destination = base_ipv4(0x0a00007f)};
    assert_true(sdd_match_covers(&match, &inside));
    assert_false(sdd_match_covers(&match, &outside));
}

static void overlap_and_inclusion_agree_with_all_flows(void **state) {
    (void)state;
    struct random random = {seed() + 4};
    for (unsigned round = 0; round < 400; round++) {
        struct sdd_match a = small_match(&random), b = small_match(&random);
        bool common = false, includes = true;
        for (unsigned i = 0; i < 4 * 4 * 2 * 2 * 2; i++) {
            struct base_flow_key key = {.source = base_ipv4((i & 3) << 30),
                                        .destination = base_ipv4((i >> 2 & 3) << 30),
                                        .source_port = (uint16_t)(1 + (i >> 4 & 1)),
                                        .destination_port = (uint16_t)(1 + (i >> 5 & 1)),
                                        .protocol = i >> 6 & 1 ? 6 : 17};
            common |= sdd_match_covers(&a, &key) && sdd_match_covers(&b, &key);
            includes &= sdd_match_covers(&a, &key) || !sdd_match_covers(&b, &key);
        }
        assert_int_equal(sdd_match_overlaps(&a, &b), common);
        /* these few flows cannot distinguish a longer prefix from a shorter one that they all
         * share */
        if (sdd_match_includes(&a, &b))
            assert_true(includes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ready_set_finds_the_next_member),
        cmocka_unit_test(a_schedule_keeps_its_slots_in_order),
        cmocka_unit_test(classifying_finds_the_most_specific_mapping),
        cmocka_unit_test(prefixes_that_end_within_a_byte_match_bit_by_bit),
        cmocka_unit_test(overlap_and_inclusion_agree_with_all_flows),
    };
    return cmocka_run_group_tests_name("structures", tests, NULL, NULL);
}
