/* The grammar of section 5.3.4: accepted texts, their programs, and errors with their position. */
#include <stdio.h>
#include <stdlib.h>
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

/* Checks a line of vectors/conditions.txt: "ok", a tab and a valid text; or the position of the
 * error, a tab, the text, a tab and the message. */
static void assert_reads_line(char *line) {
    struct sdd_program program = {.length = 77};
    struct sdd_parse_error error = {0};
    line[strcspn(line, "\n")] = '\0';
    char *text = strchr(line, '\t');
    assert_non_null(text);
    *text++ = '\0';
    char *message = strchr(text, '\t');
    if (message)
        *message++ = '\0';
    const bool taken = sdd_program_parse(text, strlen(text), &program, &error);
    if (taken != (strcmp(line, "ok") == 0))
        fail_msg("\"%s\" at %zu: %s", text, error.position, error.message);
    if (taken)
        return;
    assert_string_equal(error.message, message);
    if (error.position != strtoul(line, NULL, 10))
        fail_msg("\"%s\": position %zu, not %s", text, error.position, line);
    assert_int_equal(program.length, 77);
}

/* The tests of the controller's parser in Java use the same texts. */
static void takes_and_refuses_what_the_vectors_say(void **state) {
    (void)state;
    FILE *vectors = fopen(VECTORS "/conditions.txt", "r");
    assert_non_null(vectors);
    char line[1024];
    unsigned lines = 0;
    for (; fgets(line, sizeof line, vectors); lines++)
        assert_reads_line(line);
    assert_int_equal(fclose(vectors), 0);
    assert_true(lines > 40);
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
        cmocka_unit_test(takes_and_refuses_what_the_vectors_say),
        cmocka_unit_test(refuses_what_would_cost_too_much),
        cmocka_unit_test(a_zero_byte_is_no_end),
        cmocka_unit_test(prints_into_too_little_room_without_overrun),
    };
    return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
