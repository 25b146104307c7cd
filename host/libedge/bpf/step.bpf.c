/*
 * Runs libedge in the kernel for a test. A packet's bytes are an operation, the state is in a map,
 * and the program writes the result back into the packet. tests/test_bpf.c checks that the same
 * operations on the same state give the same results in user space.
 */
#include "step.h"

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual Apache-2.0/GPL";

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, uint32_t);
    __type(value, struct edge_step_state);
} states SEC(".maps");

/* One program per scheme, as on a host: it contains only that scheme's code. */
#define EDGE_STEP(NAME, RUN)                                                                       \
    SEC("tc") int NAME(struct __sk_buff *skb) {                                                    \
        uint32_t zero = 0;                                                                         \
        struct edge_step_state *state = bpf_map_lookup_elem(&states, &zero);                       \
        void *data = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;                  \
        struct edge_step *step = data;                                                             \
        if (!state || (void *)(step + 1) > end)                                                    \
            return -1;                                                                             \
        step->result = RUN;                                                                        \
        return 0;                                                                                  \
    }

/* NOLINTBEGIN(performance-no-int-to-ptr): __sk_buff stores addresses as integers */
#define EDGE_STEP_SCHEME(CONSTANT, ...)                                                            \
    EDGE_STEP(step_##CONSTANT, edge_step_run(EDGE_##CONSTANT, state, step))
EDGE_SCHEME_TABLE(EDGE_STEP_SCHEME)
EDGE_STEP(step_leaf, edge_step_leaf(state, step))
/* NOLINTEND(performance-no-int-to-ptr) */
