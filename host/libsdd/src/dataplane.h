/* The state of one dataplane, and the functions that its source files share. */
#ifndef SDD_DATAPLANE_H
#define SDD_DATAPLANE_H

#include <stdatomic.h>

#include "base/list.h"
#include "base/ring.h"
#include "base/wheel.h"
#include "matcher.h"
#include "ready.h"
#include "sdd/sdd.h"
#include "slots.h"

struct sdd_flow {
    struct base_flow_key key; /* first, for the key index */
    struct sdd_queue *queue;
    struct sdd_packet *first, *last;
    struct base_list_link link; /* with packets: in its queue's active flows; else in idle_flows */
    struct base_list_link priority_link; /* with packets */
    uint32_t packets;
    uint32_t in_flight;
    uint8_t priority;
    bool indexed; /* a flow with this key exists; else this record is free */
    bool mapped;  /* if false, no mapping matches any more and new packets are refused */
    bool moved;   /* to another queue since the packets in flight were granted */
};

enum sdd_constant_condition { SDD_NO_CONSTANT, SDD_ALWAYS_FALSE, SDD_ALWAYS_TRUE };

struct sdd_queue {
    struct sdd_queue_stats stats;
    struct base_list_link arrivals;     /* its packets, by arrival */
    struct base_list_link active_flows; /* flows with packets, the one served longest ago first */
    /* The current or next interval in which it may transmit, without conditions on other queues;
     * BASE_FOREVER twice: time alone does not open it. */
    struct sdd_window window;
    bool window_is_packet_slot; /* the window is a packet slot, not one of the conditions */
    int64_t last_packet_ns;   /* when it last transmitted by the packet switch; NEVER: it has not */
    int64_t next_send_ns;     /* by the drain rate */
    uint64_t drain_remainder; /* remainder of bytes / rate, so that the average rate is exact */
    uint32_t number;
    uint32_t condition_variables; /* bits of its statistics that its conditions read */
    uint32_t trigger_variables;
    uint32_t in_flight;            /* packets granted and not yet reported, */
    enum sdd_network in_flight_by; /* all of them by this network, */
    bool in_flight_paced;          /* or a single one by a packet slot */
    uint32_t held_flows;           /* flows moved here with packets in flight from other queues */
    uint32_t mappings;
    uint32_t evaluated_conditions;
    enum sdd_constant_condition constant;
    bool open;
    bool ready;    /* it is in the ready set */
    bool lapsed;   /* a condition has expired */
    bool recalled; /* its packets in flight are being returned */
    bool named;    /* by the current sdd_queues_for_flows */
    uint8_t used_priorities;
    struct sdd_queue_config config;
    struct sdd_schedule schedule;
    struct sdd_schedule packet_slots;
    uint64_t packet_debt; /* bits sent that packet slots have not allowed yet, times 10^9 */
    int64_t paid_ns;      /* the time to which packet slots have paid for it */
    struct base_timer timer;
    struct base_list_link conditions; /* paced and evaluated ones */
    struct base_list_link triggers;
    struct base_list_link active_by_priority[SDD_FLOW_PRIORITIES];
};

struct sdd_condition {
    struct base_list_link link; /* in its queue, or free */
    enum sdd_program_class class;
    struct sdd_program program;
};

struct sdd_trigger {
    struct base_list_link link;           /* in its queue, or free */
    struct base_list_link evaluated_link; /* in evaluated_triggers, if it names other queues */
    struct base_timer timer;
    struct sdd_queue *queue; /* null: free */
    enum sdd_program_class class;
    bool was_true;
    enum sdd_trigger_target target;
    uint64_t cookie;
    struct sdd_program program;
};

enum { SDD_QUEUE_TIMER, SDD_TRIGGER_TIMER };

#define SDD_NEVER (-BASE_FOREVER)

struct sdd {
    struct sdd_limits limits;
    int64_t now_ns;
    uint64_t next_sequence;
    enum sdd_override override;
    int64_t packet_delay_ns; /* sdd_set_packet_delay */
    struct sdd_queue *queues;
    atomic_uint *versions; /* one per queue, separate because another core reads them */
    struct sdd_ready ready;
    uint32_t turn[SDD_PRIORITIES]; /* the queue after the one last served in this priority */
    struct base_wheel wheel;
    struct sdd_slot_pool slots;
    struct sdd_condition *conditions;
    struct base_list_link free_conditions;
    struct sdd_trigger *triggers;
    struct base_list_link free_triggers;
    struct base_list_link evaluated_triggers;
    struct sdd_flow *flows;
    uint32_t flows_touched; /* records from this index on were never used */
    struct base_key_index flow_index;
    struct base_list_link idle_flows; /* free records first, then the one idle longest */
    struct sdd_matcher matcher;
    uint32_t mappings_age; /* how often sdd_age_mappings was called */
    struct base_ring events[SDD_RECIPIENTS];
    uint64_t events_fired[SDD_RECIPIENTS];
    uint64_t events_lost[SDD_RECIPIENTS];
    bool piped;
};

/* Returns null if the number is out of range or the queue is not open. */
static inline struct sdd_queue *sdd_find_queue(const struct sdd *sdd, uint32_t number) {
    if (number >= sdd->limits.max_queues || !sdd->queues[number].open)
        return NULL;
    return &sdd->queues[number];
}

/* ---- dataplane.c ---- */

/* Advances the time to now_ns and handles the timers that expire. */
void sdd_advance(struct sdd *sdd, int64_t now_ns);

/*
 * Must be called after every change of a queue's statistics. variables: bits of enum sdd_variable.
 * gate: true if something else changed on which its gate depends.
 */
void sdd_changed(struct sdd *sdd, struct sdd_queue *queue, uint32_t variables, bool gate);

struct sdd_environment sdd_environment(const struct sdd *sdd, const struct sdd_queue *queue);

/* ---- gate.c: when a queue may transmit ---- */

/* Recomputes the queue's gate and arms its timer for the next change. */
void sdd_gate_settle(struct sdd *sdd, struct sdd_queue *queue);

/* Whether a queue in the ready set may transmit, including conditions about other queues. */
bool sdd_gate_open(const struct sdd *sdd, const struct sdd_queue *queue);

/* Whether the queue has no condition, and none has expired. */
bool sdd_gate_unconditioned(const struct sdd_queue *queue);

/* Whether its conditions or rate depend on the last packet's transmission time. */
bool sdd_gate_paced(const struct sdd_queue *queue);

/* Updates the drain rate's state for a packet sent at time_ns. */
void sdd_gate_sent(struct sdd_queue *queue, uint32_t bytes, int64_t time_ns);

/* Changes the drain rate at now_ns. The queue's configuration must still have the old rate. */
void sdd_gate_change_rate(struct sdd_queue *queue, int64_t new_rate_bps, int64_t now_ns);

/* Recalls the packets in flight. */
void sdd_gate_recall(struct sdd *sdd, struct sdd_queue *queue);

/* The network to which the queue transmits by its conditions or by an override. */
enum sdd_network sdd_gate_network(const struct sdd *sdd, const struct sdd_queue *queue);

/* ---- packet_slots.c ---- */

/* Updates the debt to the current time and removes slots that are over. */
void sdd_packet_slots_settle(struct sdd *sdd, struct sdd_queue *queue);

/* Returns the interval, from from_ns on, in which packet slots next allow a packet; BASE_FOREVER
 * twice: never. The packet slots must be settled. */
struct sdd_window sdd_packet_window(const struct sdd *sdd, const struct sdd_queue *queue,
                                    int64_t from_ns);

/* Adds a packet that was sent by a packet slot to the debt. */
void sdd_packet_slot_sent(struct sdd *sdd, struct sdd_queue *queue, uint32_t bytes);

void sdd_forget_packet_slots(struct sdd *sdd, struct sdd_queue *queue);

/* ---- condition.c ---- */

/* Removes all conditions. The gate is not settled. */
void sdd_forget_conditions(struct sdd *sdd, struct sdd_queue *queue);

/* ---- trigger.c ---- */

/* Evaluates the trigger's condition at at_ns, fires, and arms its timer. */
void sdd_trigger_settle(struct sdd *sdd, struct sdd_trigger *trigger, int64_t at_ns);
void sdd_triggers_settle(struct sdd *sdd, struct sdd_queue *queue);

/* Evaluates the triggers that name other queues. */
void sdd_triggers_evaluate(struct sdd *sdd);
void sdd_forget_triggers(struct sdd *sdd, struct sdd_queue *queue);

/* ---- flow.c ---- */

/* Finds or creates the flow of the key. SDD_ERR_UNMAPPED, SDD_ERR_FULL. */
enum sdd_status sdd_flow_of(struct sdd *sdd, const struct base_flow_key *key,
                            struct sdd_flow **flow);

/* Append a packet at the end, return a packet by its time of arrival, and remove the packet at the
 * head. */
void sdd_flow_append(struct sdd_flow *flow, struct sdd_packet *packet);
void sdd_flow_return(struct sdd_flow *flow, struct sdd_packet *packet);
struct sdd_packet *sdd_flow_pop(struct sdd *sdd, struct sdd_flow *flow);

/* After a change of mappings: moves the flow and its packets to the queue it now maps to. */
void sdd_flow_rebind(struct sdd *sdd, struct sdd_flow *flow);

/* Records that a packet in flight was sent or returned; the flow may then become idle. */
void sdd_flow_landed(struct sdd *sdd, struct sdd_flow *flow);

/* ---- dispatch.c ---- */

struct sdd_grant {
    struct sdd_packet *packet;
    struct sdd_flow *flow;
    int64_t from_ns;
    int64_t until_ns;
    uint32_t queue;
    uint32_t version;
    uint32_t bytes;
    enum sdd_network network;
    bool by_packet_slot;
};

/* Removes the next packet to transmit from its queue and counts it as in flight. Returns false if
 * there is none. */
bool sdd_grant(struct sdd *sdd, struct sdd_grant *grant);

/* Record that the granted packet was sent, or return it to its flow. A sent packet is not
 * accessed. */
void sdd_granted_sent(struct sdd *sdd, const struct sdd_grant *grant, int64_t time_ns);
void sdd_granted_back(struct sdd *sdd, const struct sdd_grant *grant);

#endif
