/* Writes and reads the content of hidden packets. */
#include <arpa/inet.h>
#include <string.h>

#include "fuzz_hidden.h"
#include "hidden_form.h"
#include "random.h"
#include "testing.h"

enum { FUZZ_RUNS = 100000 };

static const struct edge_hidden told = {.source = 0x0101000a,
                                        .destination = 0x0102000a,
                                        .source_port = 0x1111,
                                        .destination_port = 0x2222,
                                        .ecn = 2,
                                        .scheme = EDGE_ALB,
                                        .option = {.flags = EDGE_OPTION_FEEDBACK,
                                                   .path = 63,
                                                   .feedback_path = 62,
                                                   .metric = 5 << EDGE_HIDDEN_METRIC_SHIFT,
                                                   .sent_ns = 0x12345678}};

static void an_option_is_laid_out_as_documented(void **state) {
    (void)state;
    static const uint8_t wanted[EDGE_HIDDEN_BYTES] = {
        253,  28,   0xed, 0x9e, 10,   0,    1,    1,    10,   0,    2, 1, 0x11, 0x11,
        0x22, 0x22, 0x11, 0x27, 0x3f, 0x3e, 0x12, 0x34, 0x56, 0x78, 0, 5, 0,    0};
    const struct edge_hidden_option option = edge_hidden_option(&told);
    assert_memory_equal(&option, wanted, sizeof wanted);
}

static void a_header_in_front_is_laid_out_as_documented(void **state) {
    (void)state;
    static const uint8_t wanted[EDGE_HIDDEN_BYTES] = {
        0xc3, 0x50, 0x17, 0xc1, 0x05, 0xb4, 0xed, 0x9e, 0x12, 0x34, 0x56, 0x78, 0x50, 0x18,
        0,    5,    0x11, 0x27, 0x3f, 0x3e, 10,   0,    1,    1,    10,   0,    2,    1};
    const struct edge_hidden_front front = edge_hidden_front(&told, 50000, 6081, 1460);
    assert_memory_equal(&front, wanted, sizeof wanted);
}

/* In steps of 1024 ns; larger values become the maximum. */
static void a_metric_is_rounded_down_and_bounded(void **state) {
    (void)state;
    assert_int_equal(ntohs(edge_hidden_metric(0)), 0);
    assert_int_equal(ntohs(edge_hidden_metric(1023)), 0);
    assert_int_equal(ntohs(edge_hidden_metric(1024)), 1);
    assert_int_equal(ntohs(edge_hidden_metric(UINT16_MAX << EDGE_HIDDEN_METRIC_SHIFT)), UINT16_MAX);
    assert_int_equal(ntohs(edge_hidden_metric(UINT32_MAX)), UINT16_MAX);
}

static void random_bytes_are_read_within_bounds(void **state) {
    (void)state;
    struct random random = {seed()};
    uint8_t data[1 + sizeof(struct edge_hidden_packet)];
    for (unsigned i = 0; i < FUZZ_RUNS; i++) {
        for (size_t at = 0; at < sizeof data; at++)
            data[at] = (uint8_t)random_next(&random);
        if (random_one_in(&random, 2)) { /* mostly valid notes */
            data[1 + 36] = data[1 + 56] = (uint8_t)(0x10 | random_between(&random, 0, 15));
            data[1 + 37] = data[1 + 57] = (uint8_t)random_between(&random, 0, 0x38);
            data[1 + 38] = data[1 + 58] = (uint8_t)random_between(&random, 0, 64);
            data[1 + 39] = data[1 + 59] = (uint8_t)random_between(&random, 0, 64);
            data[1 + 66] = data[1 + 67] = 0;
        }
        LLVMFuzzerTestOneInput(data, sizeof data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_option_is_laid_out_as_documented),
        cmocka_unit_test(a_header_in_front_is_laid_out_as_documented),
        cmocka_unit_test(a_metric_is_rounded_down_and_bounded),
        cmocka_unit_test(random_bytes_are_read_within_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
