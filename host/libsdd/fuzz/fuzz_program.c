/*
 * Uses any bytes as a condition's text and as byte code. Invariants:
 *   - a text is accepted, or rejected with a position within it;
 *   - the parser's programs pass the check, and printed and parsed again they are the same;
 *   - byte code that passes the check prints as text that parses to a program of the same values;
 *   - a program is true exactly in its windows: at their edges its value changes.
 * Built twice: into a bounded test with its own inputs, and for libFuzzer.
 */
#include "fuzz_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact_copy.h"
#include "sdd/program.h"

unsigned fuzz_conditions, fuzz_codes;

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static const struct sdd_queue_stats stats[2] = {
    {3, 4500, 2, 1000, 900, 17, 25500, 20, 30000, 1, 2, 3000},
    {INT64_MAX, INT64_MAX, 1, INT64_MAX - 1, INT64_MAX - 1, INT64_MAX, 0, INT64_MAX, 0, 0, 0, 0}};

static struct sdd_environment at(int64_t now_ns, unsigned own) {
    return (struct sdd_environment){
        .now_ns = now_ns, .own = &stats[own], .all = stats, .stride = sizeof *stats, .count = 2};
}

static bool value(const struct sdd_program *program, int64_t now_ns, unsigned own) {
    const struct sdd_environment env = at(now_ns, own);
    return sdd_program_evaluate(program, &env);
}

static void check_windows(const struct sdd_program *program, unsigned own) {
    struct sdd_window windows[SDD_MAX_WINDOWS];
    const struct sdd_environment env = at(0, own);
    unsigned count = sdd_program_windows(program, &env, windows);
    MUST(count <= SDD_MAX_WINDOWS);
    MUST(value(program, 0, own) == (count > 0 && windows[0].open_ns == 0));
    for (unsigned i = 0; i < count; i++) {
        MUST(windows[i].open_ns < windows[i].close_ns);
        MUST(i == 0 || windows[i - 1].close_ns < windows[i].open_ns);
        MUST(value(program, windows[i].open_ns, own));
        MUST(value(program, windows[i].close_ns - 1, own));
        MUST(windows[i].open_ns == 0 || !value(program, windows[i].open_ns - 1, own));
        MUST(windows[i].close_ns == BASE_FOREVER || !value(program, windows[i].close_ns, own));
    }
}

static void check_program(const struct sdd_program *program, bool from_text) {
    char text[8192], again_text[8192];
    struct sdd_program again;
    struct sdd_parse_error error;
    size_t length = sdd_program_print(program, text, sizeof text);
    MUST(length < sizeof text && strlen(text) == length);
    MUST(sdd_program_parse(text, length, &again, &error));
    MUST(!from_text || sdd_program_equal(program, &again));
    MUST(sdd_program_class(program) == sdd_program_class(&again));
    sdd_program_print(&again, again_text, sizeof again_text);
    MUST(!from_text || strcmp(text, again_text) == 0);
    for (unsigned own = 0; own < 2; own++) {
        for (int64_t now_ns = 0; now_ns < 4000; now_ns += 331)
            MUST(value(program, now_ns, own) == value(&again, now_ns, own));
        check_windows(program, own);
    }
}

static void try_text(const char *text, size_t size) {
    struct sdd_program program;
    struct sdd_parse_error error = {SIZE_MAX, NULL};
    if (!sdd_program_parse(text, size, &program, &error)) {
        MUST(error.position <= size && error.message);
        return;
    }
    fuzz_conditions++;
    MUST(sdd_program_check(&program, SDD_OWN_QUEUE, NULL));
    check_program(&program, true);
}

static void try_code(const uint8_t *data, size_t size) {
    struct sdd_program program;
    size_t fault = SIZE_MAX;
    program.length = (uint16_t)size;
    memcpy(program.code, data, size < sizeof program.code ? size : sizeof program.code);
    if (!sdd_program_check(&program, SDD_OWN_QUEUE, &fault)) {
        MUST(fault <= size);
        return;
    }
    fuzz_codes++;
    check_program(&program, false);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct exact_copy copy = exact_copy_make(data, size);
    try_text((const char *)copy.bytes, size);
    if (size <= UINT16_MAX)
        try_code(copy.bytes, size);
    exact_copy_free(copy);
    return 0;
}
