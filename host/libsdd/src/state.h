/* The state of one dataplane, which its source files share. */
#ifndef SDD_STATE_H
#define SDD_STATE_H

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

static inline struct sdd_environment sdd_environment(const struct sdd *sdd,
                                                     const struct sdd_queue *queue) {
    return (struct sdd_environment){.now_ns = sdd->now_ns,
                                    .own = &queue->stats,
                                    .all = &sdd->queues->stats,
                                    .stride = sizeof *sdd->queues,
                                    .count = sdd->limits.max_queues};
}

#endif
