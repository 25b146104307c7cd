/*
 * Checks the programs' cost for the kernel's verifier, which rejects programs that need more than a
 * million steps. The verifier differs between releases of Linux: a program that took 740,000 steps
 * in one exceeded a million in another. The limit here is therefore half a million.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "programs.h"
#include "testing.h"

enum { LIMIT = 1000000, SHARE = 2 };

static void programs_take_half_of_the_steps_at_most(void **state) {
    (void)state;
    if (!object)
        skip();
    static const char *const files[] = {EDGE_BPF_OBJECT,     HIDDEN_BPF_OBJECT, MDCTCP_BPF_OBJECT,
                                        STAMPING_BPF_OBJECT, LEAF_BPF_OBJECT,   MARKING_BPF_OBJECT};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct bpf_object *loaded = load_port(files[i]);
        struct bpf_program *program;
        bpf_object__for_each_program(program, loaded) {
            struct bpf_prog_info info = {0};
            uint32_t size = sizeof info;
            assert_int_equal(bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size), 0);
            print_message("%s: %u steps\n", bpf_program__name(program), info.verified_insns);
            assert_in_range(info.verified_insns, 1, LIMIT / SHARE);
        }
        bpf_object__close(loaded);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_take_half_of_the_steps_at_most),
    };
    return cmocka_run_group_tests(tests, programs_load, programs_unload);
}
