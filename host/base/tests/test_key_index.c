/* Compares the key index with a scan of all records. */
#include <string.h>

#include "base/key_index.h"
#include "random.h"
#include "testing.h"

enum { RECORDS = 50, STEPS = 20000 };

/* Draws from few keys, so that operations often use the same one. */
static struct base_flow_key small_key(struct random *random) {
    return (struct base_flow_key){.source = base_ipv4((uint32_t)random_between(random, 1, 5)),
                                  .destination = base_ipv4((uint32_t)random_between(random, 1, 5)),
                                  .source_port = (uint16_t)random_between(random, 1, 3),
                                  .protocol = random_one_in(random, 2) ? 6 : 17};
}

static uint32_t scan(const struct base_flow_key *records, const bool *used,
                     const struct base_flow_key *key) {
    for (uint32_t i = 0; i < RECORDS; i++)
        if (used[i] && memcmp(&records[i], key, sizeof *key) == 0)
            return i;
    return BASE_NO_RECORD;
}

static void the_index_finds_what_was_added_and_not_removed(void **state) {
    (void)state;
    struct random random = {seed()};
    struct base_flow_key records[RECORDS];
    bool used[RECORDS] = {false};
    struct base_key_index index;
    unsigned found = 0;
    assert_true(base_key_index_init(&index, records, sizeof *records, RECORDS, seed()));
    for (unsigned step = 0; step < STEPS; step++) {
        const struct base_flow_key key = small_key(&random);
        const uint32_t expected = scan(records, used, &key);
        const uint32_t record = (uint32_t)random_between(&random, 0, RECORDS - 1);
        assert_int_equal(base_key_index_find(&index, &key), expected);
        found += expected != BASE_NO_RECORD;
        if (used[record]) {
            base_key_index_remove(&index, record);
            used[record] = false;
        } else if (expected == BASE_NO_RECORD) {
            records[record] = key;
            used[record] = true;
            base_key_index_add(&index, record);
        }
    }
    assert_true(found > STEPS / 100);
    base_key_index_free(&index);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_index_finds_what_was_added_and_not_removed),
    };
    return cmocka_run_group_tests_name("key_index", tests, NULL, NULL);
}
