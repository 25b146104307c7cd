/*
 * Chooses a path for a packet: one function for all schemes.
 *
 * A packet that continues its flowlet costs one comparison. Only a packet that begins a flowlet
 * examines the paths.
 */
#ifndef EDGE_CHOOSE_H
#define EDGE_CHOOSE_H

#include "arithmetic.h"
#include "clove.h"
#include "flowlet.h"
#include "params.h"
#include "paths.h"

/* The reason for which a packet takes its path. */
enum edge_reason {
    EDGE_BY_HASH,      /* by the flow's hash */
    EDGE_SAME_FLOWLET, /* the path of the previous packet */
    EDGE_AT_RANDOM,
    EDGE_IN_TURN,      /* weighted round robin */
    EDGE_LEAST_LOADED, /* the least utilisation or delay */
    EDGE_REASONS
};

/* A decision and the values that led to it. */
struct edge_trace {
    uint64_t at_ns;
    uint32_t hash;
    uint32_t scheme;
    uint32_t reason;
    uint32_t path;
    uint32_t from;    /* the previous path; EDGE_MAX_PATHS: none */
    uint32_t weight;  /* of the chosen path, in units of 1/EDGE_WEIGHT_ONE */
    uint32_t metric;  /* of the chosen path */
    uint32_t idle_ns; /* since the flow's previous packet; UINT32_MAX: longer, or no such packet */
    uint16_t flowlet;
};

struct edge_packet {
    uint64_t now_ns;
    uint32_t hash;   /* of the five-tuple */
    uint32_t bytes;  /* on the wire; for a GSO segment, of the whole segment */
    uint32_t random; /* 32 uniform bits */
};

#define EDGE_SCHEME_REASON(CONSTANT, NAME, NUMBER, CHOICE, ...)                                    \
    case EDGE_##CONSTANT:                                                                          \
        return EDGE_##CHOICE;
/* The reason for which a new flowlet gets its path. */
EDGE_INLINE uint32_t edge_reason_of(uint32_t scheme) {
    switch (scheme) {
        /* NOLINTNEXTLINE(bugprone-branch-clone): several rows may have the same value */
        EDGE_SCHEME_TABLE(EDGE_SCHEME_REASON)
    default:
        return EDGE_BY_HASH;
    }
}
#undef EDGE_SCHEME_REASON

/* Whether the scheme keeps state per flow. The others choose by the packet's hash alone. */
EDGE_INLINE bool edge_keeps_flows(uint32_t scheme) {
    return edge_reason_of(scheme) != EDGE_BY_HASH;
}

/* Whether the scheme takes the path with the least metric. */
EDGE_INLINE bool edge_chooses_by_metric(uint32_t scheme) {
    return edge_reason_of(scheme) == EDGE_LEAST_LOADED;
}

/* Edge-Flowlet's random path. The paper's implementation hashes the five-tuple and the flowlet's
 * number instead (Clove, section 5). */
EDGE_INLINE uint32_t edge_choose_flowlet(const struct edge_paths *paths,
                                         const struct edge_flow *flow, uint32_t hash) {
    return edge_draw_path(paths, edge_mix(hash, flow->flowlet + 1u));
}

/*
 * Whether the flowlet that the packet begins explores: it takes a path by the prior instead of the
 * best one.
 */
EDGE_INLINE bool edge_explores(const struct edge_params *params, const struct edge_packet *packet) {
    return params->explore &&
           edge_bounded(edge_mix(packet->random, 0x65787072u), params->explore) == 0;
}

/* Draws one of the best paths, or, if the flowlet explores, one of all paths. The best paths must
 * be up to date. */
EDGE_INLINE uint32_t edge_choose_best(const struct edge_params *params,
                                      const struct edge_paths *paths,
                                      const struct edge_packet *packet) {
    uint64_t among = edge_explores(params, packet) ? edge_all_paths(paths) : paths->best.paths;
    return edge_draw(paths, among, packet->random);
}

/*
 * Updates the weights or the best paths from the reports, before a flowlet begins. Only for schemes
 * for which edge_wants_reports is true. It contains all loops over paths, because Linux 6.1's
 * verifier accepts these only in a function of their own.
 */
EDGE_INLINE void edge_prepare_choice(const struct edge_params *params, struct edge_paths *paths,
                                     uint64_t now_ns) {
    if (edge_wants_marks(params->scheme))
        edge_clove_recover(params, paths, now_ns);
    else
        edge_refresh_best(paths, now_ns, params->metric_age_ns, params->alike);
}

/* The path of a new flowlet, after edge_prepare_choice. */
EDGE_INLINE uint32_t edge_choose_prepared(const struct edge_params *params,
                                          struct edge_paths *paths, const struct edge_flow *flow,
                                          const struct edge_packet *packet) {
    switch (edge_reason_of(params->scheme)) {
    case EDGE_LEAST_LOADED:
        return edge_choose_best(params, paths, packet);
    case EDGE_AT_RANDOM:
        return edge_choose_flowlet(paths, flow, packet->hash);
    default:
        return edge_next_in_turn(paths);
    }
}

EDGE_INLINE uint32_t edge_choose_new(const struct edge_params *params, struct edge_paths *paths,
                                     const struct edge_flow *flow,
                                     const struct edge_packet *packet) {
    if (edge_wants_reports(params->scheme))
        edge_prepare_choice(params, paths, packet->now_ns);
    return edge_choose_prepared(params, paths, flow, packet);
}

/* Whether a packet begins a flowlet or flowcell. Only for schemes for which edge_keeps_flows is
 * true. */
EDGE_INLINE bool edge_begins(const struct edge_params *params, const struct edge_paths *paths,
                             const struct edge_flow *flow, const struct edge_packet *packet) {
    /* A flowcell ends by its size only (Presto, section 2.2), a flowlet by idle time only. */
    if (params->scheme == EDGE_PRESTO)
        return flow->last_ns == 0 || flow->hash != packet->hash ||
               flow->generation != paths->generation ||
               flow->bytes + packet->bytes > params->flowcell_bytes;
    return edge_begins_flowlet(params, paths, flow, packet->hash, packet->now_ns);
}

/* Begins a flowlet or flowcell on this path. trace: as for edge_choose. */
EDGE_INLINE void edge_begin(const struct edge_params *params, const struct edge_paths *paths,
                            struct edge_flow *flow, const struct edge_packet *packet, uint32_t path,
                            struct edge_trace *trace) {
    if (trace) {
        bool known = flow->last_ns != 0 && flow->hash == packet->hash;
        uint64_t idle_ns = packet->now_ns - flow->last_ns;
        trace->at_ns = packet->now_ns;
        trace->hash = packet->hash;
        trace->scheme = params->scheme;
        trace->reason = edge_reason_of(params->scheme);
        if (edge_chooses_by_metric(params->scheme) && edge_explores(params, packet))
            trace->reason = EDGE_AT_RANDOM;
        trace->path = path;
        trace->from = known ? flow->path : EDGE_MAX_PATHS;
        trace->weight = paths->weight[edge_index(path)];
        trace->metric = paths->metric[edge_index(path)];
        trace->idle_ns = known && idle_ns < UINT32_MAX ? (uint32_t)idle_ns : UINT32_MAX;
        trace->flowlet = (uint16_t)(known ? flow->flowlet + 1 : 1);
    }
    edge_begin_flowlet(flow, packet->hash, paths->generation, path);
}

/* Adds a packet to the flow's current flowlet and returns the flowlet's path. */
EDGE_INLINE uint32_t edge_continue_flowlet(struct edge_flow *flow,
                                           const struct edge_packet *packet) {
    flow->last_ns = packet->now_ns;
    flow->bytes += packet->bytes;
    flow->packet++;
    return flow->path;
}

/* The path for a packet, for schemes that keep no state per flow. */
EDGE_INLINE uint32_t edge_choose_by_hash(const struct edge_params *params,
                                         const struct edge_paths *paths, uint32_t hash) {
    return params->scheme == EDGE_WCMP ? edge_by_prior(paths, hash)
                                       : edge_bounded(hash, paths->count);
}

/*
 * The path for a packet, 0 to count - 1.
 *
 * flow: the entry for the packet's hash; may be null if edge_keeps_flows is false. trace: null, or
 * filled in if the packet begins a flowlet; its `at_ns` is then the packet's time.
 */
EDGE_INLINE uint32_t edge_choose(const struct edge_params *params, struct edge_paths *paths,
                                 struct edge_flow *flow, const struct edge_packet *packet,
                                 struct edge_trace *trace) {
    struct edge_packet known = *packet;
    if (!edge_keeps_flows(params->scheme))
        return edge_choose_by_hash(params, paths, packet->hash);
    known.now_ns = packet->now_ns ? packet->now_ns : 1; /* 0 means never in a flow's entry */
    if (edge_begins(params, paths, flow, &known))
        edge_begin(params, paths, flow, &known, edge_choose_new(params, paths, flow, &known),
                   trace);
    uint32_t path = edge_continue_flowlet(flow, &known);
    edge_note_sent(params, paths, path, known.now_ns);
    return path;
}

/*
 * Applies feedback that a peer returned about one of our paths. edge_sent_recently must be true for
 * that path.
 *
 * Returns whether the guest must see the mark: for schemes that use marks only if all paths are
 * congested, for others always.
 */
EDGE_INLINE bool edge_apply_checked_feedback(const struct edge_params *params,
                                             struct edge_paths *paths, uint32_t path, bool marked,
                                             uint32_t metric, uint64_t now_ns) {
    if (edge_wants_marks(params->scheme))
        return marked && edge_clove_mark(params, paths, path, now_ns);
    if (edge_wants_reports(params->scheme))
        edge_note_metric(paths, path, metric, now_ns);
    return marked;
}

/* Applies feedback that a peer returned about one of our paths, and ignores it if
 * edge_sent_recently is false. Returns the same as edge_apply_checked_feedback. */
EDGE_INLINE bool edge_apply_feedback(const struct edge_params *params, struct edge_paths *paths,
                                     uint32_t path, bool marked, uint32_t metric, uint64_t now_ns) {
    return edge_sent_recently(params, paths, path, now_ns) &&
           edge_apply_checked_feedback(params, paths, path, marked, metric, now_ns);
}

#endif
