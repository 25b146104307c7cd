/*
 * The controller's agent of a host, in the thread that owns its queues: applies START and STOP
 * datagrams, and the safe policy when the controller is lost or the clock is off
 * (docs/reference/sdd-protocol.md). All functions are for that thread: others call them in jobs.
 */
#ifndef SDD_HOST_AGENT_H
#define SDD_HOST_AGENT_H

#include <stdatomic.h>

#include "datagram.h"
#include "followed.h"
#include "host.h"
#include "wire.h"

/* The fields of Welcome. */
struct session_parameters {
    uint64_t session_id;
    uint64_t generation; /* of the controller; 0: it has none, and knows of none before it */
    uint8_t key[WIRE_KEY_BYTES];
    enum sdd_wire_clock clock;
    int64_t epoch_ns;
    int64_t period_ns;
    int64_t guard_ns;
    int64_t lost_after_ns;
    int64_t take_over_after_ns;
    enum sdd_wire_safePolicy policy;
    int64_t safe_rate_bps;
    int64_t packet_delay_ns; /* sdd_set_packet_delay */
};

/* Per queue: the commands in force, and what was last reported. */
struct queue_control {
    uint64_t sequence;      /* of the last command */
    struct sdd_window slot; /* START's, if it has an end; else open_ns is -1 */
    bool set_up;            /* created, or flows were mapped to it, in this session */
    int64_t drain_rate_bps; /* the configured one, while the safe policy's rate is in force */
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
    bool welcomed; /* there has been a session; before, the configuration's safe policy counts */
    int32_t last_queue; /* that is there until a controller is; -1: none */
    bool controller_lost;
    bool clock_off;
    bool safe; /* the safe policy is in force */
    bool safe_reported;
    _Atomic int64_t take_over_after_ns; /* the session's; any thread reads */
    _Atomic int64_t last_datagram_ns; /* the last accepted datagram, or Welcome; any thread reads */
    struct queue_control *queues;
    struct followed followed; /* of the controllers; any thread */
    int loss;                 /* an eventfd: how often controller_lost has changed since logged */
    bool loss_logged;
};

/* A socket for datagrams, at the address by which this machine reaches the first controller, and,
   as its configuration has to see to, all others. -1: errno. */
int agent_datagram_socket(const struct control_config *config);

/* False: failed and logged. */
bool agent_open(struct agent *agent, struct host *host, const struct clock *clock);
void agent_close(struct agent *agent);

/* Processes pending datagrams, when agent->socket is readable. */
void agent_receive_datagrams(void *agent);

/*
 * Opens or configures a queue, for the controller or an application; the safe policy's rate counts
 * while it is in force, and the link's where queues without a rate get that. Errors as of
 * sdd_open_queue and sdd_configure_queue.
 */
enum sdd_status agent_set_queue(struct agent *agent, uint32_t queue,
                                const struct sdd_queue_config *config, int64_t now_ns);

/* Once per turn of the loop: detects the loss of the controller. */
void agent_turn(struct agent *agent, int64_t now_ns);

/* Begins a new session: removes conditions and triggers of earlier ones, but not applications', and
   not slots that a controller has given that knows of generations: what was handed out goes on.
   Queues and mappings stay until setup_end. */
void agent_welcome(struct agent *agent, const struct session_parameters *session, int64_t now_ns);

/* When agent->loss is readable, in a thread that may wait for the log: says that the controller is
   lost or heard again, if that is not what it said last. */
void agent_log_loss(struct agent *agent);

/* off: the clock's error bound exceeds the guard. */
void agent_set_clock(struct agent *agent, bool off, int64_t now_ns);

#endif
