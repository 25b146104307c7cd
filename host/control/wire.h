/*
 * Messages of the SDD control protocol (docs/reference/sdd-protocol.md): the generated codecs, and
 * the length checks that the codecs require of their caller.
 */
#ifndef SDD_CONTROL_WIRE_H
#define SDD_CONTROL_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sdd_wire/addDequeueCondition.h>
#include <sdd_wire/addTrigger.h>
#include <sdd_wire/circuitConfigure.h>
#include <sdd_wire/circuitStats.h>
#include <sdd_wire/clearDequeueConditions.h>
#include <sdd_wire/clockStatus.h>
#include <sdd_wire/createQueue.h>
#include <sdd_wire/demandReport.h>
#include <sdd_wire/edgeKeys.h>
#include <sdd_wire/edgeOrder.h>
#include <sdd_wire/edgeReport.h>
#include <sdd_wire/edgeWeights.h>
#include <sdd_wire/endSetup.h>
#include <sdd_wire/following.h>
#include <sdd_wire/getQueuesForFlows.h>
#include <sdd_wire/hello.h>
#include <sdd_wire/leadership.h>
#include <sdd_wire/mapFlow.h>
#include <sdd_wire/missed.h>
#include <sdd_wire/moveFlows.h>
#include <sdd_wire/policyChanged.h>
#include <sdd_wire/queryQueues.h>
#include <sdd_wire/queueStats.h>
#include <sdd_wire/refused.h>
#include <sdd_wire/removeDequeueCondition.h>
#include <sdd_wire/removeQueue.h>
#include <sdd_wire/removeTrigger.h>
#include <sdd_wire/reply.h>
#include <sdd_wire/setPacketSlots.h>
#include <sdd_wire/setSchedule.h>
#include <sdd_wire/startStop.h>
#include <sdd_wire/topologyChanged.h>
#include <sdd_wire/triggerFired.h>
#include <sdd_wire/unmapFlow.h>
#include <sdd_wire/welcome.h>

enum {
    WIRE_HEADER_BYTES = 8,
    WIRE_MAX_FRAME_BYTES = 262144,
    WIRE_MAX_DATAGRAM_BYTES = 1472,
    WIRE_KEY_BYTES = 32,
    WIRE_TAG_BYTES = 16,
    WIRE_PROTOCOL_VERSION = 1
};

/* Templates of messages to a host, a circuit switch or an edge. */
enum wire_template {
    WIRE_WELCOME = 64,
    WIRE_REFUSED,
    WIRE_CREATE_QUEUE,
    WIRE_REMOVE_QUEUE,
    WIRE_MAP_FLOW,
    WIRE_UNMAP_FLOW,
    WIRE_MOVE_FLOWS,
    WIRE_GET_QUEUES_FOR_FLOWS,
    WIRE_ADD_DEQUEUE_CONDITION,
    WIRE_REMOVE_DEQUEUE_CONDITION,
    WIRE_CLEAR_DEQUEUE_CONDITIONS,
    WIRE_QUERY_QUEUES,
    WIRE_ADD_TRIGGER,
    WIRE_REMOVE_TRIGGER,
    WIRE_SET_SCHEDULE,
    WIRE_CIRCUIT_CONFIGURE,
    WIRE_EDGE_ORDER,
    WIRE_TOPOLOGY_CHANGED,
    WIRE_EDGE_WEIGHTS,
    WIRE_SET_PACKET_SLOTS,
    WIRE_END_SETUP,
    WIRE_EDGE_KEYS,
    WIRE_LEADERSHIP = 90,
    WIRE_START_STOP = 96
};

enum wire_verdict {
    WIRE_GOOD,
    WIRE_SKIP, /* unknown template of a newer schema: ignore it */
    WIRE_BAD   /* malformed: *why */
};

/* A message with checked lengths. WIRE_DECODE declares its codec. */
struct wire_message {
    const uint8_t *bytes; /* includes the header */
    size_t size;
    uint16_t block_length;
    uint16_t template_id;
    uint16_t version;
};

/* Checks a message (any bytes) before its fields are read. */
enum wire_verdict wire_check(const uint8_t *bytes, size_t size, struct wire_message *message,
                             const char **why);

/* The time without a datagram after which a host falls back to its safe policy; INT64_MAX on
 * overflow. */
int64_t wire_lost_after_ns(struct sdd_wire_welcome *welcome);

/* The time without a message after which a client considers its controller silent. Controllers of a
 * schema below version 8 do not send it: it is then half of wire_lost_after_ns. */
int64_t wire_take_over_after_ns(struct sdd_wire_welcome *welcome);

/* Declares a codec `name` for a message of this type that wire_check accepted. */
#define WIRE_DECODE(type, name, message)                                                           \
    struct sdd_wire_##type name = {0};                                                             \
    sdd_wire_##type##_wrap_for_decode(&(name), (char *)(message)->bytes, WIRE_HEADER_BYTES,        \
                                      (message)->block_length, (message)->version,                 \
                                      (message)->size)

/* Declares a codec `name` that writes a message with its header into a buffer. */
#define WIRE_ENCODE(type, name, buffer, room)                                                      \
    struct sdd_wire_##type name = {0};                                                             \
    struct sdd_wire_messageHeader name##_header = {0};                                             \
    sdd_wire_##type##_wrap_and_apply_header(&(name), (char *)(buffer), 0, (room), &name##_header)

/* The length of the encoded message. */
#define WIRE_ENCODED(type, name)                                                                   \
    ((size_t)(WIRE_HEADER_BYTES + sdd_wire_##type##_encoded_length(&(name))))

#endif
