/*
 * The values from which schemes' parameters are derived. A file sets them for all peers, and a
 * controller may override them for some.
 */
#ifndef EDGE_TUNING_H
#define EDGE_TUNING_H

#include "edge/params.h"

#define SETTLE_BY_RTT UINT32_MAX
/* In round-trip times of the idle fabric; real ones are longer when a flow is rerouted, because of
 * queues. */
#define SETTLE_RTTS 4u

/* The thresholds of IntFlow's instructions, in its flows' real time. */
struct intflow_tuning {
    uint32_t link_mbps; /* rate of the host's link */
    uint32_t delay_ns;  /* one-way delay from which on a path is congested */
    uint32_t window_ns; /* window for counting retransmissions */
    uint32_t timeout_ns;
    uint32_t settle_ns;  /* wait after a reroute; SETTLE_BY_RTT: SETTLE_RTTS round-trip times */
    uint32_t size_bytes; /* flows that have sent less are small */
};

struct tuning {
    uint32_t rtt_ns;
    uint32_t gap_ns;
    uint32_t gap_percent;   /* share of the spread between paths' delays that is added to the gap */
    uint32_t relay_ns;      /* for CLOVE-ECN; 0: half the round-trip time */
    uint32_t metric_age_ns; /* how long a path's delay or utilisation is valid */
    struct intflow_tuning intflow;
};

/* The values of a file without any of the fields. */
extern const struct tuning default_tuning;

/*
 * The factor by which time is slower for IntFlow's flows, at least 1. Its rate estimator covers the
 * last 160 us at 10 Gb/s, which is less than a packet on slow links.
 */
uint32_t tuning_slower(const struct tuning *tuning);

/* Returns a scheme's parameters. Only IntFlow's depend on the link's rate. */
struct edge_params tuning_params(enum edge_scheme scheme, const struct tuning *tuning);

/* Returns the share of the delays' spread in a scheme's parameters, in percent. */
uint32_t tuning_gap_percent(const struct edge_params *params);

#endif
