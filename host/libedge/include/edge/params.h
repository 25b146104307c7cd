/*
 * All parameters of all schemes, with their defaults and sources. All experiments use the same
 * defaults: no scheme is tuned against another.
 *
 * Papers: [C] Katta et al., Clove, CoNEXT 2017 (in its first form HotNets 2016, [H]); [A] Shi et
 * al., ALB, 2019; [I] Shi et al., IntFlow, IEEE TNSM 2020; [P] He et al., Presto, SIGCOMM 2015;
 * [G] Alizadeh et al., CONGA, SIGCOMM 2014.
 */
#ifndef EDGE_PARAMS_H
#define EDGE_PARAMS_H

#include "arithmetic.h"
#include "schemes.h"

/* Parameters of switches and estimators are constants, because none depends on the fabric. */

/* The discounting rate estimator: a register loses 1/8 every 20 us, so its time constant is 160 us.
 * Its load in 3 bits is the metric [G section 3.2]. */
#define EDGE_DRE_STEP_NS 20000u
#define EDGE_DRE_SHIFT 3u
#define EDGE_DRE_LEVELS 8u

/* DREva: how many additional times a lost packet counts on the link that lost it [I section III.C,
 * beta]. [I] gives no value. */
#define EDGE_DREVA_BETA 4u

/* IntFlow's host measures a flow's rate by CONGA's estimator [I section III.B]. */
#define EDGE_RATE_STEP_NS EDGE_DRE_STEP_NS
#define EDGE_RATE_SHIFT EDGE_DRE_SHIFT

/* A leaf uses a load that another leaf reported, and feeds back a load that it observed, for 10 ms
 * [G section 3.3]. */
#define EDGE_LEAF_AGE_NS 10000000u

struct edge_params {
    uint32_t scheme; /* enum edge_scheme */

    /* Round-trip time of an idle network, measured per fabric; the papers' unit of time. */
    uint32_t rtt_ns;

    /* Idle time that begins a flowlet: 1 RTT [C section 5.2]; 250 us, 500 us with a bursty TCP
     * [A section III.B, I section IV]. */
    uint32_t gap_ns;

    /* Share of the spread between the paths' delays that is added to gap_ns, in 1/256: 0 is the
     * fixed gap of [C], 256 the adaptive one of [C section 7]. For schemes that measure delays. */
    uint32_t gap_adapt;

    /* CLOVE-ECN: a marked path loses 1/cut of its weight: a third [C section 3.2]. */
    uint32_t cut;

    /* CLOVE-ECN: a path counts as congested for this long after a mark. [C] gives no value; the
     * default is 2 RTT, because persistent congestion is reported every half RTT. */
    uint32_t congested_ns;

    /* CLOVE-ECN: no path's weight falls below prior / floor. [C] gives no value; without a floor a
     * healed path would never be used again. */
    uint32_t floor;

    /* CLOVE-ECN: the interval after which weights of paths without marks move 1/8 of the way back
     * to the prior; 0: never, as in [C]. */
    uint32_t recover_ns;

    /* The least time between two reports of a mark on the same path: RTT / 2 [C section 3.2, relay
     * frequency]. */
    uint32_t relay_ns;

    /* A utilisation or delay older than this counts as 0, so that the path is tried again: 10 ms [G
     * section 3.3]. */
    uint32_t metric_age_ns;

    /*
     * For schemes that choose by a metric: one in `explore` new flowlets takes a path by its prior,
     * independently of reports. Reports of a peer, genuine or forged, thus leave each path a share,
     * and each path is measured again. 0: none, as in [A] and [C], and the default here;
     * evenweave-edge uses EDGE_EXPLORE.
     */
    uint32_t explore;

    /*
     * A report about a path counts only if a packet left by that path in the last answer_ns to 2 *
     * answer_ns. Forged reports thus cannot affect paths that are not in use. 0: all reports count,
     * as in [A] and [C], and the default here; evenweave-edge uses EDGE_ANSWER_RTTS.
     */
    uint32_t answer_ns;

    /*
     * If priors differ, metrics that are equal except for this many low bits count as equal, and
     * the prior decides among their paths. For delays this is at most a 16th of an RTT, about the
     * delay that one or two queued packets cause. [A] and [C] have no prior. 0 to 31.
     */
    uint32_t alike;

    /* ALB: after beta RTTs without a packet to carry it, feedback travels in a probe: beta = 2 [A
     * section II.B b]. */
    uint32_t probe_rtts;

    /* ALB: 1: acknowledgements for another path than the flow's current one are ignored [A section
     * II.B d]. The caller applies it, because libedge does not see acknowledgements. */
    uint32_t ack_correction;

    /* ALB: the window after which the baseline of one-way delays is measured again, against clock
     * drift: "every few RTTs" [A section II.B b]. A changed least RTT also begins a new window. */
    uint32_t baseline_ns;

    /* Presto: bytes of a flowcell: 64 KB [P section 2.2]. */
    uint32_t flowcell_bytes;

    /* How long the receiver waits for a missing packet while it restores order. [P section 3.2]
     * adapts the time; here it is 2 RTT. */
    uint32_t reorder_ns;

    /* IntFlow, [I section III.B]: retransmitted share (1/1024; 1 %), time-outs in a window (3),
     * the window ("every few milliseconds"), one-way delay (180 us), size (600 KB), rate (30 % of
     * the link). */
    uint32_t retransmissions_per_1024;
    uint32_t timeouts;
    uint32_t window_ns;
    uint32_t delay_high_ns;
    uint32_t size_bytes;
    uint64_t rate_bps;

    /* IntFlow: a retransmission after this much silence is a time-out: the least retransmission
     * time-out of the transport. */
    uint32_t timeout_ns;

    /*
     * IntFlow: after an instruction to reroute a flow, the time in which no other follows and
     * retransmissions do not count, because the previous path lost those packets. 0: as in [I], in
     * which the leaf reroutes each packet of a flow until a window without loss.
     */
    uint32_t settle_ns;
};

/* One flowlet in 16 explores: the same share that CLOVE-ECN's floor guarantees a path. */
#define EDGE_EXPLORE 16u

/*
 * The age of the newest packet on a path, in RTTs of an idle fabric, up to which a report about the
 * path counts. A loaded fabric is slower, and a report may wait for a returning packet
 * (probe_rtts).
 */
#define EDGE_ANSWER_RTTS 16u

/* The default of `alike`: for delays the number of bits below a 16th of an RTT; for utilisations 0,
 * because they are compared exactly. */
EDGE_INLINE uint32_t edge_default_alike(enum edge_scheme scheme, uint32_t rtt_ns) {
    uint32_t bits = 0;
    while (edge_measures_delays(scheme) && 32u << bits <= rtt_ns)
        bits++;
    return bits;
}

/*
 * The defaults for a fabric of this round-trip time and access link.
 *
 * rtt_ns: round-trip time of an idle network, 1 to 100,000,000. link_bps: rate of the host's link,
 * above 0.
 */
EDGE_INLINE struct edge_params edge_defaults(enum edge_scheme scheme, uint32_t rtt_ns,
                                             uint64_t link_bps) {
    struct edge_params params = {
        .scheme = scheme,
        .rtt_ns = rtt_ns,
        .gap_ns = 250000,
        .gap_adapt = 0,
        .cut = 3,
        .congested_ns = 2 * rtt_ns,
        .floor = 16,
        .recover_ns = 4 * rtt_ns,
        .relay_ns = rtt_ns / 2,
        .metric_age_ns = 10000000,
        .explore = 0,
        .answer_ns = 0,
        .alike = edge_default_alike(scheme, rtt_ns),
        .probe_rtts = 2,
        .ack_correction = scheme == EDGE_ALB,
        .baseline_ns = 16 * rtt_ns,
        .flowcell_bytes = 65536,
        .reorder_ns = 2 * rtt_ns,
        .retransmissions_per_1024 = 10,
        .timeouts = 3,
        .window_ns = 4000000,
        .delay_high_ns = 180000,
        .size_bytes = 600000,
        .rate_bps = link_bps / 10 * 3,
        .timeout_ns = 5000000,
        .settle_ns = 0,
    };
    return params;
}

#endif
