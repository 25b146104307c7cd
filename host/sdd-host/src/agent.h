/*
 * What a controller has to do with a host, on the side of the thread that owns its queues: START
 * and STOP datagrams, requests, reports, and the safe policy when the controller is lost or the
 * clock is off (docs/reference/sdd-protocol.md). All functions are for that thread: others call
 * them in jobs.
 */
#ifndef SDD_HOST_AGENT_H
#define SDD_HOST_AGENT_H

#include "datagram.h"
#include "host.h"
#include "wire.h"

/* What Welcome says. */
struct session_parameters {
    uint64_t session_id;
    uint8_t key[WIRE_KEY_BYTES];
    enum sdd_wire_clock clock;
    int64_t epoch_ns;
    int64_t period_ns;
    int64_t guard_ns;
    int64_t lost_after_ns;
    enum sdd_wire_safePolicy policy;
    int64_t safe_rate_bps;
};

/* Of each queue, for datagrams and reports. */
struct queue_control {
    uint64_t sequence;      /* of the last command */
    struct sdd_window slot; /* START's, if it has an end; else open_ns is -1 */
    int64_t drain_rate_bps; /* as commanded, while the safe policy's rate is in force */
    int64_t reported_received_bytes;
    int64_t reported_sent_bytes;
    uint64_t reported_misses; /* sum of its counters */
};

struct agent {
    struct host *host;
    const struct clock *clock;
    struct datagram_filter filter;
    int socket; /* for datagrams */
    struct session_parameters session;
    bool welcomed; /* since the start; before, the configuration alone counts */
    bool controller_lost;
    bool clock_off;
    bool safe; /* the safe policy is in force */
    bool safe_reported;
    int64_t last_datagram_ns; /* the last accepted datagram, or Welcome */
    struct queue_control *queues;
};

/* False: said why. */
bool agent_open(struct agent *agent, struct host *host, const struct clock *clock);
void agent_close(struct agent *agent);

/* Takes all datagrams that wait; to be called when agent->socket can be read. */
void agent_receive_datagrams(void *agent);

/* To be called every turn. */
void agent_turn(struct agent *agent, int64_t now_ns);

/* A new session begins: conditions and triggers of earlier ones go. */
void agent_welcome(struct agent *agent, const struct session_parameters *session, int64_t now_ns);

/* The clock can, or cannot, be relied on. */
void agent_set_clock(struct agent *agent, bool off, int64_t now_ns);

#endif
