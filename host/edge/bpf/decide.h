/*
 * libedge's decisions on a peer's state, under its lock. Each is a separate function for the
 * verifier, because together they would exceed its limit.
 */
#ifndef EDGE_DECIDE_H
#define EDGE_DECIDE_H

#include "maps.h"
#include "overlay.h"

/* Returns a packet's t1. Instead of a time it may be the highest utilisation on the way, which
 * switches raise. */
EDGE_INLINE uint32_t edge_time_stamp(uint32_t scheme, uint64_t now_ns) {
    if (edge_reported_by(scheme) == EDGE_REPORTS_UTILISATION)
        return 0;
    return (uint32_t)(edge_clock_of(scheme) == EDGE_CLOCK_COMMON ? bpf_ktime_get_tai_ns() : now_ns);
}

/* A leaving packet: the input of a decision, then its result. */
struct edge_departure {
    uint64_t now_ns;
    struct edge_address peer;
    uint32_t hash;
    uint32_t bytes; /* length of the inner packet */
    uint32_t random;
    uint16_t protocol; /* EtherType of the inner packet */
    uint8_t transport; /* outer protocol number: UDP or TCP */
    uint8_t tos;       /* of the outer packet */
    uint8_t flags;     /* Geneve flags */
    uint32_t path;     /* results from here on */
    uint32_t proof_bytes;
    struct edge_key key; /* valid if proof_bytes is not 0 */
    uint32_t scheme;
    uint16_t source_port;
    uint16_t flowlet;
    uint16_t packet;
    uint8_t begins;    /* 1: a flowlet begins */
    uint8_t rebase;    /* 1: the receiver must measure the path's baseline again */
    uint8_t reports;   /* 1: a report for the peer may be waiting */
    uint8_t corrected; /* 1: ACK correction may apply, in either direction */
};

EDGE_INLINE struct edge_packet packet_of(const struct edge_departure *departure) {
    return (struct edge_packet){.now_ns = departure->now_ns,
                                .hash = departure->hash,
                                .bytes = departure->bytes,
                                .random = departure->random};
}

/* Fills in a departure's results from its flow's current state. The caller holds the lock. */
EDGE_INLINE void take_path(struct edge_departure *departure, struct edge_peer *peer,
                           const struct edge_flow *flow, uint32_t path) {
    path = edge_index(path);
    edge_note_sent(&peer->params, &peer->paths, path, departure->now_ns);
    departure->path = path;
    departure->source_port = peer->paths.port[path];
    departure->flowlet = flow->flowlet;
    departure->packet = (uint16_t)(flow->packet - 1);
    departure->rebase = (uint8_t)(peer->rebase >> path & 1);
    peer->rebase &= ~(UINT64_C(1) << path);
}

/* Whether it is to be authenticated, and by which key. A packet that leaves while keys are replaced
 * may have half of each: it is not accepted. */
EDGE_INLINE void take_key(struct edge_departure *departure, const struct edge_peer *peer) {
    departure->proof_bytes = peer->keys.count ? EDGE_PROOF_BYTES : 0;
    departure->key = peer->keys.out;
}

EDGE_INLINE struct edge_flow *flow_of(const struct edge_flow_key *key) {
    const struct edge_flow none = {0};
    struct edge_flow *flow = bpf_map_lookup_elem(&flows, key);
    if (flow)
        return flow;
    bpf_map_update_elem(&flows, key, &none, BPF_NOEXIST);
    return bpf_map_lookup_elem(&flows, key);
}

/*
 * Chooses the path of a packet that continues a flowlet. If a flowlet begins, sets `begins`, and
 * the caller must call edge_begin_flow. Returns 0, or -1 if the peer no longer exists.
 *
 * Loops over all paths are in separate functions: Linux 6.1's verifier checks a loop again for each
 * exit of the loops before it, and all loops together would exceed its limit.
 */
__attribute__((noinline)) int edge_decide_path(struct edge_departure *departure) {
    if (!departure)
        return -1;
    struct edge_flow_key key = {.peer = departure->peer, .hash = departure->hash};
    struct edge_peer *peer = bpf_map_lookup_elem(&peers, &key.peer);
    if (!peer)
        return -1;
    const uint32_t scheme = peer->params.scheme;
    struct edge_flow none = {.packet = 1}, *flow = &none;
    if (edge_keeps_flows(scheme))
        flow = flow_of(&key);
    if (!flow)
        return -1;
    const struct edge_packet packet = packet_of(departure);
    bool begins = false;
    bpf_spin_lock(&peer->lock);
    if (!edge_keeps_flows(scheme))
        take_path(departure, peer, flow,
                  edge_choose_by_hash(&peer->params, &peer->paths, packet.hash));
    else if (edge_begins(&peer->params, &peer->paths, flow, &packet))
        begins = true;
    else
        take_path(departure, peer, flow, edge_continue_flowlet(flow, &packet));
    bpf_spin_unlock(&peer->lock);
    departure->scheme = scheme;
    departure->begins = begins;
    /* Read without the lock: a report that is seen too late goes with the next packet. */
    departure->reports = peer->reports.changed != 0;
    take_key(departure, peer);
    departure->corrected = scheme == EDGE_ALB || peer->sends_alb;
    return 0;
}

/* Does the part of a choice that loops over all paths. */
__attribute__((noinline)) int edge_prepare(struct edge_departure *departure) {
    if (!departure)
        return -1;
    struct edge_address address = departure->peer;
    struct edge_peer *peer = bpf_map_lookup_elem(&peers, &address);
    if (!peer)
        return -1;
    const uint64_t now_ns = departure->now_ns;
    bpf_spin_lock(&peer->lock);
    edge_prepare_choice(&peer->params, &peer->paths, now_ns);
    bpf_spin_unlock(&peer->lock);
    return 0;
}

/*
 * Begins a flowlet after edge_decide_path set `begins`. Processors that send packets of one flow at
 * the same time may each begin a flowlet. Returns 0, or -1 if the peer no longer exists.
 */
__attribute__((noinline)) int edge_begin_path(struct edge_departure *departure) {
    if (!departure)
        return -1;
    struct edge_flow_key key = {.peer = departure->peer, .hash = departure->hash};
    struct edge_peer *peer = bpf_map_lookup_elem(&peers, &key.peer);
    struct edge_flow *flow = flow_of(&key);
    if (!peer || !flow)
        return -1;
    const struct edge_packet packet = packet_of(departure);
    struct edge_trace trace = {0};
    bpf_spin_lock(&peer->lock);
    const uint32_t path = edge_choose_prepared(&peer->params, &peer->paths, flow, &packet);
    edge_begin(&peer->params, &peer->paths, flow, &packet, path, &trace);
    take_path(departure, peer, flow, edge_continue_flowlet(flow, &packet));
    peer->traces[peer->traced++ & (EDGE_TRACES - 1)] = trace;
    bpf_spin_unlock(&peer->lock);
    return 0;
}

/* Prepares and begins a flowlet. */
EDGE_INLINE int edge_begin_flow(struct edge_departure *departure) {
    if (edge_wants_reports(departure->scheme) && edge_prepare(departure))
        return -1;
    return edge_begin_path(departure);
}

/* Chooses the path and begins a flowlet if necessary. Returns 0, or -1 if the peer no longer
 * exists. */
EDGE_INLINE int edge_assign_path(struct edge_departure *departure) {
    if (edge_decide_path(departure))
        return -1;
    return departure->begins ? edge_begin_flow(departure) : 0;
}

/* Counts a leaving packet. */
EDGE_INLINE void edge_count_departure(struct edge_account *account,
                                      const struct edge_departure *departure) {
    struct edge_path_account *path = &account->paths[edge_index(departure->path)];
    edge_count(&path->sent_packets, 1);
    edge_count(&path->sent_bytes, departure->bytes);
    if (departure->begins)
        edge_count(&path->flowlets, 1);
}

/* Chooses any path, for a probe. */
EDGE_INLINE int edge_decide_probe(struct edge_departure *departure) {
    struct edge_peer *peer = bpf_map_lookup_elem(&peers, &departure->peer);
    if (!peer)
        return -1;
    departure->path = edge_index(edge_bounded(departure->random, peer->paths.count));
    departure->source_port = peer->paths.port[departure->path];
    departure->scheme = peer->params.scheme;
    take_key(departure, peer);
    return 0;
}

/* Takes the report that a packet to the peer carries. Returns 1 if there is one, else 0. */
__attribute__((noinline)) int edge_report_to_send(const struct edge_address *to, uint64_t now_ns,
                                                  struct edge_feedback *feedback) {
    if (!to || !feedback)
        return 0;
    struct edge_address address = *to;
    struct edge_peer *peer = bpf_map_lookup_elem(&peers, &address);
    /* Read without the lock: a report that is seen too late goes with the next packet. */
    if (!peer || !peer->reports.changed)
        return 0;
    struct edge_feedback taken = {0};
    bpf_spin_lock(&peer->lock);
    bool any = edge_next_report(&peer->params, &peer->reports, now_ns, &taken);
    if (any)
        peer->sent_ns = now_ns;
    bpf_spin_unlock(&peer->lock);
    *feedback = taken;
    return any;
}

/* The header fields of an arriving packet. */
struct edge_arrival {
    uint64_t now_ns;
    struct edge_address peer;
    struct edge_option option;
    uint32_t scheme;   /* scheme of its sender */
    uint32_t stamp_ns; /* arrival time by the clock of the sender's scheme */
    uint32_t hash;     /* hash of its flow; 0 for schemes without packet numbers */
    uint32_t inner_ip; /* length of the inner IP header if TCP follows, else 0 */
    uint32_t proof_bytes;
    uint16_t protocol; /* EtherType of the inner packet */
    uint16_t source_port;
    uint8_t transport; /* outer protocol number: UDP or TCP */
    uint8_t ttl;
    uint8_t control; /* 1: a control packet for the edge itself */
    uint8_t marked;  /* 1: it carries an ECN mark */
    uint8_t trusted; /* 1: its reports count */
};

/* The actions that an arriving packet requires. */
enum edge_due {
    EDGE_DUE_PROBE = 1,
    EDGE_DUE_ECHO = 2,
    EDGE_TOOK_MARK = 4,
    EDGE_LIMITED_MARK = 8,
    EDGE_DUE_CORRECTION = 16,
    EDGE_NOT_ASKED = 32
};

/* Records the report to the sender. Returns flags of enum edge_due: a probe, if no packet went back
 * for a long time. */
__attribute__((noinline)) int edge_note_arrival(const struct edge_arrival *arrival) {
    if (!arrival)
        return 0;
    struct edge_address address = arrival->peer;
    uint32_t path = edge_index(arrival->option.path);
    struct edge_peer *peer = bpf_map_lookup_elem(&peers, &address);
    if (!peer)
        return 0;
    uint64_t now_ns = arrival->now_ns;
    int other = peer->echo_ns > now_ns ? EDGE_DUE_ECHO : 0;
    if (peer->params.ack_correction)
        other |= EDGE_DUE_CORRECTION;
    if (!edge_wants_reports(arrival->scheme))
        return other;
    bpf_spin_lock(&peer->lock);
    uint32_t metric = edge_metric_of(&peer->params, arrival->scheme, &peer->baselines[path],
                                     &arrival->option, arrival->stamp_ns, now_ns);
    edge_report(&peer->reports, path, arrival->marked & 1, metric, now_ns);
    bpf_spin_unlock(&peer->lock);
    if (arrival->scheme == EDGE_ALB && !peer->sends_alb)
        peer->sends_alb = 1;
    uint64_t span_ns = (uint64_t)peer->params.probe_rtts * peer->params.rtt_ns;
    if (!edge_elapsed(now_ns, peer->sent_ns, span_ns))
        return other;
    bpf_spin_lock(&peer->lock);
    bool due = edge_report_overdue(&peer->params, &peer->reports, now_ns);
    if (due)
        peer->sent_ns = now_ns; /* prevents a second probe by another processor */
    bpf_spin_unlock(&peer->lock);
    return due ? other | EDGE_DUE_PROBE : other;
}

/* Whether a report of a mark is new and within its rate. A large segment may arrive as several
 * packets with the same report. */
EDGE_INLINE bool edge_mark_is_due(const struct edge_params *params, struct edge_mark_limit *limit,
                                  uint32_t sent_ns, uint64_t now_ns) {
    uint64_t ahead_ns = 4 * (uint64_t)params->relay_ns;
    if ((limit->due_ns && limit->sent_ns == sent_ns) || limit->due_ns > now_ns + ahead_ns)
        return false;
    limit->due_ns = (limit->due_ns > now_ns ? limit->due_ns : now_ns) + params->relay_ns;
    limit->sent_ns = sent_ns;
    return true;
}

/* Applies a peer's report on a path of ours. Returns flags of enum edge_due. */
__attribute__((noinline)) int edge_apply_report(const struct edge_arrival *arrival) {
    if (!arrival || !(arrival->option.flags & EDGE_OPTION_FEEDBACK))
        return 0;
    struct edge_address address = arrival->peer;
    uint32_t path = edge_index(arrival->option.feedback_path);
    struct edge_peer *peer = bpf_map_lookup_elem(&peers, &address);
    if (!peer || !edge_wants_reports(peer->params.scheme))
        return 0;
    uint64_t now_ns = arrival->now_ns;
    int due = 0;
    bpf_spin_lock(&peer->lock);
    if (!edge_sent_recently(&peer->params, &peer->paths, path, now_ns)) {
        due = EDGE_NOT_ASKED;
    } else if (path < peer->paths.count) {
        bool marked = arrival->option.flags & EDGE_OPTION_MARKED;
        if (marked) {
            marked = edge_mark_is_due(&peer->params, &peer->mark_limits[path],
                                      arrival->option.sent_ns, now_ns);
            due |= marked ? EDGE_TOOK_MARK : EDGE_LIMITED_MARK;
        }
        bool guest = edge_apply_checked_feedback(&peer->params, &peer->paths, path, marked,
                                                 arrival->option.metric, now_ns);
        if (guest && edge_wants_marks(peer->params.scheme))
            peer->echo_ns = now_ns + peer->params.relay_ns;
    }
    bpf_spin_unlock(&peer->lock);
    return due;
}

/* Counts a peer's report. due: the result of edge_apply_report. */
EDGE_INLINE void edge_count_report(struct edge_account *account, const struct edge_arrival *arrival,
                                   int due) {
    if (!arrival->trusted)
        edge_count(&account->unproved, 1);
    if (due & EDGE_TOOK_MARK)
        edge_count(&account->paths[edge_index(arrival->option.feedback_path)].marks_taken, 1);
    if (due & EDGE_LIMITED_MARK)
        edge_count(&account->marks_limited, 1);
    if (due & EDGE_NOT_ASKED)
        edge_count(&account->not_asked, 1);
}

/* Counts an arriving packet of a guest. bytes: length of its IP packet. */
EDGE_INLINE void edge_count_arrival(struct edge_account *account,
                                    const struct edge_arrival *arrival, uint32_t bytes) {
    struct edge_path_account *path = &account->paths[edge_index(arrival->option.path)];
    edge_count(&path->received_packets, 1);
    edge_count(&path->received_bytes, bytes);
    if (arrival->marked)
        edge_count(&path->received_marks, 1);
}

#endif
