/* Compares byte code's check, value and windows in time with simple models. */
#include <stdio.h>
#include <string.h>

#include "support.h"

enum { QUEUES = 3, TIMES = 400 };

static struct sdd_environment environment(struct random *random,
                                          struct sdd_queue_stats stats[QUEUES]) {
    for (unsigned i = 0; i < QUEUES; i++) {
        int64_t values[SDD_CURRENT_TIME];
        for (unsigned j = 0; j < SDD_CURRENT_TIME; j++)
            values[j] = random_between(random, 0, 40);
        stats[i] = (struct sdd_queue_stats){0};
        memcpy(&stats[i], values, sizeof values);
    }
    return (struct sdd_environment){
        .own = &stats[0], .all = stats, .stride = sizeof *stats, .count = QUEUES};
}

/*
 * A random condition as text with its value. It is built bottom up, and each part is evaluated in
 * simple arithmetic as it is written.
 */
struct sample {
    char text[2048];
    bool value[TIMES]; /* at each time */
};

static void sample_comparison(struct random *random, const struct sdd_queue_stats *stats,
                              struct sample *sample) {
    static const char *const names[] = {
        "packets",     "bytes",     "flows",           "lastXmitTime",  "lastRecvTime",
        "sentPackets", "sentBytes", "receivedPackets", "receivedBytes", "droppedPackets"};
    static const char *const operators[] = {"<", ">", "<=", ">=", "=", "!="};
    unsigned terms = (unsigned)random_between(random, 1, 3);
    unsigned relation = (unsigned)random_between(random, 0, 5);
    int64_t constant = random_between(random, -200, 400), time_coefficient = 0, rest = 0;
    int length = 0;
    for (unsigned i = 0; i < terms; i++) {
        int64_t coefficient = random_between(random, -4, 4);
        length += sprintf(sample->text + length, "%s%lld*", i > 0 ? " + " : "",
                          (long long)(coefficient < 0 ? -coefficient : coefficient));
        if (coefficient < 0) /* written as 0 - c*v: the grammar has no negative factor */
            length += sprintf(sample->text + length, "(0 - 1)*");
        if (random_one_in(random, 2)) {
            length += sprintf(sample->text + length, "currTime");
            time_coefficient += coefficient;
            continue;
        }
        unsigned queue = (unsigned)random_between(random, 0, QUEUES - 1);
        unsigned variable = (unsigned)random_between(random, 0, SDD_CURRENT_TIME - 1);
        int64_t value;
        memcpy(&value, (const char *)&stats[queue] + variable * sizeof value, sizeof value);
        rest += coefficient * value;
        if (queue > 0)
            length += sprintf(sample->text + length, "Q[%u].", queue);
        length += sprintf(sample->text + length, "%s", names[variable]);
    }
    sprintf(sample->text + length, " %s %s%lld", operators[relation], constant < 0 ? "-" : "",
            (long long)(constant < 0 ? -constant : constant));
    for (int64_t t = 0; t < TIMES; t++) {
        int64_t left = time_coefficient * t + rest;
        const bool values[] = {left<constant, left> constant, left <= constant, left >= constant,
                               left == constant, left != constant};
        sample->value[t] = values[relation];
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): three levels, see parse */
static void sample_condition(struct random *random, const struct sdd_queue_stats *stats,
                             unsigned depth, struct sample *sample) {
    if (depth == 0 || random_one_in(random, 4)) {
        sample_comparison(random, stats, sample);
        return;
    }
    struct sample left, right;
    bool and = random_one_in(random, 2);
    sample_condition(random, stats, depth - 1, &left);
    sample_condition(random, stats, depth - 1, &right);
    sprintf(sample->text, "(%.900s) %s (%.900s)", left.text,
            and? random_one_in(random, 2) ? "AND" : "&&" : "OR", right.text);
    for (unsigned t = 0; t < TIMES; t++)
        sample->value[t] = and? left.value[t] && right.value[t] : left.value[t] || right.value[t];
}

/* Three levels: at most eight comparisons of at most three terms, 255 bytes with the operators. */
static bool parse(const struct sample *sample, struct sdd_program *program) {
    struct sdd_parse_error error;
    if (sdd_program_parse(sample->text, strlen(sample->text), program, &error))
        return true;
    assert_string_equal(error.message, "the condition is too long from here");
    return false;
}

static void has_the_value_that_plain_arithmetic_gives(void **state) {
    (void)state;
    struct random random = {seed()};
    for (unsigned round = 0; round < 3000; round++) {
        struct sdd_queue_stats stats[QUEUES];
        struct sdd_environment env = environment(&random, stats);
        struct sample sample;
        struct sdd_program program;
        sample_condition(&random, stats, 3, &sample);
        if (!parse(&sample, &program))
            continue;
        for (env.now_ns = 0; env.now_ns < TIMES; env.now_ns += 7)
            if (sdd_program_evaluate(&program, &env) != sample.value[env.now_ns])
                fail_msg("%s at %lld", sample.text, (long long)env.now_ns);
    }
}

static void is_true_exactly_within_its_windows(void **state) {
    (void)state;
    struct random random = {seed() + 1};
    for (unsigned round = 0; round < 3000; round++) {
        struct sdd_queue_stats stats[QUEUES];
        struct sdd_environment env = environment(&random, stats);
        struct sdd_window windows[SDD_MAX_WINDOWS];
        struct sample sample;
        struct sdd_program program;
        sample_condition(&random, stats, 3, &sample);
        if (!parse(&sample, &program))
            continue;
        unsigned count = sdd_program_windows(&program, &env, windows), at = 0;
        assert_true(count <= SDD_MAX_WINDOWS);
        for (unsigned i = 0; i < count; i++) {
            assert_true(windows[i].open_ns < windows[i].close_ns);
            assert_true(i == 0 || windows[i - 1].close_ns < windows[i].open_ns);
        }
        for (int64_t t = 0; t < TIMES; t++) {
            while (at < count && windows[at].close_ns <= t)
                at++;
            bool inside = at < count && windows[at].open_ns <= t;
            if (inside != sample.value[t])
                fail_msg("%s at %lld", sample.text, (long long)t);
        }
    }
}

static void prints_text_that_parses_to_the_same_program(void **state) {
    (void)state;
    struct random random = {seed() + 2};
    for (unsigned round = 0; round < 3000; round++) {
        struct sdd_queue_stats stats[QUEUES];
        struct sample sample;
        struct sdd_program program, again;
        char text[4096];
        environment(&random, stats);
        sample_condition(&random, stats, 3, &sample);
        if (!parse(&sample, &program))
            continue;
        assert_true(sdd_program_print(&program, text, sizeof text) < sizeof text);
        again = condition("%s", text);
        if (!sdd_program_equal(&program, &again))
            fail_msg("%s printed as %s", sample.text, text);
    }
}

static void numbers_at_the_ends_of_their_ranges_do_not_overflow(void **state) {
    (void)state;
    struct sdd_queue_stats stats = {.packets = INT64_MAX, .bytes = INT64_MAX};
    struct sdd_environment env = {
        .now_ns = INT64_MAX - 1, .own = &stats, .all = &stats, .stride = sizeof stats, .count = 1};
    struct sdd_window windows[SDD_MAX_WINDOWS];
    struct sdd_program high = condition(
        "2147483647*packets + 2147483647*bytes + 2147483647*currTime"
        " > 9223372036854775807");
    struct sdd_program low =
        condition("packets - 2147483647*bytes - 2147483647*currTime > -9223372036854775807");
    assert_true(sdd_program_evaluate(&high, &env));
    assert_false(sdd_program_evaluate(&low, &env));
    assert_int_equal(sdd_program_windows(&high, &env, windows), 1);
    assert_int_equal(windows[0].open_ns, 0);
    assert_true(windows[0].close_ns == BASE_FOREVER);
    assert_int_equal(sdd_program_windows(&low, &env, windows), 0);
    struct sdd_program last = condition("currTime = 9223372036854775806");
    assert_int_equal(sdd_program_windows(&last, &env, windows), 1);
    assert_true(windows[0].open_ns == BASE_FOREVER - 1);
}

static void queues_that_do_not_exist_read_as_zero(void **state) {
    (void)state;
    struct sdd_queue_stats stats = {.packets = 1};
    struct sdd_environment env = {.own = &stats, .all = &stats, .stride = sizeof stats, .count = 1};
    struct sdd_program program = condition("Q[0].packets = 1 AND Q[9].packets = 0");
    assert_true(sdd_program_evaluate(&program, &env));
}

static void the_check_refuses_broken_code(void **state) {
    (void)state;
    /* packets + 2*Q[1].bytes > 5, as a comparison of two terms */
    const uint8_t good[] = {
        0x11, 2, 5, 0, 0,           0,    0,    0,    0, 0, /* OP, terms, constant */
        2,    0, 0, 0, SDD_BYTES,   1,    0,                /* 2*Q[1].bytes */
        1,    0, 0, 0, SDD_PACKETS, 0xff, 0xff, 0x01, 2};   /* packets; TRUE; AND */
    static const struct {
        const char *what;
        unsigned at;
        uint8_t value;
        size_t fault;
    } faults[] = {
        {"unknown opcode", 24, 4, 24},
        {"opcode of no comparison", 0, 0x16, 0},
        {"no terms", 1, 0, 0},
        {"too many terms", 1, 9, 0},
        {"more terms than bytes", 1, 3, 0},
        {"unknown variable", 14, SDD_VARIABLES, 0},
        {"zero coefficient", 10, 0, 0},
        {"currTime of another queue", 14, SDD_CURRENT_TIME, 0},
        {"queue beyond the limit", 15, 2, 0},
        {"terms out of order", 16, 0xff, 0},
        {"too few operands", 24, 2, 24},
        {"a value left over", 25, 1, 26},
    };
    struct sdd_program program = {.length = sizeof good};
    size_t fault;
    memcpy(program.code, good, sizeof good);
    assert_true(sdd_program_check(&program, 2, &fault));
    for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++) {
        memcpy(program.code, good, sizeof good);
        program.code[faults[i].at] = faults[i].value;
        if (sdd_program_check(&program, 2, &fault))
            fail_msg("%s was taken", faults[i].what);
        if (fault != faults[i].fault)
            fail_msg("%s: fault at %zu", faults[i].what, fault);
    }
    /* numbers that have no negative */
    memcpy(program.code, good, sizeof good);
    memset(program.code + 2, 0, 7);
    program.code[9] = 0x80;
    assert_false(sdd_program_check(&program, 2, NULL));
    memcpy(program.code, good, sizeof good);
    memcpy(program.code + 17, (const uint8_t[]){0, 0, 0, 0x80}, 4);
    assert_false(sdd_program_check(&program, 2, NULL));
    memcpy(program.code, good, sizeof good);
    for (unsigned length = 0; length < sizeof good; length++) {
        program.length = (uint16_t)length;
        assert_int_equal(sdd_program_check(&program, 2, NULL), length == 24);
    }
    program.length = UINT16_MAX;
    assert_false(sdd_program_check(&program, 2, NULL));
}

static void names_the_queues_that_it_reads(void **state) {
    (void)state;
    const char text[] = "bytes > 0 AND (Q[7].bytes + 2 * Q[3].packets < 5 OR currTime > 9)";
    uint32_t queues[SDD_MAX_READ];
    struct sdd_program program;
    struct sdd_parse_error error;
    assert_true(sdd_program_parse(text, strlen(text), &program, &error));
    assert_int_equal(sdd_program_queues(&program, queues), 2);
    assert_int_equal(queues[0] + queues[1], 10);
    assert_true(queues[0] == 3 || queues[0] == 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_value_that_plain_arithmetic_gives),
        cmocka_unit_test(is_true_exactly_within_its_windows),
        cmocka_unit_test(prints_text_that_parses_to_the_same_program),
        cmocka_unit_test(numbers_at_the_ends_of_their_ranges_do_not_overflow),
        cmocka_unit_test(queues_that_do_not_exist_read_as_zero),
        cmocka_unit_test(the_check_refuses_broken_code),
        cmocka_unit_test(names_the_queues_that_it_reads),
    };
    return cmocka_run_group_tests_name("program", tests, NULL, NULL);
}
