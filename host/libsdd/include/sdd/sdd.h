/*
 * The Software Defined Dataplane of one end host: its SDDQueues and the conditions that determine
 * when each may transmit (Tewari 2015, chapter 5).
 *
 * Limits: no input or output, no clock (time is an argument, in nanoseconds), no memory taken after
 * sdd_create. One thread at a time may use a struct sdd, except where a comment says otherwise;
 * sdd/pipe.h is how a second core takes part in transmission.
 *
 * Time is monotonic: a now_ns earlier than a previous one counts as that one.
 *
 * A queue may transmit while it has packets, its drain rate allows it and
 *   - it has never been given a dequeue condition (unless closed_by_default), or
 *   - one of its dequeue conditions is true.
 * Of the queues that may, those of the highest priority take turns packet by packet.
 *
 * Packets that leave by its conditions go to the queue's network. A queue of circuits may also have
 * packet slots: while its conditions are false, they let it transmit by the packet switch, each at
 * a rate. A flow keeps its order anyway, as long as its packets stay in one queue: circuits wait
 * until what the queue sent by the packet switch has arrived (sdd_set_packet_delay).
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

/* All memory is taken by sdd_create. */
struct sdd_limits {
    uint32_t max_queues;     /* 1 to SDD_MAX_QUEUES; queues are numbered from 0 */
    uint32_t max_flows;      /* flows with packets, or remembered; the longest idle gives way */
    uint32_t max_mappings;   /* flow match expressions */
    uint32_t max_slots;      /* time slots of all queues, and packet slots, that are not over */
    uint32_t max_conditions; /* dequeue conditions that are neither constant nor slots */
    uint32_t max_triggers;
    uint32_t max_events; /* fired and not yet taken, of a recipient; rounded up to a power of two */
    uint64_t hash_seed;  /* secret, if others choose the flows */
};

struct sdd;
struct sdd_queue;

/* SDD_ERR_ARGUMENT, SDD_ERR_MEMORY. *sdd is the new dataplane only if SDD_OK. */
enum sdd_status sdd_create(const struct sdd_limits *limits, struct sdd **sdd);

/* Packets that are still queued remain the caller's. Null is allowed. */
void sdd_destroy(struct sdd *sdd);

/* ---- Queues (section 5.3.2) ---- */

/*
 * getNext(): names the flow whose first packet leaves the queue next. Called only for a queue with
 * packets. Must be quick and must not call functions that take a struct sdd. A result that is null
 * or a flow without packets in this queue counts as sdd_next_fifo's.
 */
typedef struct sdd_flow *(*sdd_get_next)(struct sdd_queue *queue, void *context);

/* The flow whose first packet arrived first. The default. O(1). */
struct sdd_flow *sdd_next_fifo(struct sdd_queue *queue, void *context);

/* The flow that has waited longest for its turn: hierarchical sharing (section 5.4.4). O(1). */
struct sdd_flow *sdd_next_round_robin(struct sdd_queue *queue, void *context);

/* A flow of the highest flow priority; flows of one priority take turns. O(1). */
struct sdd_flow *sdd_next_strict_priority(struct sdd_queue *queue, void *context);

/* For getNext() of one's own: flows with packets, the one served longest ago first; null: no more.
 */
struct sdd_flow *sdd_first_flow(struct sdd_queue *queue);
struct sdd_flow *sdd_following_flow(struct sdd_queue *queue, struct sdd_flow *flow);
const struct sdd_packet *sdd_flow_head(const struct sdd_flow *flow);
unsigned sdd_flow_priority(const struct sdd_flow *flow);
const struct sdd_queue_stats *sdd_stats_of(const struct sdd_queue *queue);

struct sdd_queue_config {
    uint8_t priority;       /* 0 to SDD_PRIORITIES - 1; higher goes first */
    bool closed_by_default; /* without a condition it does not transmit */
    int64_t drain_rate_bps; /* 0: no limit; at most SDD_MAX_DRAIN_RATE_BPS. Bits of packet sizes. */
    int64_t max_packets;    /* 0: no limit */
    int64_t max_bytes;      /* 0: no limit */
    enum sdd_network network; /* that its conditions let it transmit to */
    sdd_get_next get_next;    /* null: sdd_next_fifo */
    void *get_next_context;
};

/* SDD_ERR_ARGUMENT (number or config out of range), SDD_ERR_EXISTS. */
enum sdd_status sdd_open_queue(struct sdd *sdd, uint32_t queue,
                               const struct sdd_queue_config *config);

/*
 * Changes everything in config at once; packets above a new maximum stay. A new drain rate also
 * applies to the wait that the last packet has left. SDD_ERR_QUEUE, SDD_ERR_ARGUMENT.
 */
enum sdd_status sdd_configure_queue(struct sdd *sdd, uint32_t queue,
                                    const struct sdd_queue_config *config, int64_t now_ns);

/* Removes its conditions and triggers too. SDD_ERR_BUSY while it has packets or mappings. */
enum sdd_status sdd_close_queue(struct sdd *sdd, uint32_t queue, int64_t now_ns);

/* The queue's statistics, in place and up to date until it is closed; null if it is not open. */
const struct sdd_queue_stats *sdd_stats(const struct sdd *sdd, uint32_t queue);

/* SDD_ERR_QUEUE. */
enum sdd_status sdd_queue_config(const struct sdd *sdd, uint32_t queue,
                                 struct sdd_queue_config *config);

/* ---- Flows (section 5.3.3) ---- */

/*
 * MapFlow: flows that match go to the queue, unless a more specific mapping matches (sdd/match.h).
 * Maps again what was mapped before. flow_priority (0 to SDD_FLOW_PRIORITIES - 1) is what
 * sdd_next_strict_priority looks at. Flows that thereby change queue take their packets along, in
 * order. O(1) if the match is one flow, else O(flows + packets that move, and those they go among).
 * SDD_ERR_ARGUMENT, SDD_ERR_QUEUE, SDD_ERR_FULL (mappings, or 64 different combinations of prefix
 * lengths and wildcards).
 */
enum sdd_status sdd_map_flow(struct sdd *sdd, uint32_t queue, const struct sdd_match *match,
                             uint8_t flow_priority, int64_t now_ns);

/*
 * Removes the mapping of exactly these flows. Their packets go to the queue of the next best
 * mapping; without one they stay, and new ones are refused. SDD_ERR_NOT_FOUND.
 */
enum sdd_status sdd_unmap_flow(struct sdd *sdd, const struct sdd_match *match, int64_t now_ns);

/*
 * MoveFlows: moves the mapping of exactly these flows, and their packets in order, from one queue
 * to another. SDD_ERR_QUEUE, SDD_ERR_NOT_FOUND (this match is not mapped to old_queue).
 */
enum sdd_status sdd_move_flows(struct sdd *sdd, uint32_t old_queue, uint32_t new_queue,
                               const struct sdd_match *match, int64_t now_ns);

/* The queue that exactly these flows are mapped to. SDD_ERR_NOT_FOUND. */
enum sdd_status sdd_mapped_queue(struct sdd *sdd, const struct sdd_match *match, uint32_t *queue);

/*
 * For a caller that maps all flows again without the previous mappings: existing mappings count as
 * old until they are mapped again. O(1).
 */
void sdd_age_mappings(struct sdd *sdd);

/*
 * Whether the mapping of this number (those there can be have 0 to max_mappings - 1, which they
 * keep) is an old one; then which flows it maps, and to which queue.
 */
bool sdd_old_mapping(const struct sdd *sdd, uint32_t number, struct sdd_match *match,
                     uint32_t *queue);

/*
 * GetQueuesForFlows: the queues that flows of this match are mapped to, each once, the first
 * capacity of them in queues, and how many there are. A queue is left out if one mapping of higher
 * precedence takes all its share; if only several together do, it is still named. O(mappings).
 */
uint32_t sdd_queues_for_flows(struct sdd *sdd, const struct sdd_match *match, uint32_t *queues,
                              uint32_t capacity);

/* ---- Conditional dequeue (section 5.3.3) ---- */

/*
 * AddDequeueCondition. A constant replaces the constant that was there, so that START may add TRUE
 * and STOP may add FALSE or remove TRUE (sections 5.4.1 and 4.7.1). A condition on currTime alone
 * is compiled to time slots; slots leave by themselves when they are over, and a queue whose
 * conditions have all left stays shut. Conditions may be added more than once.
 * SDD_ERR_QUEUE, SDD_ERR_PROGRAM, SDD_ERR_FULL (slots or conditions).
 */
enum sdd_status sdd_add_dequeue_condition(struct sdd *sdd, uint32_t queue,
                                          const struct sdd_program *condition, int64_t now_ns);

/* The same as "currTime >= open_ns AND currTime < close_ns", without a program. */
enum sdd_status sdd_add_slot(struct sdd *sdd, uint32_t queue, struct sdd_window slot,
                             int64_t now_ns);

/* Removes one such slot that is not over. SDD_ERR_QUEUE, SDD_ERR_NOT_FOUND. */
enum sdd_status sdd_remove_slot(struct sdd *sdd, uint32_t queue, struct sdd_window slot,
                                int64_t now_ns);

/*
 * RemoveDequeueCondition: removes one condition with equal byte code, or, on time alone, with equal
 * slots that have not ended. With its last condition, none of which expired, a queue
 * is again as if it never had one. SDD_ERR_QUEUE, SDD_ERR_PROGRAM, SDD_ERR_NOT_FOUND.
 */
enum sdd_status sdd_remove_dequeue_condition(struct sdd *sdd, uint32_t queue,
                                             const struct sdd_program *condition, int64_t now_ns);

/* Removes all, also packet slots and the memory of those that left by themselves. SDD_ERR_QUEUE. */
enum sdd_status sdd_clear_dequeue_conditions(struct sdd *sdd, uint32_t queue, int64_t now_ns);

/* Removes all but slots that are not over, and packet slots; without slots it does the same.
   SDD_ERR_QUEUE. */
enum sdd_status sdd_clear_all_but_slots(struct sdd *sdd, uint32_t queue, int64_t now_ns);

/*
 * Adds a packet slot to a queue of circuits: while none of its conditions is true, but those that
 * name other queues, it may transmit by the packet switch, on average no more than rate_bps (1 to
 * SDD_MAX_DRAIN_RATE_BPS) of the slots' time and one packet. Of slots that overlap the one that
 * begins first counts. A slot leaves when it is over; one that is over already is not added.
 * SDD_ERR_QUEUE, SDD_ERR_ARGUMENT, SDD_ERR_FULL.
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

/* What counts for all queues: their conditions, or, while those cannot be relied on, something else
   that leaves them as they are; all packets then leave by the packet switch. Drain rates count
   throughout. */
enum sdd_override { SDD_BY_CONDITIONS, SDD_ALL_OPEN, SDD_ALL_CLOSED };

/* O(queues). SDD_ERR_ARGUMENT. */
enum sdd_status sdd_set_override(struct sdd *sdd, enum sdd_override override, int64_t now_ns);

/* Whether the queue may transmit at now_ns; false also if it is not open or has no packets. */
bool sdd_may_transmit(struct sdd *sdd, uint32_t queue, int64_t now_ns);

/* ---- Triggers ---- */

/* Who is told: the controller; the applications that listen to the trigger's queue; or the
   application that set it. */
enum sdd_trigger_target { SDD_TO_CONTROLLER, SDD_TO_LISTENERS, SDD_TO_APPLICATION };

/* A trigger that fired. */
struct sdd_event {
    uint32_t trigger;
    uint32_t queue;
    enum sdd_trigger_target target;
    uint64_t cookie; /* the registrant's */
    int64_t time_ns; /* when the condition became true, as far as it was looked at (below) */
    int64_t packets; /* queued then */
    int64_t bytes;
};

/*
 * Fires an event whenever the condition, as of this queue, becomes true; if it is true now, at
 * once. Conditions on time and the queue itself are found true at the very nanosecond; those that
 * name other queues are evaluated in each sdd_dequeue and sdd_poll. *trigger: its number.
 * SDD_ERR_QUEUE, SDD_ERR_PROGRAM, SDD_ERR_FULL.
 */
enum sdd_status sdd_add_trigger(struct sdd *sdd, uint32_t queue,
                                const struct sdd_program *condition, enum sdd_trigger_target target,
                                uint64_t cookie, int64_t now_ns, uint32_t *trigger);

/* Events that it fired stay. SDD_ERR_NOT_FOUND. */
enum sdd_status sdd_remove_trigger(struct sdd *sdd, uint32_t trigger, int64_t now_ns);

/* The queue of a trigger. SDD_ERR_NOT_FOUND. */
enum sdd_status sdd_trigger_queue(const struct sdd *sdd, uint32_t trigger, uint32_t *queue);

/* Events wait apart for the controller and for applications, so that one who is slow loses none of
   the other's. */
enum sdd_recipient { SDD_CONTROLLER, SDD_APPLICATIONS, SDD_RECIPIENTS };

/* The oldest event; false if there is none. One other thread for each recipient may call this at
   any time. */
bool sdd_take_event(struct sdd *sdd, enum sdd_recipient recipient, struct sdd_event *event);

/* Events since the start, and those of them that were lost because max_events were waiting. */
uint64_t sdd_events_fired(const struct sdd *sdd, enum sdd_recipient recipient);
uint64_t sdd_events_lost(const struct sdd *sdd, enum sdd_recipient recipient);

/* ---- Packets ---- */

/*
 * Queues a packet of its flow; it must not move until it is handed back. On any error it remains
 * the caller's: SDD_ERR_ARGUMENT (size), SDD_ERR_UNMAPPED, SDD_ERR_FULL (the queue, counted as
 * dropped; or max_flows flows have packets). O(1) for a known flow.
 */
enum sdd_status sdd_enqueue(struct sdd *sdd, struct sdd_packet *packet, int64_t now_ns);

/*
 * The packet to transmit now, or null. It counts as transmitted at now_ns. Amortised O(1) in the
 * number of queues; where conditions name other queues, each of these that is found false costs one
 * evaluation.
 */
struct sdd_packet *sdd_dequeue(struct sdd *sdd, int64_t now_ns);

/* Takes out the packet that arrived first whatever the conditions; it counts as dropped. */
struct sdd_packet *sdd_discard(struct sdd *sdd, uint32_t queue, int64_t now_ns);

/* Brings schedules, rates and triggers up to now_ns, as every call with now_ns does. */
void sdd_poll(struct sdd *sdd, int64_t now_ns);

/*
 * Until when nothing happens by the passing of time alone: the time up to now if a queue is ready,
 * BASE_FOREVER if only a call can change something; never too late, sometimes too early.
 */
int64_t sdd_next_ns(const struct sdd *sdd);

#ifdef __cplusplus
}
#endif
#endif
