/*
 * The fields of queues that the configuration and requests of applications share
 * (docs/reference/sdd-host.md). The caller checks which fields an object may have, except for a
 * match. After an error the results do not count.
 */
#ifndef SDD_HOST_QUEUE_FIELDS_H
#define SDD_HOST_QUEUE_FIELDS_H

#include "fields.h"
#include "sdd/sdd.h"

/* "10.0.0.0/24", "::1" or, where the field is missing, every address. */
void queue_fields_prefix(struct fields *fields, json_t *object, const char *key,
                         struct base_ip_address *address, uint8_t *bits);

/* A whole object: source, destination, sourcePort, destinationPort, protocol, flowPriority. */
void queue_fields_match(struct fields *fields, json_t *object, struct sdd_match *match,
                        uint8_t *flow_priority);

/* priority, closedByDefault, drainRateBps, maxPackets, maxBytes, discipline. */
struct sdd_queue_config queue_fields_settings(struct fields *fields, json_t *object);

/* network: that its conditions let it transmit to. */
enum sdd_network queue_fields_network(struct fields *fields, json_t *object, const char *fallback);

/* A condition's text, which errors call by this name. */
void queue_fields_condition(struct fields *fields, const json_t *text, const char *name,
                            struct sdd_program *program);

#endif
