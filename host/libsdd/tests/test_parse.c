/* The grammar of section 5.3.4: accepted texts, their programs, and errors with their position. */
#include <string.h>

#include "support.h"

static void assert_reads_as(const char *text, const char *canonical, enum sdd_program_class class) {
    char printed[1024];
    struct sdd_program program = condition("%s", text);
    assert_true(sdd_program_check(&program, SDD_MAX_QUEUES, NULL));
    size_t length = sdd_program_print(&program, printed, sizeof printed);
    assert_int_equal(length, strlen(printed));
    assert_string_equal(printed, canonical);
    assert_int_equal(sdd_program_class(&program), class);
}

static void reads_the_recipes_of_the_dissertation(void **state) {
    (void)state;
    /* 5.4.1 */
    assert_reads_as("TRUE", "TRUE", SDD_CONSTANT);
    assert_reads_as("FALSE", "FALSE", SDD_CONSTANT);
    /* 5.4.2, cond1 && cond2 */
    assert_reads_as("currTime() > 1000 && currTime() < 2000", "currTime > 1000 AND currTime < 2000",
                    SDD_SCHEDULE);
    /* 5.4.3, newcond, with the queue named */
    assert_reads_as("currTime() - Q[7].stats.lastXmit > 12000",
                    "Q[7].lastXmitTime - currTime < -12000", SDD_EVALUATED);
    assert_reads_as("currTime - lastXmitTime > 12us", "lastXmitTime - currTime < -12000",
                    SDD_PACED);
}

static void brings_comparisons_into_one_form(void **state) {
    (void)state;
    static const char *const same[] = {"bytes - 2*packets > 5", "bytes > 5 + packets*2",
                                       "5 < bytes - packets - packets", "-5 > 2*packets - bytes",
                                       "(bytes) - (2)*(packets) > (1+4)"};
    for (unsigned i = 0; i < sizeof same / sizeof *same; i++)
        assert_reads_as(same[i], "2*packets - bytes < -5", SDD_PACED);
    assert_reads_as("packets - packets < 1", "TRUE", SDD_CONSTANT);
    assert_reads_as("1 != 1", "FALSE", SDD_CONSTANT);
    assert_reads_as("flows == 3", "flows = 3", SDD_PACED);
}

static void and_binds_more_tightly_than_or(void **state) {
    (void)state;
    struct sdd_program bare = condition("packets=1 OR packets=2 AND packets=3");
    struct sdd_program nested = condition("packets=1 OR (packets=2 AND packets=3)");
    assert_true(sdd_program_equal(&bare, &nested));
    assert_reads_as("packets=1 OR (packets=2 AND packets=3)",
                    "packets = 1 OR packets = 2 AND packets = 3", SDD_PACED);
    assert_reads_as("(packets=1 || packets=2) && packets=3",
                    "(packets = 1 OR packets = 2) AND packets = 3", SDD_PACED);
    assert_reads_as("packets=1 AND (packets=2 AND packets=3)",
                    "packets = 1 AND (packets = 2 AND packets = 3)", SDD_PACED);
}

static void numbers_take_units_of_time(void **state) {
    (void)state;
    assert_reads_as("currTime < 1.5us", "currTime < 1500", SDD_SCHEDULE);
    assert_reads_as("currTime < 0.000000001s", "currTime < 1", SDD_SCHEDULE);
    assert_reads_as("currTime < 3ms", "currTime < 3000000", SDD_SCHEDULE);
    assert_reads_as("currTime <= 9223372036854775807", "currTime <= 9223372036854775807",
                    SDD_SCHEDULE);
}

static void refuses_with_the_position_of_the_fault(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t position;
        const char *message;
    } cases[] = {
        {"", 0, "a number, a variable, TRUE, FALSE or \"(\" must stand here"},
        {"packets", 0, "a comparison, TRUE or FALSE must stand here"},
        {"packets >", 9, "a number, a variable, TRUE, FALSE or \"(\" must stand here"},
        {"packets > 1 AND bytes", 16, "a comparison, TRUE or FALSE must stand here"},
        {"packet > 1", 0, "no variable has this name"},
        {"packets > 1 2", 12, "an operator or the end must stand here"},
        {"(packets > 1", 12, "\")\" or an operator must stand here"},
        {"packets > 1)", 11, "an operator or the end must stand here"},
        {"1 < packets < 3", 0, "a sum must stand here"},
        {"(packets > 1) + 1 > 2", 0, "a sum must stand here"},
        {"packets * bytes > 2", 8, "one side of \"*\" must be a number"},
        {"packets > 1.5", 10, "a number is whole, or with a unit a whole number of nanoseconds"},
        {"currTime > 1.5ns", 11, "a number is whole, or with a unit a whole number of nanoseconds"},
        {"currTime > 1.us", 11, "a digit must follow the decimal point"},
        {"currTime > 5min", 11, "the unit of a number is ns, us, ms or s"},
        {"packets > 9223372036854775808", 10, "the number is larger than 9223372036854775807"},
        {"currTime > 9223372036854775807s", 11, "the number is larger than 9223372036854775807"},
        {"packets > 9223372036854775807 + 1", 30, "a number in this sum does not fit 64 bits"},
        {"2147483648 * packets > 1", 21, "a coefficient is larger than 2147483647"},
        {"packets > -9223372036854775807 - 1", 8, "a number in this sum does not fit 64 bits"},
        {"Q[1] > 2", 5, "\".\" must follow \"]\""},
        {"Q[65535].packets > 2", 2, "a queue's number, 0 to 65534, must stand here"},
        {"Q[1].currTime > 2", 5, "currTime belongs to no queue"},
        {"Q.packets > 2", 1, "\"[\" must follow \"Q\""},
        {"currTime( > 2", 10, "\")\" must follow \"currTime(\""},
        {"packets > #", 10, "no token of a condition begins with this character"},
        {"packets > 1 & bytes > 2", 12, "no token of a condition begins with this character"},
        {"true", 0, "no variable has this name"},
        {"packets+bytes+flows+lastXmitTime+lastRecvTime+sentPackets+sentBytes+receivedPackets+"
         "receivedBytes > 0",
         83, "a comparison has at most 8 variables"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sdd_program program = {.length = 77};
        struct sdd_parse_error error;
        if (sdd_program_parse(cases[i].text, strlen(cases[i].text), &program, &error))
            fail_msg("\"%s\" was taken", cases[i].text);
        assert_string_equal(error.message, cases[i].message);
        if (error.position != cases[i].position)
            fail_msg("\"%s\": position %zu, not %zu", cases[i].text, error.position,
                     cases[i].position);
        assert_int_equal(program.length, 77);
    }
}

static void refuses_what_would_cost_too_much(void **state) {
    (void)state;
    char text[1024];
    struct sdd_program program;
    struct sdd_parse_error error;
    unsigned length = 0;
    memset(text, '(', SDD_MAX_NESTING + 1);
    assert_false(sdd_program_parse(text, SDD_MAX_NESTING + 1, &program, &error));
    assert_int_equal(error.position, SDD_MAX_NESTING);
    assert_string_equal(error.message, "parentheses nest more than 32 deep");

    for (unsigned i = 0; i < SDD_MAX_LEAVES; i++, length += 8)
        memcpy(text + length, "TRUE OR ", 8);
    memcpy(text + length, "TRUE", 4);
    assert_true(sdd_program_parse(text, length - 4, &program, &error));
    assert_false(sdd_program_parse(text, length + 4, &program, &error));
    assert_int_equal(error.position, length);
    assert_string_equal(error.message, "the condition is too long from here");

    /* fourteen comparisons of 17 bytes and 13 operators fill 251 of 254 bytes */
    length = 0;
    for (unsigned i = 0; i < 15; i++, length += 13)
        memcpy(text + length, "packets > 1||", 13);
    assert_true(sdd_program_parse(text, 14 * 13 - 2, &program, &error));
    assert_int_equal(program.length, 251);
    assert_false(sdd_program_parse(text, 15 * 13 - 2, &program, &error));
    assert_int_equal(error.position, 14 * 13 + 8);
}

static void a_zero_byte_is_no_end(void **state) {
    (void)state;
    struct sdd_program program;
    struct sdd_parse_error error;
    assert_false(sdd_program_parse("TRUE\0", 5, &program, &error));
    assert_int_equal(error.position, 4);
    assert_true(sdd_program_parse("TRUE#", 4, &program, &error));
}

static void prints_into_too_little_room_without_overrun(void **state) {
    (void)state;
    struct sdd_program program = condition("packets > 12");
    char text[8] = "#######";
    assert_int_equal(sdd_program_print(&program, text, 5), 12);
    assert_string_equal(text, "pack");
    assert_int_equal(text[5], '#');
    assert_int_equal(sdd_program_print(&program, NULL, 0), 12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_recipes_of_the_dissertation),
        cmocka_unit_test(brings_comparisons_into_one_form),
        cmocka_unit_test(and_binds_more_tightly_than_or),
        cmocka_unit_test(numbers_take_units_of_time),
        cmocka_unit_test(refuses_with_the_position_of_the_fault),
        cmocka_unit_test(refuses_what_would_cost_too_much),
        cmocka_unit_test(a_zero_byte_is_no_end),
        cmocka_unit_test(prints_into_too_little_room_without_overrun),
    };
    return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
