/* A host's rules for applications: the field `applications` of its configuration. */
#ifndef SDD_HOST_ACCESS_CONFIG_H
#define SDD_HOST_ACCESS_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "fields.h"
#include "sdd/sdd.h"

enum {
    MAX_ACCESS_RULES = 64,
    MAX_ACCESS_MATCHES = 16,
    MAX_OBSERVED = 64,
    MAX_QUOTA = 65536 /* maximum number of mappings, conditions and triggers of a user */
};

/* The limits of each user of a rule, over all its connections. */
struct access_quota {
    uint32_t queues;
    int64_t packets; /* sum of maxPackets of its queues */
    uint32_t mappings;
    uint32_t conditions;
    uint32_t triggers;
    uint32_t connections;
    uint32_t requests_per_second;
};

/* A rule that allows applications to use the host's queues. */
struct access_rule {
    bool of_group;
    uint32_t id;              /* of the user or group */
    uint8_t max_priority;     /* maximum priority of their queues */
    enum sdd_network network; /* of their queues */
    struct access_quota quota;
    struct sdd_match matches[MAX_ACCESS_MATCHES]; /* flows that they may always map */
    unsigned matches_count;
    uint32_t observes[MAX_OBSERVED]; /* queues whose statistics and events they may receive */
    unsigned observes_count;
};

/* Applications on a host (docs/reference/sdd-applications.md). */
struct applications_config {
    char socket[108]; /* sun_path; empty: no applications */
    uint32_t queues;  /* number of the host's queues for applications, the last ones */
    struct access_rule *rules;
    unsigned rules_count;
};

/* Reads the rules of a host that has max_queues queues in all. */
void access_config_read(struct fields *fields, json_t *object, uint32_t max_queues,
                        struct applications_config *config);

#endif
