/*
 * The controller's agent on a host, in the thread that owns the queues. It applies START and STOP
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
    uint64_t generation; /* of the controller; 0: a controller without generations */
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

/* The state of a queue: the current commands and the last reported values. */
struct queue_control {
    uint64_t sequence;      /* of the last command */
    struct sdd_window slot; /* START's slot, if it has an end; else open_ns is -1 */
    bool set_up;            /* created, or got a mapping, in this session */
    int64_t drain_rate_bps; /* the configured rate while the safe policy's rate applies */
    int64_t reported_received_bytes;
    int64_t reported_sent_bytes;
    uint64_t reported_misses; /* sum of its miss counters */
};

struct agent {
    struct host *host;
    const struct clock *clock;
    struct datagram_filter filter;
    int socket; /* socket for datagrams */
    struct session_parameters session;
    bool welcomed;      /* a session has existed; before, the configuration's safe policy applies */
    int32_t last_queue; /* queue that is open until a controller connects; -1: none */
    bool controller_lost;
    bool clock_off;
    bool safe; /* the safe policy applies */
    bool safe_reported;
    _Atomic int64_t take_over_after_ns; /* of the session; any thread may read it */
    _Atomic int64_t last_datagram_ns;   /* time of the last accepted datagram or Welcome; any thread
                                           may read it */
    struct queue_control *queues;
    struct followed followed; /* the followed controller; for any thread */
    int loss; /* an eventfd: number of changes of controller_lost since the last log line */
    bool loss_logged;
};

/* Opens a socket for datagrams at the address by which this machine reaches the first controller;
 * the configuration must ensure that all others reach it too. Returns -1 with errno. */
int agent_datagram_socket(const struct control_config *config);

/* Opens the agent. Returns false after logging an error. */
bool agent_open(struct agent *agent, struct host *host, const struct clock *clock);
void agent_close(struct agent *agent);

/* Processes pending datagrams, when agent->socket is readable. */
void agent_receive_datagrams(void *agent);

/*
 * Opens or configures a queue for the controller or an application. While the safe policy's rate
 * applies, it replaces the queue's; a queue without a rate gets the link's if paceToLink is set.
 * Returns the errors of sdd_open_queue and sdd_configure_queue.
 */
enum sdd_status agent_set_queue(struct agent *agent, uint32_t queue,
                                const struct sdd_queue_config *config, int64_t now_ns);

/* Detects the loss of the controller. Called once per turn of the loop. */
void agent_turn(struct agent *agent, int64_t now_ns);

/* Begins a new session: removes conditions and triggers of earlier sessions, except those of
 * applications, and except slots from a controller with generations, whose schedule continues.
 * Queues and mappings stay until setup_end. */
void agent_welcome(struct agent *agent, const struct session_parameters *session, int64_t now_ns);

/* Logs that the controller is lost or heard again, unless that was the last message. Called when
 * agent->loss is readable, in a thread that may block on the log. */
void agent_log_loss(struct agent *agent);

/* Sets the state of the clock. off: its error bound exceeds the guard. */
void agent_set_clock(struct agent *agent, bool off, int64_t now_ns);

#endif
