/*
 * A leaf switch that chooses an uplink for each flowlet: CONGA (Alizadeh et al., section 3),
 * LetFlow (Vanini et al., NSDI 2017, section 3) and IntFlow's rerouting module (Shi et al.,
 * Algorithm 2).
 *
 * The leaf measures its own uplinks. Packets to another leaf carry the highest load on their way.
 * That leaf stores it per uplink of ours and returns it in packets to us. An uplink's cost towards
 * a leaf is the higher of its own load and the returned one.
 */
#ifndef EDGE_SWITCH_LEAF_H
#define EDGE_SWITCH_LEAF_H

#include "edge/arithmetic.h"
#include "edge/flowlet.h"
#include "edge/intflow.h"
#include "edge/switch/rate.h"

/* Uplinks of a leaf and leaves of a fabric; powers of two. */
#define EDGE_UPLINKS 16u
#define EDGE_LEAVES 64u

enum edge_leaf_scheme { EDGE_LEAF_LETFLOW, EDGE_LEAF_CONGA, EDGE_LEAF_INTFLOW };

struct edge_leaf {
    uint32_t scheme;
    uint32_t uplinks; /* 1 to EDGE_UPLINKS */
    uint32_t gap_ns;
    uint64_t up; /* bit per uplink that may be used */
    struct edge_rate rate[EDGE_UPLINKS];
    /* Congestion-to-leaf table: the returned load, by destination leaf and uplink of ours. */
    uint8_t to_level[EDGE_LEAVES][EDGE_UPLINKS];
    uint64_t to_ns[EDGE_LEAVES][EDGE_UPLINKS];
    /* Congestion-from-leaf table: the load that arrived, by source leaf and its uplink; fed back in
     * turn. */
    uint8_t from_level[EDGE_LEAVES][EDGE_UPLINKS];
    uint64_t from_ns[EDGE_LEAVES][EDGE_UPLINKS];
    uint32_t from_changed[EDGE_LEAVES]; /* bit per uplink */
    uint32_t from_next[EDGE_LEAVES];
};

/* CONGA's header fields in packets between leaves. */
struct edge_leaf_tag {
    uint32_t uplink;          /* LBTag: the uplink by which the packet left its leaf */
    uint32_t level;           /* CE: the highest load on its way so far */
    uint32_t feedback_uplink; /* FB_LBTag */
    uint32_t feedback_level;  /* FB_Metric */
};

/* The reason for which a leaf chooses an uplink for a flow. */
enum edge_leaf_cause {
    EDGE_LEAF_FIRST,      /* the flow's first packet */
    EDGE_LEAF_IDLE,       /* the flow was idle for longer than the gap: a flowlet begins */
    EDGE_LEAF_CONGESTION, /* IntFlow: the host reports congestion or a failure */
    EDGE_LEAF_FAILURE,
    EDGE_LEAF_DOWN, /* the flow's uplink is down */
    EDGE_LEAF_CAUSES
};

/* A choice and the values that led to it. */
struct edge_leaf_trace {
    uint64_t at_ns; /* 0: no choice, the flow continues its flowlet */
    uint32_t hash;
    uint32_t cause;
    uint32_t uplink;
    uint32_t from;      /* the previous uplink; EDGE_UPLINKS: none */
    uint32_t cost;      /* of the chosen uplink */
    uint32_t from_cost; /* of the previous uplink */
    uint32_t idle_ns; /* since the flow's previous packet; UINT32_MAX: longer, or no such packet */
    uint16_t flowlet;
};

/* Returns a load that was received at `at_ns` (0: never), or 0 if it is too old. */
EDGE_INLINE uint32_t edge_leaf_aged(uint8_t level, uint64_t at_ns, uint64_t now_ns) {
    return at_ns != 0 && !edge_elapsed(now_ns, at_ns, EDGE_LEAF_AGE_NS) ? level : 0;
}

/* The cost of an uplink towards a leaf; always 0 for LetFlow. */
EDGE_INLINE uint32_t edge_leaf_cost(struct edge_leaf *leaf, uint32_t to, uint32_t uplink,
                                    uint64_t now_ns) {
    if (leaf->scheme == EDGE_LEAF_LETFLOW)
        return 0;
    to &= EDGE_LEAVES - 1;
    uplink &= EDGE_UPLINKS - 1;
    uint32_t local = edge_rate_level(&leaf->rate[uplink], now_ns);
    uint32_t remote = edge_leaf_aged(leaf->to_level[to][uplink], leaf->to_ns[to][uplink], now_ns);
    return local > remote ? local : remote;
}

/*
 * Returns the usable uplink of least cost towards a leaf. Among equal ones `keep` is preferred,
 * because CONGA moves a flowlet only to a strictly better uplink; otherwise `random` decides.
 *
 * keep, avoid: an uplink, or EDGE_UPLINKS for none.
 */
EDGE_INLINE uint32_t edge_leaf_least(struct edge_leaf *leaf, uint32_t to, uint32_t keep,
                                     uint32_t avoid, uint32_t random, uint64_t now_ns) {
    uint64_t least = UINT64_C(1) << 62;
    for (uint32_t i = 0; i < EDGE_UPLINKS && i < leaf->uplinks; i++) {
        uint64_t unusable = (leaf->up >> i & 1) ^ 1;
        uint64_t avoided = i == avoid;
        uint64_t moves = i != keep;
        uint64_t lot = edge_mix(random, i) >> 8;
        uint64_t cost = edge_leaf_cost(leaf, to, i, now_ns);
        uint64_t key = unusable << 61 | avoided << 60 | cost << 40 | moves << 30 | lot << 6 | i;
        least = edge_min(least, key);
    }
    return (uint32_t)least & (EDGE_UPLINKS - 1);
}

/* Records a choice. Must be called before the flow's entry and the uplink's load change. */
EDGE_INLINE void edge_leaf_note(struct edge_leaf_trace *trace, struct edge_leaf *leaf,
                                const struct edge_flow *flow, uint32_t to, uint32_t hash,
                                uint32_t cause, uint32_t uplink, uint64_t now_ns) {
    bool is_new = cause == EDGE_LEAF_FIRST;
    uint32_t from = flow->path & (EDGE_UPLINKS - 1);
    uint64_t idle_ns = now_ns - flow->last_ns;
    trace->at_ns = now_ns;
    trace->hash = hash;
    trace->cause = cause;
    trace->uplink = uplink;
    trace->from = is_new ? EDGE_UPLINKS : from;
    trace->cost = edge_leaf_cost(leaf, to, uplink, now_ns);
    trace->from_cost = is_new ? 0 : edge_leaf_cost(leaf, to, from, now_ns);
    trace->idle_ns = is_new || idle_ns > UINT32_MAX ? UINT32_MAX : (uint32_t)idle_ns;
    trace->flowlet = (uint16_t)(is_new ? 1 : flow->flowlet + 1);
}

/*
 * The uplink for a packet to another leaf.
 *
 * flow: the entry of the leaf's flow table for the packet's hash; instruction: IntFlow's 3 bits.
 * trace: filled in when an uplink is chosen, unless it is null.
 */
EDGE_INLINE uint32_t edge_leaf_choose_traced(struct edge_leaf *leaf, struct edge_flow *flow,
                                             uint32_t to, uint32_t hash, uint32_t bytes,
                                             uint32_t instruction, uint32_t random, uint64_t now_ns,
                                             struct edge_leaf_trace *trace) {
    now_ns = now_ns ? now_ns : 1;
    bool is_new = flow->last_ns == 0 || flow->hash != hash;
    bool begins = is_new || edge_elapsed(now_ns, flow->last_ns, leaf->gap_ns);
    uint32_t cause = is_new ? EDGE_LEAF_FIRST : EDGE_LEAF_IDLE;
    uint32_t now_on = flow->path & (EDGE_UPLINKS - 1);
    if (leaf->scheme == EDGE_LEAF_INTFLOW && !is_new) {
        uint32_t status = instruction & 3;
        if (status == EDGE_SMALL_FLOW) { /* 7, 8 */
            begins = false;
        } else if (status != EDGE_UNASSIGNED) {
            begins = true;
            cause = status == EDGE_FAILURE ? EDGE_LEAF_FAILURE : EDGE_LEAF_CONGESTION;
        }
        /* Lines 3 to 6. A retransmitted packet was lost on the flow's current uplink. */
        if (instruction & EDGE_RETRANSMISSION)
            edge_rate_add_resent(&leaf->rate[now_on], bytes, now_ns);
    }
    /* A flow leaves an uplink that is down in any status. */
    if (!is_new && !(leaf->up >> now_on & 1)) {
        begins = true;
        cause = EDGE_LEAF_DOWN;
    }
    if (begins) {
        bool failure = leaf->scheme == EDGE_LEAF_INTFLOW && !is_new &&
                       (instruction & 3) == EDGE_FAILURE; /* 10, 11 */
        bool may_stay = leaf->scheme != EDGE_LEAF_LETFLOW && !is_new && !failure;
        uint32_t uplink = edge_leaf_least(leaf, to, may_stay ? now_on : EDGE_UPLINKS,
                                          failure ? now_on : EDGE_UPLINKS, random, now_ns);
        if (trace)
            edge_leaf_note(trace, leaf, flow, to, hash, cause, uplink, now_ns);
        edge_begin_flowlet(flow, hash, 0, uplink);
    }
    flow->last_ns = now_ns;
    flow->bytes += bytes;
    uint32_t uplink = flow->path & (EDGE_UPLINKS - 1);
    edge_rate_add(&leaf->rate[uplink], bytes, now_ns);
    return uplink;
}

/* The same without a trace. */
EDGE_INLINE uint32_t edge_leaf_choose(struct edge_leaf *leaf, struct edge_flow *flow, uint32_t to,
                                      uint32_t hash, uint32_t bytes, uint32_t instruction,
                                      uint32_t random, uint64_t now_ns) {
    return edge_leaf_choose_traced(leaf, flow, to, hash, bytes, instruction, random, now_ns, 0);
}

/* Stores the load that a packet from another leaf carries, and its feedback. */
EDGE_INLINE void edge_leaf_arrive(struct edge_leaf *leaf, uint32_t from,
                                  const struct edge_leaf_tag *tag, uint64_t now_ns) {
    from &= EDGE_LEAVES - 1;
    now_ns = now_ns ? now_ns : 1;
    uint32_t theirs = tag->uplink & (EDGE_UPLINKS - 1);
    uint8_t level = (uint8_t)(tag->level & (EDGE_DRE_LEVELS - 1));
    if (edge_leaf_aged(leaf->from_level[from][theirs], leaf->from_ns[from][theirs], now_ns) !=
        level)
        leaf->from_changed[from] |= 1u << theirs;
    leaf->from_level[from][theirs] = level;
    leaf->from_ns[from][theirs] = now_ns;
    uint32_t ours = tag->feedback_uplink & (EDGE_UPLINKS - 1);
    leaf->to_level[from][ours] = (uint8_t)(tag->feedback_level & (EDGE_DRE_LEVELS - 1));
    leaf->to_ns[from][ours] = now_ns;
}

/*
 * Fills in the feedback for a packet to that leaf: its uplinks in turn, changed ones first. That
 * leaf may have more uplinks than this one, so all uplinks by which packets arrived count. A load
 * ages here too: otherwise a load that is repeated for ever would keep an uplink unused after its
 * last packet.
 */
EDGE_INLINE void edge_leaf_feedback(struct edge_leaf *leaf, uint32_t to, struct edge_leaf_tag *tag,
                                    uint64_t now_ns) {
    to &= EDGE_LEAVES - 1;
    uint64_t least = UINT64_C(1) << 62;
    for (uint32_t i = 0; i < EDGE_UPLINKS; i++) {
        if (i >= leaf->uplinks && leaf->from_ns[to][i] == 0)
            continue;
        uint64_t unchanged = (leaf->from_changed[to] >> i & 1) ^ 1;
        uint64_t turn = (i - leaf->from_next[to]) & (EDGE_UPLINKS - 1);
        least = edge_min(least, unchanged << 12 | turn << 6 | i);
    }
    uint32_t uplink = (uint32_t)least & (EDGE_UPLINKS - 1);
    tag->feedback_uplink = uplink;
    tag->feedback_level =
        edge_leaf_aged(leaf->from_level[to][uplink], leaf->from_ns[to][uplink], now_ns);
    leaf->from_changed[to] &= ~(1u << uplink);
    leaf->from_next[to] = (uplink + 1) & (EDGE_UPLINKS - 1);
}

#endif
