/* An operation on libedge's state, for user space and BPF alike. */
#ifndef EDGE_STEP_H
#define EDGE_STEP_H

#include "edge/choose.h"
#include "edge/delay.h"
#include "edge/feedback.h"
#include "edge/intflow.h"
#include "edge/option.h"
#include "edge/reorder.h"
#include "edge/switch/leaf.h"

#define EDGE_STEP_FLOWS 8u

enum edge_operation {
    EDGE_STEP_CHOOSE,   /* a: hash, b: bytes, c: random */
    EDGE_STEP_FEEDBACK, /* a: path, b: marked, c: metric */
    EDGE_STEP_REPORT,   /* a: path, b: marked, c: metric */
    EDGE_STEP_TAKE,     /* returns path, mark and metric */
    EDGE_STEP_DELAY,    /* a: path, b: t1, c: t2 */
    EDGE_STEP_INSTRUCT, /* a: flow, b: sequence, c: bytes */
    EDGE_STEP_ARRIVE,   /* a: number */
    EDGE_STEP_WIRE,     /* a, b, c: 12 bytes of the option */
    EDGE_OPERATIONS
};

struct edge_step_state {
    struct edge_params params;
    struct edge_paths paths;
    struct edge_flow flows[EDGE_STEP_FLOWS];
    struct edge_flow_status statuses[EDGE_STEP_FLOWS];
    struct edge_reports reports;
    struct edge_baseline baselines[EDGE_MAX_PATHS];
    struct edge_reorder reorder;
    struct edge_leaf leaf;
    struct edge_trace trace;
};

/* At least as long as the shortest packet on which the kernel runs a program. */
struct edge_step {
    uint64_t now_ns;
    uint64_t result;
    uint32_t operation;
    uint32_t a;
    uint32_t b;
    uint32_t c;
};

/* scheme: a constant, so that the program contains the code of one scheme only. */
EDGE_INLINE uint64_t edge_step_run(uint32_t scheme, struct edge_step_state *state,
                                   const struct edge_step *step) {
    state->params.scheme = scheme;
    struct edge_params params = state->params;
    params.scheme = scheme;
    uint32_t flow = step->a & (EDGE_STEP_FLOWS - 1);
    switch (step->operation) {
    case EDGE_STEP_CHOOSE: {
        struct edge_packet packet = {
            .now_ns = step->now_ns, .hash = step->a, .bytes = step->b, .random = step->c};
        return edge_choose(&params, &state->paths, &state->flows[flow], &packet, &state->trace);
    }
    case EDGE_STEP_FEEDBACK:
        return edge_apply_feedback(&params, &state->paths, step->a, step->b & 1, step->c,
                                   step->now_ns);
    case EDGE_STEP_REPORT:
        edge_report(&state->reports, step->a, step->b & 1, step->c, step->now_ns);
        return edge_report_overdue(&params, &state->reports, step->now_ns);
    case EDGE_STEP_TAKE: {
        struct edge_feedback feedback = {0};
        if (!edge_next_report(&params, &state->reports, step->now_ns, &feedback))
            return UINT64_MAX;
        return (uint64_t)feedback.metric << 32 | feedback.path << 1 | feedback.marked;
    }
    case EDGE_STEP_DELAY:
        return edge_delay_over_baseline(&params, &state->baselines[edge_index(step->a)], step->b,
                                        step->c, false, step->now_ns);
    case EDGE_STEP_INSTRUCT:
        return edge_intflow_instruct(&params, &state->statuses[flow], step->b, step->c & 0xffff,
                                     step->now_ns);
    case EDGE_STEP_ARRIVE: {
        uint16_t number = (uint16_t)step->a;
        uint64_t flushed = edge_reorder_overflows(&state->reorder, number)
                               ? edge_reorder_next(&state->reorder, true, step->now_ns)
                               : EDGE_REORDER_WINDOW;
        return flushed << 1 | edge_reorder_arrive(&state->reorder, number, step->now_ns);
    }
    case EDGE_STEP_WIRE: {
        uint8_t bytes[EDGE_OPTION_BYTES];
        struct edge_option option = {0};
        edge_put32(bytes, step->a);
        edge_put32(bytes + 4, step->b);
        edge_put32(bytes + 8, step->c);
        edge_put32(bytes + 12, step->a);
        if (!edge_option_read(bytes, state->paths.count, &option))
            return UINT64_MAX;
        return (uint64_t)option.path << 32 | option.metric;
    }
    default:
        return 0;
    }
}

/*
 * An operation of a leaf: a packet arrives from leaf a (b: uplink and load, c: feedback), or
 * feedback leaves to leaf a, or the leaf chooses an uplink (a: the flow's hash, b: the instruction,
 * c: random).
 */
EDGE_INLINE uint64_t edge_step_leaf(struct edge_step_state *state, const struct edge_step *step) {
    struct edge_leaf_tag tag = {.uplink = step->b >> 8,
                                .level = step->b,
                                .feedback_uplink = step->c >> 8,
                                .feedback_level = step->c};
    switch (step->operation) {
    case EDGE_STEP_REPORT:
        edge_leaf_arrive(&state->leaf, step->a, &tag, step->now_ns);
        return 0;
    case EDGE_STEP_TAKE:
        edge_leaf_feedback(&state->leaf, step->a, &tag, step->now_ns);
        return tag.feedback_uplink << 8 | tag.feedback_level;
    default:
        return edge_leaf_choose(&state->leaf, &state->flows[step->a & (EDGE_STEP_FLOWS - 1)],
                                step->a, step->a, 1500, step->b & 7, step->c, step->now_ns);
    }
}

#endif
