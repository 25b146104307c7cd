/* A bounded run of the fuzzer without libFuzzer: damaged conditions and damaged byte code. */
#include <stdio.h>
#include <string.h>

#include "../fuzz/fuzz_program.h"
#include "support.h"

enum { INPUTS = 150000, MAX_INPUT = 600 };

static const char *const texts[] = {
    "TRUE",
    "currTime >= 1000 AND currTime < 2000 OR currTime = 5us",
    "currTime() - Q[7].stats.lastXmit > 12000",
    "2*packets - (bytes + 3) * 2 <= -5 && (flows != 0 || sentBytes > 1.5ms)",
    "((TRUE OR FALSE) AND (receivedPackets = 9223372036854775807))",
    "3*currTime - 2*lastRecvTime < 2147483647*Q[1].droppedPackets",
};

static size_t sample(struct random *random, uint8_t *input) {
    const char *text = texts[random_between(random, 0, sizeof texts / sizeof *texts - 1)];
    size_t size = strlen(text);
    memcpy(input, text, size);
    if (random_one_in(random, 2)) {
        struct sdd_program program = condition("%s", text);
        size = program.length;
        memcpy(input, program.code, size);
    }
    return size;
}

static size_t damage(struct random *random, uint8_t *input, size_t size) {
    static const char splinters[] = "()+-*<>=!&|.[]0129 TQ";
    size_t at = size > 0 ? (size_t)random_between(random, 0, (int64_t)size - 1) : 0;
    uint8_t other[MAX_INPUT];
    switch (random_between(random, 0, 4)) {
    case 0:
        input[at] = (uint8_t)random_next(random);
        return size > 0 ? size : 1;
    case 1:
        input[at] = (uint8_t)splinters[random_between(random, 0, sizeof splinters - 2)];
        return size > 0 ? size : 1;
    case 2:
        return at;
    case 3: { /* the beginning of one and all of another */
        size_t length = sample(random, other);
        if (at + length > MAX_INPUT)
            return size;
        memcpy(input + at, other, length);
        return at + length;
    }
    default: /* removes one byte */
        if (size == 0)
            return 0;
        memmove(input + at, input + at + 1, size - at - 1);
        return size - 1;
    }
}

static void no_input_breaks_a_promise(void **state) {
    (void)state;
    struct random random = {seed()};
    uint8_t input[MAX_INPUT];
    for (unsigned i = 0; i < INPUTS; i++) {
        size_t size = sample(&random, input);
        for (int64_t damages = random_between(&random, 0, 4); damages > 0; damages--)
            size = damage(&random, input, size);
        LLVMFuzzerTestOneInput(input, size);
    }
    fprintf(stderr, "%u conditions, %u codes of %u inputs were good\n", fuzz_conditions, fuzz_codes,
            INPUTS);
    assert_true(fuzz_conditions > INPUTS / 20);
    assert_true(fuzz_codes > INPUTS / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_input_breaks_a_promise),
    };
    return cmocka_run_group_tests_name("fuzz", tests, NULL, NULL);
}
