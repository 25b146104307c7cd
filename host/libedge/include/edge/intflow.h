/*
 * IntFlow's host: its instruction to the leaf switch for a flow, in 3 bits of each packet (Shi et
 * al., section III.B, Algorithm 1 and Table II).
 */
#ifndef EDGE_INTFLOW_H
#define EDGE_INTFLOW_H

#include "arithmetic.h"
#include "params.h"

/* The two lower bits are those of Table II. */
enum edge_instruction {
    EDGE_UNASSIGNED = 0,     /* reroute when a flowlet begins */
    EDGE_FAILURE = 1,        /* failures or severe congestion: reroute to another path */
    EDGE_CONGESTION = 2,     /* general congestion: reroute to any path */
    EDGE_SMALL_FLOW = 3,     /* a small flow without congestion: do not reroute */
    EDGE_RETRANSMISSION = 4, /* a flag: the packet is a retransmission */
};

/* The host's state of a flow that it sends. */
struct edge_flow_status {
    uint64_t sent_bytes; /* estimates the bytes to come: flow sizes are heavy-tailed */
    uint64_t last_ns;
    uint64_t window_began_ns;
    uint64_t rate_at_ns;
    uint64_t rerouted_ns;   /* last instruction to reroute; 0: none, or settled since */
    uint32_t rate_bytes;    /* CONGA's discounting rate estimator, for this flow's packets */
    uint32_t window_bytes;  /* sent in this window */
    uint32_t window_resent; /* retransmitted in this window */
    uint32_t timeouts;      /* since the last window that ended with new data */
    uint32_t retransmits;   /* share of retransmissions in the last complete window, in 1/1024 */
    uint32_t delay_ns;      /* one-way, from the last ACK */
    uint32_t next_sequence; /* the highest sequence number sent, plus one */
    bool started;
};

/* Stores the flow's one-way delay as the receiver reported it. */
EDGE_INLINE void edge_intflow_delay(struct edge_flow_status *flow, uint32_t delay_ns) {
    flow->delay_ns = delay_ns;
}

/* The flow's sending rate in bits per second, by its estimator. */
EDGE_INLINE uint64_t edge_intflow_rate_bps(const struct edge_flow_status *flow) {
    /* In equilibrium the flow sends rate_bytes / 8 per step. */
    return (uint64_t)flow->rate_bytes * 8 * 1000000000 / (EDGE_RATE_STEP_NS << EDGE_RATE_SHIFT);
}

/* Instructs the leaf to reroute the flow and starts the time in which the flow settles on its new
 * path. */
EDGE_INLINE uint32_t edge_intflow_reroute(const struct edge_params *params,
                                          struct edge_flow_status *flow, uint32_t instruction,
                                          uint64_t now_ns) {
    if (params->settle_ns) {
        flow->rerouted_ns = now_ns ? now_ns : 1;
        flow->retransmits = 0;
    }
    return instruction;
}

/* Begins the flow's next window if the current one is over. While a flow settles, it retransmits
 * what the previous path lost, so the window begins only afterwards. */
EDGE_INLINE void edge_intflow_window(const struct edge_params *params,
                                     struct edge_flow_status *flow, bool settles, bool resent,
                                     uint64_t now_ns) {
    if (!settles && !edge_elapsed(now_ns, flow->window_began_ns, params->window_ns))
        return;
    if (!settles) {
        flow->retransmits =
            flow->window_bytes
                ? (uint32_t)((uint64_t)flow->window_resent * 1024 / flow->window_bytes)
                : 0;
        /* Time-outs accumulate until a window ends with new data. */
        if (!resent)
            flow->timeouts = 0;
    }
    flow->window_bytes = flow->window_resent = 0;
    flow->window_began_ns = now_ns;
}

/*
 * Counts a packet with `bytes` of payload from TCP sequence number `sequence` on, and returns its
 * instruction. Line numbers in comments are those of Algorithm 1.
 */
EDGE_INLINE uint32_t edge_intflow_instruct(const struct edge_params *params,
                                           struct edge_flow_status *flow, uint32_t sequence,
                                           uint32_t bytes, uint64_t now_ns) {
    bool is_new = !flow->started;
    bool resent = flow->started && bytes > 0 && edge_before32(sequence, flow->next_sequence);
    if (is_new) {
        flow->started = true;
        flow->window_began_ns = flow->rate_at_ns = now_ns;
        flow->next_sequence = sequence;
    }
    bool moved = flow->rerouted_ns != 0;
    bool settles = moved && !edge_elapsed(now_ns, flow->rerouted_ns, params->settle_ns);
    if (moved && !settles && !resent) {
        /* Only new data resets the count: if several paths are dead, the flow must not wait for all
         * time-outs again on each. */
        flow->rerouted_ns = 0;
        flow->timeouts = 0;
    }
    edge_intflow_window(params, flow, settles, resent, now_ns);
    if (resent && !settles) {
        flow->window_resent += bytes;
        if (edge_elapsed(now_ns, flow->last_ns, params->timeout_ns))
            flow->timeouts++;
    } else if (!resent && edge_before32(flow->next_sequence, sequence + bytes)) {
        flow->next_sequence = sequence + bytes;
    }
    flow->window_bytes += bytes;
    uint64_t steps =
        now_ns > flow->rate_at_ns ? (now_ns - flow->rate_at_ns) / EDGE_RATE_STEP_NS : 0;
    flow->rate_bytes = (uint32_t)edge_decayed(flow->rate_bytes, steps);
    flow->rate_at_ns += steps * EDGE_RATE_STEP_NS;
    flow->rate_bytes += bytes;
    flow->sent_bytes += bytes;
    flow->last_ns = now_ns;

    uint32_t instruction = resent ? EDGE_RETRANSMISSION : EDGE_UNASSIGNED; /* 2 to 5 */
    if (is_new)
        return instruction;
    if (!settles && (flow->timeouts > params->timeouts ||
                     flow->retransmits > params->retransmissions_per_1024)) /* 7 */
        return edge_intflow_reroute(params, flow, instruction | EDGE_FAILURE, now_ns);
    if (flow->delay_ns >= params->delay_high_ns) /* 10 to 13 */
        return !settles && flow->sent_bytes >= params->size_bytes &&
                       edge_intflow_rate_bps(flow) <= params->rate_bps
                   ? edge_intflow_reroute(params, flow, instruction | EDGE_CONGESTION, now_ns)
                   : instruction;
    return flow->sent_bytes < params->size_bytes ? instruction | EDGE_SMALL_FLOW : instruction;
}

#endif
