/* Compares the ring with a counter at each end, in one thread. */
#include "base/ring.h"
#include "random.h"
#include "testing.h"

static void a_ring_holds_its_capacity_in_order(void **state) {
    (void)state;
    /* Not on the stack: AddressSanitizer's frames are not aligned to a cache line. */
    static struct base_ring ring;
    unsigned next_in = 0, next_out = 0;
    struct random random = {seed() + 5};
    assert_true(base_ring_init(&ring, 5, sizeof next_in));
    assert_int_equal(base_ring_capacity(&ring), 8);
    for (unsigned step = 0; step < 5000; step++) {
        if (random_one_in(&random, 2)) {
            assert_int_equal(base_ring_push(&ring, &next_in), next_in - next_out < 8);
            next_in += next_in - next_out < 8;
            continue;
        }
        const unsigned *front = base_ring_front(&ring);
        assert_int_equal(front != NULL, next_in != next_out);
        if (front) {
            assert_int_equal(*front, next_out++);
            base_ring_drop(&ring);
        }
    }
    base_ring_free(&ring);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_holds_its_capacity_in_order),
    };
    return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
