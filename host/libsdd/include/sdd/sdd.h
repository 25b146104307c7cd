/*
 * The Software Defined Dataplane of one end host: its SDDQueues and the conditions that determine
 * when each may transmit (Tewari 2015, chapter 5).
 *
 * libsdd does no input or output, reads no clock (time is an argument, in nanoseconds) and
 * allocates no memory after sdd_create. One thread at a time may use a struct sdd, unless a comment
 * says otherwise. With sdd/pipe.h a second core transmits.
 *
 * Time is monotonic: a now_ns earlier than a previous one counts as that one.
 *
 * A queue may transmit if it has packets, its drain rate allows it and
 *   - it has never been given a dequeue condition (unless closed_by_default), or
 *   - one of its dequeue conditions is true.
 * Among the queues that may transmit, those of the highest priority take turns packet by packet.
 *
 * If the conditions of a queue allow a packet, it goes to the queue's network. A queue of circuits
 * may also have packet slots: while its conditions are false, a packet slot allows it to transmit
 * by the packet switch at the slot's rate. A flow still keeps its order while its packets stay in
 * one queue: the queue uses a circuit only when the packets that it sent by the packet switch have
 * arrived (sdd_set_packet_delay).
 */
#ifndef SDD_SDD_H
#define SDD_SDD_H

#include "base/time.h"
#include "sdd/match.h"
#include "sdd/packet.h"
#include "sdd/program.h"
#include "sdd/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SDD_MAX_QUEUES 262144 /* conditions can name the first 65,535 */
#define SDD_PRIORITIES 64
#define SDD_FLOW_PRIORITIES 8
#define SDD_MAX_DRAIN_RATE_BPS INT64_C(10000000000000) /* 10 Tb/s */

/* Capacities, for which sdd_create allocates all memory. */
struct sdd_limits {
    uint32_t max_queues;     /* 1 to SDD_MAX_QUEUES; queues are numbered from 0 */
    uint32_t max_flows;      /* flows with packets, or idle; the longest idle is replaced */
    uint32_t max_mappings;   /* flow match expressions */
    uint32_t max_slots;      /* time slots and packet slots of all queues that are not over */
    uint32_t max_conditions; /* dequeue conditions that are neither constant nor slots */
    uint32_t max_triggers;
    uint32_t max_events; /* waiting events per recipient; rounded up to a power of two */
    uint64_t hash_seed;  /* must be secret if untrusted parties choose the flows */
};

struct sdd;
struct sdd_queue;

/* Creates a dataplane. *sdd is set only if SDD_OK. SDD_ERR_ARGUMENT, SDD_ERR_MEMORY. */
enum sdd_status sdd_create(const struct sdd_limits *limits, struct sdd **sdd);

/* Destroys a dataplane, or null. The caller still owns queued packets. */
void sdd_destroy(struct sdd *sdd);

/* ---- Queues (section 5.3.2) ---- */

/*
 * getNext(): returns the flow whose first packet leaves the queue next. Called only for a queue
 * with packets. Must be quick and must not call functions that take a struct sdd. If the result is
 * null or a flow without packets in this queue, sdd_next_fifo chooses.
 */
typedef struct sdd_flow *(*sdd_get_next)(struct sdd_queue *queue, void *context);

/* The flow whose first packet arrived first. The default. O(1). */
struct sdd_flow *sdd_next_fifo(struct sdd_queue *queue, void *context);

/* The flow that has waited longest for its turn: hierarchical sharing (section 5.4.4). O(1). */
struct sdd_flow *sdd_next_round_robin(struct sdd_queue *queue, void *context);

/* A flow of the highest flow priority; flows of one priority take turns. O(1). */
struct sdd_flow *sdd_next_strict_priority(struct sdd_queue *queue, void *context);

/* For user-defined getNext(): iterates over flows with packets, the one served longest ago first;
 * null ends. */
struct sdd_flow *sdd_first_flow(struct sdd_queue *queue);
struct sdd_flow *sdd_following_flow(struct sdd_queue *queue, struct sdd_flow *flow);
const struct sdd_packet *sdd_flow_head(const struct sdd_flow *flow);
unsigned sdd_flow_priority(const struct sdd_flow *flow);
const struct sdd_queue_stats *sdd_stats_of(const struct sdd_queue *queue);

struct sdd_queue_config {
    uint8_t priority;       /* 0 to SDD_PRIORITIES - 1; higher goes first */
    bool closed_by_default; /* without a condition the queue does not transmit */
    int64_t drain_rate_bps; /* 0: no limit; at most SDD_MAX_DRAIN_RATE_BPS; counts packets' bytes */
    int64_t max_packets;    /* 0: no limit */
    int64_t max_bytes;      /* 0: no limit */
    enum sdd_network network; /* to which the queue transmits by its conditions */
    sdd_get_next get_next;    /* null: sdd_next_fifo */
    void *get_next_context;
};

/* Opens a queue. SDD_ERR_ARGUMENT (number or config out of range), SDD_ERR_EXISTS. */
enum sdd_status sdd_open_queue(struct sdd *sdd, uint32_t queue,
                               const struct sdd_queue_config *config);

/*
 * Applies the whole config at once. Packets above a new maximum stay queued. A new drain rate also
 * scales the current wait after the last packet. SDD_ERR_QUEUE, SDD_ERR_ARGUMENT.
 */
enum sdd_status sdd_configure_queue(struct sdd *sdd, uint32_t queue,
                                    const struct sdd_queue_config *config, int64_t now_ns);

/* Closes a queue and removes its conditions and triggers. SDD_ERR_QUEUE, SDD_ERR_BUSY (it has
 * packets or mappings). */
enum sdd_status sdd_close_queue(struct sdd *sdd, uint32_t queue, int64_t now_ns);

/* Returns a pointer to the queue's live statistics, valid until it is closed; null if it is not
 * open. */
const struct sdd_queue_stats *sdd_stats(const struct sdd *sdd, uint32_t queue);

/* Copies a queue's configuration. SDD_ERR_QUEUE. */
enum sdd_status sdd_queue_config(const struct sdd *sdd, uint32_t queue,
                                 struct sdd_queue_config *config);

/* ---- Flows (section 5.3.3) ---- */

/*
 * MapFlow: maps matching flows to the queue, unless a more specific mapping matches (sdd/match.h).
 * Replaces an existing mapping with the same match. flow_priority (0 to SDD_FLOW_PRIORITIES - 1) is
 * for sdd_next_strict_priority. Flows that change queue move with their packets, in order. O(1) if
 * the match is one flow, else O(flows + packets that move + packets among which they are sorted).
 * SDD_ERR_ARGUMENT, SDD_ERR_QUEUE, SDD_ERR_FULL (mappings, or 64 different combinations of prefix
 * lengths and wildcards).
 */
enum sdd_status sdd_map_flow(struct sdd *sdd, uint32_t queue, const struct sdd_match *match,
                             uint8_t flow_priority, int64_t now_ns);

/*
 * Removes the mapping with exactly this match. Its flows' packets move to the queue of the next
 * best mapping; without one they stay, and new packets are refused. SDD_ERR_NOT_FOUND.
 */
enum sdd_status sdd_unmap_flow(struct sdd *sdd, const struct sdd_match *match, int64_t now_ns);

/*
 * MoveFlows: moves the mapping with exactly this match, and its flows' packets in order, from one
 * queue to another. SDD_ERR_QUEUE, SDD_ERR_NOT_FOUND (this match is not mapped to old_queue).
 */
enum sdd_status sdd_move_flows(struct sdd *sdd, uint32_t old_queue, uint32_t new_queue,
                               const struct sdd_match *match, int64_t now_ns);

/* Finds the queue of the mapping with exactly this match. SDD_ERR_NOT_FOUND. */
enum sdd_status sdd_mapped_queue(struct sdd *sdd, const struct sdd_match *match, uint32_t *queue);

/*
 * Marks all existing mappings as old until they are mapped again. A caller that replaces all
 * mappings finds the ones to remove this way. O(1).
 */
void sdd_age_mappings(struct sdd *sdd);

/*
 * Whether the mapping with this number is an old one; if so, fills in its match and its queue.
 * Mappings keep their numbers, 0 to max_mappings - 1.
 */
bool sdd_old_mapping(const struct sdd *sdd, uint32_t number, struct sdd_match *match,
                     uint32_t *queue);

/*
 * GetQueuesForFlows: returns the number of distinct queues to which flows of this match are mapped,
 * and fills in the first capacity of them. A queue is omitted if a single mapping of higher
 * precedence covers its whole share, but not if only several together do. O(mappings).
 */
uint32_t sdd_queues_for_flows(struct sdd *sdd, const struct sdd_match *match, uint32_t *queues,
                              uint32_t capacity);

/* ---- Conditional dequeue (section 5.3.3) ---- */

/*
 * AddDequeueCondition. A constant replaces the existing constant, so that START may add TRUE, and
 * STOP may add FALSE or remove TRUE (sections 5.4.1 and 4.7.1). A condition on currTime alone is
 * compiled to time slots. Slots are removed when they are over, and a queue whose conditions have
 * all expired stays closed. A condition may be added more than once. SDD_ERR_QUEUE,
 * SDD_ERR_PROGRAM, SDD_ERR_FULL (slots or conditions).
 */
enum sdd_status sdd_add_dequeue_condition(struct sdd *sdd, uint32_t queue,
                                          const struct sdd_program *condition, int64_t now_ns);

/* Adds the condition "currTime >= open_ns AND currTime < close_ns" without a program. */
enum sdd_status sdd_add_slot(struct sdd *sdd, uint32_t queue, struct sdd_window slot,
                             int64_t now_ns);

/* Removes one slot with this window that is not over. SDD_ERR_QUEUE, SDD_ERR_NOT_FOUND. */
enum sdd_status sdd_remove_slot(struct sdd *sdd, uint32_t queue, struct sdd_window slot,
                                int64_t now_ns);

/*
 * RemoveDequeueCondition: removes one condition with equal byte code, or, if it depends on time
 * alone, with equal slots that are not over. After its last condition is removed, a queue is as if
 * it never had one, unless a condition expired. SDD_ERR_QUEUE, SDD_ERR_PROGRAM, SDD_ERR_NOT_FOUND.
 */
enum sdd_status sdd_remove_dequeue_condition(struct sdd *sdd, uint32_t queue,
                                             const struct sdd_program *condition, int64_t now_ns);

/* Removes all conditions and packet slots, and resets the queue if conditions expired.
 * SDD_ERR_QUEUE. */
enum sdd_status sdd_clear_dequeue_conditions(struct sdd *sdd, uint32_t queue, int64_t now_ns);

/* Removes all conditions except slots that are not over, and all packet slots. Without slots it is
 * the same as sdd_clear_dequeue_conditions. SDD_ERR_QUEUE. */
enum sdd_status sdd_clear_all_but_slots(struct sdd *sdd, uint32_t queue, int64_t now_ns);

/*
 * Adds a packet slot to a queue of circuits. In the slot, while no condition is true (those that
 * name other queues are not considered), the queue may transmit by the packet switch: in total at
 * most rate_bps (1 to SDD_MAX_DRAIN_RATE_BPS) times the slots' duration plus one packet. Of
 * overlapping slots the one that begins first applies. A slot is removed when it is over; a slot in
 * the past is not added. SDD_ERR_QUEUE, SDD_ERR_ARGUMENT, SDD_ERR_FULL.
 */
enum sdd_status sdd_add_packet_slot(struct sdd *sdd, uint32_t queue, struct sdd_window slot,
                                    int64_t rate_bps, int64_t now_ns);

/*
 * The maximum additional delay of a packet by the packet switch compared with a circuit; initially
 * 0. A queue transmits to a circuit only when this time has passed since its last transmission by
 * the packet switch. libsdd assumes that the packet switch is never faster than a circuit, because
 * circuits have no queue. O(queues). SDD_ERR_ARGUMENT: negative.
 */
enum sdd_status sdd_set_packet_delay(struct sdd *sdd, int64_t delay_ns, int64_t now_ns);

/* Overrides the conditions of all queues, without changing them, while they cannot be relied on;
 * all packets then leave by the packet switch. Drain rates always apply. */
enum sdd_override { SDD_BY_CONDITIONS, SDD_ALL_OPEN, SDD_ALL_CLOSED };

/* Sets the override. O(queues). SDD_ERR_ARGUMENT. */
enum sdd_status sdd_set_override(struct sdd *sdd, enum sdd_override override, int64_t now_ns);

/* Whether the queue may transmit at now_ns; false also if it is not open or has no packets. */
bool sdd_may_transmit(struct sdd *sdd, uint32_t queue, int64_t now_ns);

/* ---- Triggers ---- */

/* The recipient of a trigger's events: the controller, the applications that listen to the
 * trigger's queue, or the application that set the trigger. */
enum sdd_trigger_target { SDD_TO_CONTROLLER, SDD_TO_LISTENERS, SDD_TO_APPLICATION };

/* A trigger that fired. */
struct sdd_event {
    uint32_t trigger;
    uint32_t queue;
    enum sdd_trigger_target target;
    uint64_t cookie; /* chosen by the caller of sdd_add_trigger */
    int64_t time_ns; /* when the condition became true; see sdd_add_trigger */
    int64_t packets; /* queued at that time */
    int64_t bytes;
};

/*
 * Adds a trigger that fires an event whenever the condition of this queue becomes true, and at once
 * if it is true now. For conditions on time and the queue itself the event's time is exact to the
 * nanosecond; conditions that name other queues are evaluated in each sdd_dequeue and sdd_poll.
 * *trigger: receives its number. SDD_ERR_QUEUE, SDD_ERR_PROGRAM, SDD_ERR_FULL.
 */
enum sdd_status sdd_add_trigger(struct sdd *sdd, uint32_t queue,
                                const struct sdd_program *condition, enum sdd_trigger_target target,
                                uint64_t cookie, int64_t now_ns, uint32_t *trigger);

/* Removes a trigger. Events that it fired remain. SDD_ERR_NOT_FOUND. */
enum sdd_status sdd_remove_trigger(struct sdd *sdd, uint32_t trigger, int64_t now_ns);

/* Finds the queue of a trigger. SDD_ERR_NOT_FOUND. */
enum sdd_status sdd_trigger_queue(const struct sdd *sdd, uint32_t trigger, uint32_t *queue);

/* The controller and the applications have separate event queues, so that a slow recipient does not
 * cause loss for the other. */
enum sdd_recipient { SDD_CONTROLLER, SDD_APPLICATIONS, SDD_RECIPIENTS };

/* Takes the oldest event; returns false if there is none. For each recipient one other thread may
 * call this at any time. */
bool sdd_take_event(struct sdd *sdd, enum sdd_recipient recipient, struct sdd_event *event);

/* The number of events since the start, and the number of those lost because max_events were
 * waiting. */
uint64_t sdd_events_fired(const struct sdd *sdd, enum sdd_recipient recipient);
uint64_t sdd_events_lost(const struct sdd *sdd, enum sdd_recipient recipient);

/* ---- Packets ---- */

/*
 * Queues a packet, which must stay at its address until it is returned. On an error the caller
 * still owns it: SDD_ERR_ARGUMENT (size), SDD_ERR_UNMAPPED, SDD_ERR_FULL (the queue is full, and
 * the packet counts as dropped; or max_flows flows have packets). O(1) for a known flow.
 */
enum sdd_status sdd_enqueue(struct sdd *sdd, struct sdd_packet *packet, int64_t now_ns);

/*
 * Returns the packet to transmit now, or null. It counts as transmitted at now_ns. Amortised O(1)
 * in the number of queues, plus one evaluation for each false condition that names other queues.
 */
struct sdd_packet *sdd_dequeue(struct sdd *sdd, int64_t now_ns);

/* Removes the queue's oldest packet, regardless of conditions, and returns it. It counts as
 * dropped. */
struct sdd_packet *sdd_discard(struct sdd *sdd, uint32_t queue, int64_t now_ns);

/* Advances schedules, rates and triggers to now_ns, as every call with now_ns does. */
void sdd_poll(struct sdd *sdd, int64_t now_ns);

/*
 * Returns the next time at which the passing of time alone may change something: the current time
 * if a queue is ready, BASE_FOREVER if only a call can change something. It may be too early, never
 * too late.
 */
int64_t sdd_next_ns(const struct sdd *sdd);

#ifdef __cplusplus
}
#endif
#endif
