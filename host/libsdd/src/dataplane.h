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
    bool mapped;  /* else no mapping matches any more, and it takes no more packets */
    bool moved;   /* to another queue since the packets in flight were granted */
};

enum sdd_constant_condition { SDD_NO_CONSTANT, SDD_ALWAYS_FALSE, SDD_ALWAYS_TRUE };

struct sdd_queue {
    struct sdd_queue_stats stats;
    struct base_list_link arrivals; /* its packets, by arrival */
    struct base_list_link
        active_flows;           /* its flows with packets, the one served longest ago first */
    struct sdd_window window;   /* when it may next transmit, or may now; conditions of other queues
                                   left out. BASE_FOREVER twice: not by the passing of time */
    bool window_is_packet_slot; /* and no condition lets it */
    int64_t last_packet_ns; /* when it last transmitted by the packet switch; NEVER: it has not */
    int64_t next_send_ns;   /* the drain rate's */
    uint64_t
        drain_remainder; /* of bytes over rate, so that the rate holds exactly in the long run */
    uint32_t number;
    uint32_t condition_variables; /* bits of its statistics that its conditions read */
    uint32_t trigger_variables;
    uint32_t in_flight;            /* packets granted and not reported back, */
    enum sdd_network in_flight_by; /* all by this network, */
    bool in_flight_paced;          /* or one by a packet slot */
    uint32_t held_flows;           /* moved here while they had packets in flight from elsewhere */
    uint32_t mappings;
    uint32_t evaluated_conditions;
    enum sdd_constant_condition constant;
    bool open;
    bool ready;    /* is in the ready set */
    bool lapsed;   /* a condition has expired */
    bool recalled; /* its packets in flight are being returned */
    bool named;    /* by the current sdd_queues_for_flows */
    uint8_t used_priorities;
    struct sdd_queue_config config;
    struct sdd_schedule schedule;
    struct sdd_schedule packet_slots;
    uint64_t packet_debt; /* bits sent that packet slots have not allowed yet, times 10^9 */
    int64_t paid_ns;      /* up to when packet slots have paid for it */
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
    atomic_uint *versions; /* per queue; apart from the queues, because another core reads them */
    struct sdd_ready ready;
    uint32_t turn[SDD_PRIORITIES]; /* the queue after the one of this priority served last */
    struct base_wheel wheel;
    struct sdd_slot_pool slots;
    struct sdd_condition *conditions;
    struct base_list_link free_conditions;
    struct sdd_trigger *triggers;
    struct base_list_link free_triggers;
    struct base_list_link evaluated_triggers;
    struct sdd_flow *flows;
    uint32_t flows_touched; /* records from here on were never used */
    struct base_key_index flow_index;
    struct base_list_link idle_flows; /* free records first, then the one idle longest */
    struct sdd_matcher matcher;
    uint32_t mappings_age; /* how often sdd_age_mappings was called */
    struct base_ring events[SDD_RECIPIENTS];
    uint64_t events_fired[SDD_RECIPIENTS];
    uint64_t events_lost[SDD_RECIPIENTS];
    bool piped;
};

/* Null if the number is out of range or the queue is not open. */
static inline struct sdd_queue *sdd_find_queue(const struct sdd *sdd, uint32_t number) {
    if (number >= sdd->limits.max_queues || !sdd->queues[number].open)
        return NULL;
    return &sdd->queues[number];
}

/* ---- dataplane.c ---- */

/* Advances the time to now_ns and handles the timers that expire. */
void sdd_advance(struct sdd *sdd, int64_t now_ns);

/*
 * To be called after every change of a queue's statistics (bits of enum sdd_variable); gate: also
 * of something else that its gate depends on.
 */
void sdd_changed(struct sdd *sdd, struct sdd_queue *queue, uint32_t variables, bool gate);

struct sdd_environment sdd_environment(const struct sdd *sdd, const struct sdd_queue *queue);

/* ---- gate.c: when a queue may transmit ---- */

/* Computes it again, and arms the queue's timer for the next change. */
void sdd_gate_settle(struct sdd *sdd, struct sdd_queue *queue);

/* For a queue in the ready set: may it transmit, conditions about other queues included? */
bool sdd_gate_open(const struct sdd *sdd, const struct sdd_queue *queue);

/* Whether it has no condition, and none has expired. */
bool sdd_gate_unconditioned(const struct sdd_queue *queue);

/* Whether its conditions or rate depend on when the last packet was sent. */
bool sdd_gate_paced(const struct sdd_queue *queue);

/* The drain rate's bookkeeping for a packet sent at time_ns. */
void sdd_gate_sent(struct sdd_queue *queue, uint32_t bytes, int64_t time_ns);

/* The drain rate changes at now_ns. The queue's configuration still has the old one. */
void sdd_gate_change_rate(struct sdd_queue *queue, int64_t new_rate_bps, int64_t now_ns);

/* Recalls the packets in flight. */
void sdd_gate_recall(struct sdd *sdd, struct sdd_queue *queue);

/* The network that the queue's conditions, or what overrides them, transmit to. */
enum sdd_network sdd_gate_network(const struct sdd *sdd, const struct sdd_queue *queue);

/* ---- packet_slots.c ---- */

/* Brings the debt up to now, and lets go of slots that are over. */
void sdd_packet_slots_settle(struct sdd *sdd, struct sdd_queue *queue);

/* When packet slots, as just settled, next let a packet go, from from_ns on; BASE_FOREVER twice:
   never. */
struct sdd_window sdd_packet_window(const struct sdd *sdd, const struct sdd_queue *queue,
                                    int64_t from_ns);

/* A packet was sent by a packet slot. */
void sdd_packet_slot_sent(struct sdd *sdd, struct sdd_queue *queue, uint32_t bytes);

void sdd_forget_packet_slots(struct sdd *sdd, struct sdd_queue *queue);

/* ---- condition.c ---- */

/* Removes all conditions. The gate is not settled. */
void sdd_forget_conditions(struct sdd *sdd, struct sdd_queue *queue);

/* ---- trigger.c ---- */

/* Evaluates the trigger's condition at at_ns, fires, and arms its timer. */
void sdd_trigger_settle(struct sdd *sdd, struct sdd_trigger *trigger, int64_t at_ns);
void sdd_triggers_settle(struct sdd *sdd, struct sdd_queue *queue);

/* Those that name other queues. */
void sdd_triggers_evaluate(struct sdd *sdd);
void sdd_forget_triggers(struct sdd *sdd, struct sdd_queue *queue);

/* ---- flow.c ---- */

/* The flow of the key, created if there is none. SDD_ERR_UNMAPPED, SDD_ERR_FULL. */
enum sdd_status sdd_flow_of(struct sdd *sdd, const struct base_flow_key *key,
                            struct sdd_flow **flow);

/* Packets in at the end, back in by their time of arrival, and out at the head. */
void sdd_flow_append(struct sdd_flow *flow, struct sdd_packet *packet);
void sdd_flow_return(struct sdd_flow *flow, struct sdd_packet *packet);
struct sdd_packet *sdd_flow_pop(struct sdd *sdd, struct sdd_flow *flow);

/* After a change of mappings: moves the flow and its packets to the queue it now maps to. */
void sdd_flow_rebind(struct sdd *sdd, struct sdd_flow *flow);

/* A packet in flight was sent or returned; the flow may now be idle. */
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

/* Takes the next packet to transmit out of its queue, in flight. False if there is none. */
bool sdd_grant(struct sdd *sdd, struct sdd_grant *grant);

/* The granted packet was sent, or is returned. When sent, the packet is not accessed. */
void sdd_granted_sent(struct sdd *sdd, const struct sdd_grant *grant, int64_t time_ns);
void sdd_granted_back(struct sdd *sdd, const struct sdd_grant *grant);

#endif
