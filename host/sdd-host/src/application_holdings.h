/*
 * The resources that applications hold at a host, for quotas and for the end of a connection. The
 * applications' thread owns them; jobs for which it waits may use them.
 */
#ifndef SDD_HOST_APPLICATION_HOLDINGS_H
#define SDD_HOST_APPLICATION_HOLDINGS_H

#include "config.h"
#include "sdd/sdd.h"

/* A host supports 64 combinations of prefix lengths and wildcards in total. */
enum { MAX_APPLICATION_SHAPES = 32 };

struct application;

/* A queue of the applications, indexed from their first one. */
struct held_queue {
    bool used;
    bool draining;                   /* closed, with packets left */
    uint32_t user;                   /* the user whose quota it uses */
    const struct application *owner; /* null once it is closed */
    struct sdd_queue_config config;  /* as requested */
};

struct held_mapping {
    struct sdd_match match;
    uint32_t queue;
    bool claimed; /* justified by the user's sockets, and only while they exist */
};

struct held_condition {
    struct sdd_program program;
    uint32_t queue;
    uint32_t weight; /* number of time slots, or 1 */
    int64_t end_ns;  /* time at which it expires; BASE_FOREVER: never */
};

struct held_trigger {
    bool used;
    uint32_t queue;
    uint64_t serial; /* its unique cookie in libsdd */
    uint64_t cookie; /* chosen by the application */
};

struct holdings {
    uint32_t first_queue, queues_count;
    struct held_queue *queues;
    struct held_mapping *mappings;
    uint32_t mappings_count, max_mappings;
    struct held_condition *conditions;
    uint32_t conditions_count, max_conditions;
    struct held_trigger *triggers; /* indexed by trigger number */
    uint32_t max_triggers;
    uint64_t last_serial;
};

/* Returns false if there is no memory. The caller frees the holdings in either case. */
bool holdings_init(struct holdings *holdings, const struct host_config *config);
void holdings_free(struct holdings *holdings);

/* Returns the queue if it is open and belongs to the application, else null. */
struct held_queue *holdings_queue(const struct holdings *holdings, uint32_t number,
                                  const struct application *owner);

/* Return a user's use of its quotas. Queues count until their last packet has left. */
uint32_t holdings_queues(const struct holdings *holdings, uint32_t user);
int64_t holdings_packets(const struct holdings *holdings, uint32_t user);
uint32_t holdings_mappings(const struct holdings *holdings, uint32_t user);
uint32_t holdings_conditions(const struct holdings *holdings, uint32_t user);
uint32_t holdings_triggers(const struct holdings *holdings, uint32_t user);

/* Whether this match would exceed MAX_APPLICATION_SHAPES. */
bool holdings_lack_shapes(const struct holdings *holdings, const struct sdd_match *match);

/* Return null if there is none; holdings_add_... functions: if there is no room. */
struct held_mapping *holdings_mapping(const struct holdings *holdings,
                                      const struct sdd_match *match);
struct held_mapping *holdings_add_mapping(struct holdings *holdings);
void holdings_drop_mapping(struct holdings *holdings, struct held_mapping *mapping);

/* Counts a condition added to the queue. Constants replace each other and do not count. Returns
 * false if there is no room. */
bool holdings_add_condition(struct holdings *holdings, uint32_t queue,
                            const struct sdd_program *program, uint32_t weight, int64_t end_ns);
void holdings_drop_condition(struct holdings *holdings, uint32_t queue,
                             const struct sdd_program *program);
void holdings_drop_conditions(struct holdings *holdings, uint32_t queue);

/* Removes expired conditions. */
void holdings_advance(struct holdings *holdings, int64_t now_ns);

/* Returns the weight of a condition in the quota. *end_ns: when it expires. */
uint32_t condition_weight(const struct sdd_program *program, int64_t *end_ns);

#endif
