/*
 * Every parameter of every scheme, with its default and where that comes from. There is one set of
 * defaults for all experiments: no scheme is tuned against another.
 *
 * Papers: [C] Katta et al., Clove, CoNEXT 2017 (in its first form HotNets 2016, [H]); [A] Shi et
 * al., ALB, 2019; [I] Shi et al., IntFlow, IEEE TNSM 2020; [P] He et al., Presto, SIGCOMM 2015;
 * [G] Alizadeh et al., CONGA, SIGCOMM 2014.
 */
#ifndef EDGE_PARAMS_H
#define EDGE_PARAMS_H

#include "arithmetic.h"

/* Switches' parameters are fixed, as are those of estimators: none depends on the fabric. */

/* The discounting rate estimator: a register loses 1/8 every 20 us, so that its time constant is
 * 160 us, and 3 bits of it are the metric [G section 3.2]. */
#define EDGE_DRE_STEP_NS 20000u
#define EDGE_DRE_SHIFT 3u
#define EDGE_DRE_LEVELS 8u

/* DREva: how often a packet counts, on top of once, where it was lost [I section III.C, beta]. [I]
 * gives no figure. */
#define EDGE_DREVA_BETA 4u

/* IntFlow's host measures a flow's rate by CONGA's estimator [I section III.B]. */
#define EDGE_RATE_STEP_NS EDGE_DRE_STEP_NS
#define EDGE_RATE_SHIFT EDGE_DRE_SHIFT

/* A load that a leaf heard of counts for 10 ms, whether it came back or is to be fed back
 * [G section 3.3]. */
#define EDGE_LEAF_AGE_NS 10000000u

enum edge_scheme {
    EDGE_ECMP,          /* a hash per flow */
    EDGE_WCMP,          /* a hash per flow, over the controller's weights */
    EDGE_PRESTO,        /* flowcells of 64 KB in weighted round robin [P] */
    EDGE_FLOWLET,       /* a random path per flowlet [C section 3.2] */
    EDGE_CLOVE_ECN,     /* weighted round robin, weights follow marks [C section 3.2] */
    EDGE_CLOVE_INT,     /* the least utilised path [C section 3.2] */
    EDGE_CLOVE_LATENCY, /* the least one-way delay, synchronised clocks [C section 7] */
    EDGE_ALB,           /* the least one-way delay over its baseline [A section II] */
    EDGE_INTFLOW, /* the leaf switch chooses, told by the host's instruction [I section III] */
    EDGE_SCHEMES
};

struct edge_params {
    uint32_t scheme; /* enum edge_scheme */

    /* Round-trip time of an idle network. The papers give their times in it; measured per fabric.
     */
    uint32_t rtt_ns;

    /* Idle time that begins a flowlet: 1 RTT [C section 5.2]; 250 us, 500 us with a bursty TCP
     * [A section III.B, I section IV]. */
    uint32_t gap_ns;

    /* Share of the spread between the paths' delays that is added to gap_ns, in 1/256; 0 is the
     * fixed gap of [C]; 256 the adaptive one of [C section 7]. Of schemes that measure delays. */
    uint32_t gap_adapt;

    /* CLOVE-ECN: a marked path loses 1/cut of its weight: a third [C section 3.2]. */
    uint32_t cut;

    /* CLOVE-ECN: a path counts as congested for this long after a mark. [C] does not say; 2 RTT:
     * a mark that persists is relayed again within half an RTT. */
    uint32_t congested_ns;

    /* CLOVE-ECN: no path's weight falls below prior / floor. [C] does not say; without a floor a
     * path that heals is never tried again. */
    uint32_t floor;

    /* CLOVE-ECN: every so often, weights of paths without marks go 1/8 of the way back to the
     * prior; 0: never, as in [C]. */
    uint32_t recover_ns;

    /* How often a mark of one path is relayed at most: RTT / 2 [C section 3.2, relay frequency]. */
    uint32_t relay_ns;

    /* Utilisation or delay of a path older than this counts as 0, so that the path is tried again:
     * 10 ms [G section 3.3]. */
    uint32_t metric_age_ns;

    /* Of schemes that choose by a metric: one in so many new flowlets takes a path by its prior,
     * whatever is heard of paths. So what a peer says, or is forged in its name, leaves each path a
     * share, and measures it again. 0: none, as in [A] and [C], and the default here;
     * evenweave-edge has EDGE_EXPLORE. */
    uint32_t explore;

    /* A report about a path counts only if a packet left by the path in the last answer_ns, or up
     * to twice that: whoever forges reports cannot speak of paths that nobody measures. 0: all
     * count, as in [A] and [C], and the default here; evenweave-edge has EDGE_ANSWER_RTTS. */
    uint32_t answer_ns;

    /* Where priors differ, metrics that are equal except for so many of their last bits count as
     * equal, and the prior decides among them. Of delays a 16th of an RTT at most, about what a
     * packet or two ahead make; [A] and [C] have no prior. 0 to 31. */
    uint32_t alike;

    /* ALB: feedback that found no packet back for beta RTTs travels in a probe: beta = 2
     * [A section II.B b]. */
    uint32_t probe_rtts;

    /* ALB: 1: what acknowledges another path than the flow takes now counts for nothing
     * [A section II.B d]. The caller's, who sees acknowledgements. */
    uint32_t ack_correction;

    /* ALB: the baseline of one-way delays is measured again this often, against clock drift: "every
     * few RTTs" [A section II.B b]; and whenever the least RTT changes. */
    uint32_t baseline_ns;

    /* Presto: bytes of a flowcell: 64 KB [P section 2.2]. */
    uint32_t flowcell_bytes;

    /* How long the receiver's reordering waits for what is missing. [P section 3.2] adapts it; 2
     * RTT here. */
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

    /* IntFlow: for so long after an instruction to reroute a flow none follows, and what is sent
     * anew meanwhile, lost on the path before, does not count. 0: as in [I], whose leaf moves each
     * packet of a flow until a window without loss. */
    uint32_t settle_ns;
};

/* The least share that CLOVE-ECN's floor leaves a path, too. */
#define EDGE_EXPLORE 16u

/* For how many round-trip times a report may be in flight: that of an idle fabric is meant, and a
 * report may wait for a packet back (probe_rtts). */
#define EDGE_ANSWER_RTTS 16u

/* Whether what the scheme knows of a path is its delay. */
EDGE_INLINE bool edge_measures_delays(uint32_t scheme) {
    return scheme == EDGE_CLOVE_LATENCY || scheme == EDGE_ALB;
}

/* The bits of a delay up to a 16th of an RTT; utilisations are compared as they are. */
EDGE_INLINE uint32_t edge_alike(enum edge_scheme scheme, uint32_t rtt_ns) {
    uint32_t bits = 0;
    while (edge_measures_delays(scheme) && 32u << bits <= rtt_ns)
        bits++;
    return bits;
}

/*
 * The defaults for a fabric of this round-trip time and access link.
 *
 * rtt_ns: of an idle network, 1 to 100,000,000. link_bps: of the host, above 0.
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
        .alike = edge_alike(scheme, rtt_ns),
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
