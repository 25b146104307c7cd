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
EDGE_STEP(step_ecmp, edge_step_run(EDGE_ECMP, state, step))
EDGE_STEP(step_wcmp, edge_step_run(EDGE_WCMP, state, step))
EDGE_STEP(step_presto, edge_step_run(EDGE_PRESTO, state, step))
EDGE_STEP(step_flowlet, edge_step_run(EDGE_FLOWLET, state, step))
EDGE_STEP(step_clove_ecn, edge_step_run(EDGE_CLOVE_ECN, state, step))
EDGE_STEP(step_clove_int, edge_step_run(EDGE_CLOVE_INT, state, step))
EDGE_STEP(step_clove_latency, edge_step_run(EDGE_CLOVE_LATENCY, state, step))
EDGE_STEP(step_alb, edge_step_run(EDGE_ALB, state, step))
EDGE_STEP(step_intflow, edge_step_run(EDGE_INTFLOW, state, step))
EDGE_STEP(step_leaf, edge_step_leaf(state, step))
/* NOLINTEND(performance-no-int-to-ptr) */
