/* The option on the wire: its bytes follow the drawing in the header, and invalid input is
 * rejected. */
#include <string.h>

#include "../fuzz/fuzz_option.h"
#include "edge/option.h"
#include "random.h"
#include "testing.h"

static void the_bytes_are_those_of_the_drawing(void **state) {
    (void)state;
    struct edge_option option = {.flags = EDGE_OPTION_FEEDBACK | EDGE_OPTION_MARKED,
                                 .instruction = 5,
                                 .path = 7,
                                 .feedback_path = 33,
                                 .metric = 0x01020304,
                                 .sent_ns = 0xa0b0c0d0,
                                 .packet = 0x1122,
                                 .flowlet = 0x3344};
    uint8_t bytes[EDGE_OPTION_BYTES];
    edge_option_write(bytes, &option);
    static const uint8_t expected[EDGE_OPTION_BYTES] = {
        0x13, 5, 7, 33, 0x11, 0x22, 0x33, 0x44, 0xa0, 0xb0, 0xc0, 0xd0, 1, 2, 3, 4};
    assert_memory_equal(bytes, expected, sizeof bytes);
    option.echo = 34;
    edge_option_write(bytes, &option);
    assert_int_equal(bytes[1], 5);
    option.instruction = 0;
    edge_option_write(bytes, &option);
    assert_int_equal(bytes[1], 0x80 | 33);
}

static void what_is_written_is_read_again(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned round = 0; round < 100000; round++) {
        struct edge_option option = {.flags = (uint32_t)random_between(&random, 0, 15),
                                     .instruction = (uint32_t)random_between(&random, 0, 7),
                                     .path = (uint32_t)random_between(&random, 0, 63),
                                     .feedback_path = (uint32_t)random_between(&random, 0, 63),
                                     .metric = (uint32_t)random_next(&random),
                                     .sent_ns = (uint32_t)random_next(&random),
                                     .packet = (uint16_t)random_next(&random),
                                     .flowlet = (uint16_t)random_next(&random)};
        if (option.instruction == 0)
            option.echo = (uint32_t)random_between(&random, 0, 64);
        uint8_t bytes[EDGE_OPTION_BYTES];
        struct edge_option read;
        edge_option_write(bytes, &option);
        assert_true(edge_option_read(bytes, EDGE_MAX_PATHS, &read));
        assert_memory_equal(&option, &read, sizeof option);
    }
}

static void what_is_not_ours_is_refused(void **state) {
    (void)state;
    struct random random = {seed() + 1};
    for (unsigned round = 0; round < 100000; round++) {
        uint8_t bytes[EDGE_OPTION_BYTES], again[EDGE_OPTION_BYTES];
        for (unsigned i = 0; i < EDGE_OPTION_BYTES; i++)
            bytes[i] = (uint8_t)random_next(&random);
        if (random_one_in(&random, 2))
            bytes[0] = (uint8_t)(EDGE_OPTION_VERSION << 4 | (bytes[0] & 15));
        uint32_t paths = (uint32_t)random_between(&random, 1, EDGE_MAX_PATHS);
        struct edge_option option;
        bool good = bytes[0] >> 4 == 1 && bytes[2] < paths &&
                    (bytes[1] < 8 || (bytes[1] >= 0x80 && bytes[1] < 0x80 + paths)) &&
                    (!(bytes[0] & EDGE_OPTION_FEEDBACK) || bytes[3] < paths);
        assert_int_equal(edge_option_read(bytes, paths, &option), good);
        if (good && bytes[3] < EDGE_MAX_PATHS) {
            edge_option_write(again, &option);
            assert_memory_equal(bytes, again, sizeof bytes);
        }
    }
}

/* Runs the fuzzer's function on random options, so that it is tested without libFuzzer too. */
static void acting_on_random_options_keeps_every_promise(void **state) {
    (void)state;
    struct random random = {seed() + 2};
    uint8_t data[1 + 40 * EDGE_OPTION_BYTES];
    for (unsigned round = 0; round < 300; round++) {
        for (unsigned i = 0; i < sizeof data; i++)
            data[i] = (uint8_t)random_next(&random);
        for (unsigned i = 1; i < sizeof data; i += EDGE_OPTION_BYTES) {
            data[i] = (uint8_t)(EDGE_OPTION_VERSION << 4 | (data[i] & 15));
            data[i + 1] &= 7;
            data[i + 2] &= data[0];
            data[i + 3] &= data[0];
        }
        assert_int_equal(LLVMFuzzerTestOneInput(data, sizeof data), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bytes_are_those_of_the_drawing),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(what_is_not_ours_is_refused),
        cmocka_unit_test(acting_on_random_options_keeps_every_promise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
