/* The choice of the followed controller among several. */
#include "followed.h"
#include "testing.h"

/* A controller ends its sessions before it is downgraded. */
static void a_controller_without_generations_is_followed_if_nobody_is(void **state) {
    (void)state;
    struct followed followed;
    const int one = 1, other = 2;
    followed_init(&followed);
    assert_true(followed_begin(&followed, &one, 0));
    assert_true(followed_begin(&followed, &other, 5));
    assert_false(followed_begin(&followed, &one, 0));
    followed_end(&followed, &one);
    assert_true(followed_is(&followed, &other));
    followed_end(&followed, &other);
    assert_true(followed_begin(&followed, &one, 0));
    followed_free(&followed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_controller_without_generations_is_followed_if_nobody_is),
    };
    return cmocka_run_group_tests_name("followed", tests, NULL, NULL);
}
