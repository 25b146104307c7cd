/*
 * libedge in the kernel: the verifier accepts each scheme's program, and 20,000 random operations
 * give the same results and the same final state as in user space.
 *
 * Skipped with the reason if this process may not load BPF programs.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "random.h"
#include "step.h"
#include "testing.h"

enum { STEPS = 20000 };

#define PROGRAM(CONSTANT, ...) "step_" #CONSTANT,
static const char *const programs[] = {EDGE_SCHEME_TABLE(PROGRAM)};

static struct bpf_object *object;
static struct edge_step_state here, there;

static int quiet(enum libbpf_print_level level, const char *format, va_list arguments) {
    return level == LIBBPF_WARN ? vfprintf(stderr, format, arguments) : 0;
}

static int load(void **state) {
    (void)state;
    libbpf_set_print(quiet);
    object = bpf_object__open_file(EDGE_BPF_OBJECT, NULL);
    if (libbpf_get_error(object)) {
        object = NULL;
        return -1;
    }
    int error = bpf_object__load(object);
    if (error == -EPERM || error == -ENOSYS) {
        print_message("BPF programs may not be loaded here: error %d\n", -error);
        bpf_object__close(object);
        object = NULL;
        return 0;
    }
    return error;
}

static int unload(void **state) {
    (void)state;
    bpf_object__close(object);
    return 0;
}

static void a_fresh_state(uint32_t scheme, struct random *random) {
    memset(&here, 0, sizeof here);
    here.params = edge_defaults(scheme, 100000, UINT64_C(10000000000));
    here.params.explore = (uint32_t)random_between(random, 0, 3);
    here.params.answer_ns = (uint32_t)random_between(random, 0, 2) * 200000;
    here.params.gap_adapt = (uint32_t)random_between(random, 0, 1) * 256;
    struct edge_found found[EDGE_MAX_PATHS];
    uint32_t count =
        random_one_in(random, 3) ? EDGE_MAX_PATHS : (uint32_t)random_between(random, 1, 64);
    for (uint32_t i = 0; i < count; i++)
        found[i] = (struct edge_found){.key = i, .weight = (uint32_t)random_between(random, 1, 9)};
    edge_set_paths(&here.paths, found, count);
    here.leaf.scheme = (uint32_t)random_between(random, 0, 2);
    here.leaf.uplinks = EDGE_UPLINKS;
    here.leaf.up = 0xbfff;
    here.leaf.gap_ns = 250000;
    for (uint32_t i = 0; i < EDGE_UPLINKS; i++)
        edge_rate_init(&here.leaf.rate[i], UINT64_C(10000000000), 0);
}

static struct edge_step a_step(struct random *random, uint64_t *now_ns) {
    *now_ns += (uint64_t)(random_one_in(random, 10) ? random_between(random, 0, 2000000)
                                                    : random_between(random, 0, 3000));
    struct edge_step step = {.now_ns = *now_ns,
                             .operation = (uint32_t)random_between(random, 0, EDGE_OPERATIONS - 1),
                             .a = (uint32_t)random_next(random),
                             .b = (uint32_t)random_next(random),
                             .c = (uint32_t)random_next(random)};
    if (step.operation == EDGE_STEP_CHOOSE) {
        step.a = (uint32_t)random_between(random, 0, 7);
        step.b &= 0xffff;
    }
    if (step.operation == EDGE_STEP_ARRIVE)
        step.a &= 0xff;
    if (step.operation == EDGE_STEP_WIRE)
        step.a = (step.a & 0x0f073f3f) | 0x10000000;
    return step;
}

/* Runs a step in the kernel and returns the result in `run`. */
static void run_in_kernel(const char *name, const struct edge_step *step, struct edge_step *run) {
    struct bpf_program *program = bpf_object__find_program_by_name(object, name);
    assert_non_null(program);
    LIBBPF_OPTS(bpf_test_run_opts, options, .data_in = step, .data_size_in = sizeof *step,
                .data_out = run, .data_size_out = sizeof *run);
    assert_int_equal(bpf_prog_test_run_opts(bpf_program__fd(program), &options), 0);
    assert_int_equal(options.retval, 0);
}

static void put_state(void) {
    uint32_t zero = 0;
    int map = bpf_object__find_map_fd_by_name(object, "states");
    assert_int_equal(bpf_map_update_elem(map, &zero, &here, BPF_ANY), 0);
}

static void the_state_is_the_same_there(void) {
    uint32_t zero = 0;
    int map = bpf_object__find_map_fd_by_name(object, "states");
    assert_int_equal(bpf_map_lookup_elem(map, &zero, &there), 0);
    assert_memory_equal(&here, &there, sizeof here);
}

static void every_scheme_does_the_same_in_the_kernel(void **state) {
    (void)state;
    if (!object)
        skip();
    struct random random = {seed()};
    for (uint32_t scheme = 0; scheme < EDGE_SCHEMES; scheme++) {
        a_fresh_state(scheme, &random);
        put_state();
        uint64_t now_ns = 1000000;
        for (unsigned i = 0; i < STEPS / EDGE_SCHEMES; i++) {
            struct edge_step step = a_step(&random, &now_ns), run;
            run_in_kernel(programs[scheme], &step, &run);
            step.result = edge_step_run(scheme, &here, &step);
            assert_memory_equal(&step, &run, sizeof step);
        }
        the_state_is_the_same_there();
    }
}

static void every_leaf_does_the_same_in_the_kernel(void **state) {
    (void)state;
    if (!object)
        skip();
    struct random random = {seed() + 1};
    for (unsigned round = 0; round < 9; round++) {
        a_fresh_state(EDGE_ECMP, &random);
        here.leaf.scheme = round % 3;
        put_state();
        uint64_t now_ns = 1000000;
        for (unsigned i = 0; i < STEPS / 9; i++) {
            struct edge_step step = a_step(&random, &now_ns), run;
            step.a &= 15;
            run_in_kernel("step_leaf", &step, &run);
            step.result = edge_step_leaf(&here, &step);
            assert_memory_equal(&step, &run, sizeof step);
        }
        the_state_is_the_same_there();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_does_the_same_in_the_kernel),
        cmocka_unit_test(every_leaf_does_the_same_in_the_kernel),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
