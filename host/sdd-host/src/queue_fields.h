/*
 * The fields of queues that the configuration and requests of applications share
 * (docs/reference/sdd-host.md). The caller checks for unknown fields, except in a match. After an
 * error the results are undefined.
 */
#ifndef SDD_HOST_QUEUE_FIELDS_H
#define SDD_HOST_QUEUE_FIELDS_H

#include "fields.h"
#include "sdd/sdd.h"

enum { MAX_CONFIG_QUEUES = 16384 }; /* maximum number of a host's queues */

/* Reads a prefix such as "10.0.0.0/24" or "::1"; a missing field means every address. */
void queue_fields_prefix(struct fields *fields, json_t *object, const char *key,
                         struct base_ip_address *address, uint8_t *bits);

/* Reads a match object: source, destination, sourcePort, destinationPort, protocol,
 * flowPriority. */
void queue_fields_match(struct fields *fields, json_t *object, struct sdd_match *match,
                        uint8_t *flow_priority);

/* Reads priority, closedByDefault, drainRateBps, maxPackets, maxBytes and discipline. */
struct sdd_queue_config queue_fields_settings(struct fields *fields, json_t *object);

/* Reads the network to which a queue transmits by its conditions. */
enum sdd_network queue_fields_network(struct fields *fields, json_t *object, const char *fallback);

/* Reads a condition's text. name: the field's name in errors. */
void queue_fields_condition(struct fields *fields, const json_t *text, const char *name,
                            struct sdd_program *program);

#endif
