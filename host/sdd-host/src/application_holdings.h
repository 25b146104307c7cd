/*
 * The resources that applications hold at a host, for quotas and for the end of a connection. The
 * applications' thread owns it; jobs that it waits for may use it.
 */
#ifndef SDD_HOST_APPLICATION_HOLDINGS_H
#define SDD_HOST_APPLICATION_HOLDINGS_H

#include "config.h"
#include "sdd/sdd.h"

/* Of the 64 combinations of prefix lengths and wildcards that there may be in a host. */
enum { MAX_APPLICATION_SHAPES = 32 };

struct application;

/* A queue of the applications, by number from the first one of theirs. */
struct held_queue {
    bool used;
    bool draining;                   /* closed, with packets left */
    uint32_t user;                   /* whose quota it counts in */
    const struct application *owner; /* null once it is closed */
    struct sdd_queue_config config;  /* as asked for */
};

struct held_mapping {
    struct sdd_match match;
    uint32_t queue;
    bool claimed; /* by the user's sockets, and only while these are there */
};

struct held_condition {
    struct sdd_program program;
    uint32_t queue;
    uint32_t weight; /* time slots, or 1 */
    int64_t end_ns;  /* it is over, and has left by itself; BASE_FOREVER: never */
};

struct held_trigger {
    bool used;
    uint32_t queue;
    uint64_t serial; /* its cookie in libsdd: no two triggers have the same */
    uint64_t cookie; /* the application's */
};

struct holdings {
    uint32_t first_queue, queues_count;
    struct held_queue *queues;
    struct held_mapping *mappings;
    uint32_t mappings_count, max_mappings;
    struct held_condition *conditions;
    uint32_t conditions_count, max_conditions;
    struct held_trigger *triggers; /* by their numbers */
    uint32_t max_triggers;
    uint64_t last_serial;
};

/* False: no memory. Free it in either case. */
bool holdings_init(struct holdings *holdings, const struct host_config *config);
void holdings_free(struct holdings *holdings);

/* The queue, if it is open and the application's; else null. */
struct held_queue *holdings_queue(const struct holdings *holdings, uint32_t number,
                                  const struct application *owner);

/* What counts in a user's quota. Queues count until their last packet has left. */
uint32_t holdings_queues(const struct holdings *holdings, uint32_t user);
int64_t holdings_packets(const struct holdings *holdings, uint32_t user);
uint32_t holdings_mappings(const struct holdings *holdings, uint32_t user);
uint32_t holdings_conditions(const struct holdings *holdings, uint32_t user);
uint32_t holdings_triggers(const struct holdings *holdings, uint32_t user);

/* Whether one more match would exceed MAX_APPLICATION_SHAPES. */
bool holdings_lack_shapes(const struct holdings *holdings, const struct sdd_match *match);

/* Null: there is none, or, of holdings_add_..., no room. */
struct held_mapping *holdings_mapping(const struct holdings *holdings,
                                      const struct sdd_match *match);
struct held_mapping *holdings_add_mapping(struct holdings *holdings);
void holdings_drop_mapping(struct holdings *holdings, struct held_mapping *mapping);

/* Counts a condition that the queue has been given; constants replace each other and do not count.
   False: no room. */
bool holdings_add_condition(struct holdings *holdings, uint32_t queue,
                            const struct sdd_program *program, uint32_t weight, int64_t end_ns);
void holdings_drop_condition(struct holdings *holdings, uint32_t queue,
                             const struct sdd_program *program);
void holdings_drop_conditions(struct holdings *holdings, uint32_t queue);

/* Forgets conditions that are over. */
void holdings_advance(struct holdings *holdings, int64_t now_ns);

/* How much a condition counts, and when it is over. */
uint32_t condition_weight(const struct sdd_program *program, int64_t *end_ns);

#endif
