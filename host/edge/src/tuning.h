/*
 * The values from which schemes' parameters are derived: a file sets them for all peers, and a
 * controller may override them for some.
 */
#ifndef EDGE_TUNING_H
#define EDGE_TUNING_H

#include "edge/params.h"

#define SETTLE_BY_RTT UINT32_MAX
/* Round trips of the idle fabric: where a flow is moved they are longer, by the queues. */
#define SETTLE_RTTS 4u

/* What IntFlow tells leaves by, in its flows' real time. */
struct intflow_tuning {
    uint32_t link_mbps; /* of the host's link */
    uint32_t delay_ns;  /* one-way, from which on a path is congested */
    uint32_t window_ns; /* over which retransmissions are counted */
    uint32_t timeout_ns;
    uint32_t settle_ns;  /* after a flow was rerouted; SETTLE_BY_RTT: SETTLE_RTTS round trips */
    uint32_t size_bytes; /* a flow that has sent less is small */
};

struct tuning {
    uint32_t rtt_ns;
    uint32_t gap_ns;
    uint32_t gap_percent;   /* of the spread between paths' delays, added to the gap */
    uint32_t relay_ns;      /* CLOVE-ECN's; 0: half the round-trip time */
    uint32_t metric_age_ns; /* how long a path's delay or utilisation counts */
    struct intflow_tuning intflow;
};

/* What a file without any of the fields means. */
extern const struct tuning default_tuning;

/*
 * By how many times time passes more slowly for IntFlow's flows, 1 or more: what it estimates of a
 * rate is by the last 160 us at 10 Gb/s, less than a packet where links are slow.
 */
uint32_t tuning_slower(const struct tuning *tuning);

/* A scheme's parameters. Only IntFlow's depend on the link's rate. */
struct edge_params tuning_params(enum edge_scheme scheme, const struct tuning *tuning);

/* The share that a scheme's parameters have of the spread between delays, in percent. */
uint32_t tuning_gap_percent(const struct edge_params *params);

#endif
