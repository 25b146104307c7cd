#include "requests.h"

#include <string.h>

#include "reports.h"
#include "setup.h"

enum { MAX_CONDITION_BYTES = 4096, MAX_NAMED_QUEUES = 16384 };

struct result {
    enum sdd_wire_status status;
    uint32_t position;
    uint64_t value;
    const char *text;
};

static struct result result_of(enum sdd_status status) {
    static const enum sdd_wire_status names[] = {
        [SDD_OK] = sdd_wire_status_OK,
        [SDD_ERR_ARGUMENT] = sdd_wire_status_ARGUMENT,
        [SDD_ERR_QUEUE] = sdd_wire_status_QUEUE,
        [SDD_ERR_EXISTS] = sdd_wire_status_BUSY,
        [SDD_ERR_BUSY] = sdd_wire_status_BUSY,
        [SDD_ERR_FULL] = sdd_wire_status_FULL,
        [SDD_ERR_NOT_FOUND] = sdd_wire_status_NOT_FOUND,
        [SDD_ERR_UNMAPPED] = sdd_wire_status_NOT_FOUND,
        [SDD_ERR_PROGRAM] = sdd_wire_status_CONDITION,
        [SDD_ERR_MEMORY] = sdd_wire_status_FULL,
    };
    return (struct result){.status = names[status],
                           .text = status == SDD_OK ? "" : sdd_status_text(status)};
}

static struct result rejected(enum sdd_wire_status status, const char *text) {
    return (struct result){.status = status, .text = text};
}

static size_t reply(uint64_t request_id, struct result result, const uint32_t *queues,
                    uint16_t count, uint8_t *buffer) {
    WIRE_ENCODE(reply, codec, buffer, WIRE_MAX_FRAME_BYTES);
    sdd_wire_reply_set_requestId(&codec, request_id);
    sdd_wire_reply_set_status(&codec, result.status);
    sdd_wire_reply_set_position(&codec, result.position);
    sdd_wire_reply_set_value(&codec, result.value);
    struct sdd_wire_reply_queues entries = {0};
    sdd_wire_reply_queues_set_count(&codec, &entries, count);
    for (uint16_t i = 0; i < count; i++) {
        sdd_wire_reply_queues_next(&entries);
        sdd_wire_reply_queues_set_queue(&entries, queues[i]);
    }
    sdd_wire_reply_put_text(&codec, result.text, (uint16_t)strlen(result.text));
    return WIRE_ENCODED(reply, codec);
}

/* Hides applications' queues from the controller: returns a number that never exists for them. */
static uint32_t controlled(const struct agent *agent, uint32_t queue) {
    return queue < config_controlled_queues(agent->host->config) ? queue : UINT32_MAX;
}

/* The same for a trigger. */
static uint32_t controlled_trigger(const struct agent *agent, uint32_t trigger) {
    uint32_t queue;
    return sdd_trigger_queue(agent->host->sdd, trigger, &queue) == SDD_OK &&
                   queue == controlled(agent, queue)
               ? trigger
               : UINT32_MAX;
}

/* Marks the queue as set up in this session. */
static enum sdd_status note_set_up(struct agent *agent, uint32_t queue, enum sdd_status status) {
    if (status == SDD_OK)
        agent->queues[queue].set_up = true;
    return status;
}

static struct sdd_match match_of(const struct sdd_wire_flowMatch *wire) {
    struct sdd_match match = {.source_port = sdd_wire_flowMatch_sourcePort(wire),
                              .destination_port = sdd_wire_flowMatch_destinationPort(wire),
                              .protocol = sdd_wire_flowMatch_protocol(wire),
                              .source_prefix_bits = sdd_wire_flowMatch_sourcePrefixBits(wire),
                              .destination_prefix_bits =
                                  sdd_wire_flowMatch_destinationPrefixBits(wire),
                              .wildcards = sdd_wire_flowMatch_wildcards(wire)};
    sdd_wire_flowMatch_get_source(wire, (char *)match.source.octets, sizeof match.source.octets);
    sdd_wire_flowMatch_get_destination(wire, (char *)match.destination.octets,
                                       sizeof match.destination.octets);
    return match;
}

/* Parses a condition's text; returns false with the error in *result. */
static bool parse(const char *text, size_t length, struct sdd_program *program,
                  struct result *result) {
    struct sdd_parse_error error = {0, "1 to 4096 bytes"};
    if (length >= 1 && length <= MAX_CONDITION_BYTES &&
        sdd_program_parse(text, length, program, &error))
        return true;
    *result = (struct result){.status = sdd_wire_status_CONDITION,
                              .position = (uint32_t)error.position,
                              .text = error.message};
    return false;
}

static size_t create_queue(struct agent *agent, const struct wire_message *message, int64_t now_ns,
                           uint8_t *buffer) {
    static const sdd_get_next disciplines[] = {sdd_next_fifo, sdd_next_round_robin,
                                               sdd_next_strict_priority};
    WIRE_DECODE(createQueue, codec, message);
    const uint64_t id = sdd_wire_createQueue_requestId(&codec);
    const uint32_t queue = controlled(agent, sdd_wire_createQueue_queue(&codec));
    enum sdd_wire_booleanType closed;
    enum sdd_wire_discipline discipline;
    enum sdd_wire_network network;
    if (!sdd_wire_createQueue_closedByDefault(&codec, &closed) ||
        !sdd_wire_createQueue_discipline(&codec, &discipline) ||
        !sdd_wire_createQueue_network(&codec, &network) ||
        closed == sdd_wire_booleanType_NULL_VALUE || discipline == sdd_wire_discipline_NULL_VALUE ||
        network == sdd_wire_network_NULL_VALUE)
        return 0;
    const uint64_t rate_bps = sdd_wire_createQueue_drainRateBps(&codec);
    const uint64_t max_packets = sdd_wire_createQueue_maxPackets(&codec);
    const uint64_t max_bytes = sdd_wire_createQueue_maxBytes(&codec);
    if (rate_bps > (uint64_t)SDD_MAX_DRAIN_RATE_BPS || max_packets > INT64_MAX ||
        max_bytes > INT64_MAX)
        return reply(id,
                     rejected(sdd_wire_status_ARGUMENT,
                              "drainRateBps, maxPackets or maxBytes is out of range"),
                     NULL, 0, buffer);
    const struct sdd_queue_config config = {
        .priority = sdd_wire_createQueue_priority(&codec),
        .closed_by_default = closed == sdd_wire_booleanType_YES,
        .drain_rate_bps = (int64_t)rate_bps,
        .max_packets = (int64_t)max_packets,
        .max_bytes = (int64_t)max_bytes,
        .network = network == sdd_wire_network_PACKET ? SDD_PACKET : SDD_CIRCUIT,
        .get_next = disciplines[discipline]};
    const enum sdd_status status = agent_set_queue(agent, queue, &config, now_ns);
    return reply(id, result_of(note_set_up(agent, queue, status)), NULL, 0, buffer);
}

static size_t queues_for_flows(struct agent *agent, const struct wire_message *message,
                               uint8_t *buffer) {
    static uint32_t queues[MAX_NAMED_QUEUES]; /* static, since one thread owns all hosts' queues */
    struct sdd_wire_flowMatch wire = {0};
    WIRE_DECODE(getQueuesForFlows, codec, message);
    const struct sdd_match match = match_of(sdd_wire_getQueuesForFlows_match(&codec, &wire));
    const uint32_t count = sdd_queues_for_flows(agent->host->sdd, &match, queues, MAX_NAMED_QUEUES);
    return reply(sdd_wire_getQueuesForFlows_requestId(&codec), result_of(SDD_OK), queues,
                 (uint16_t)(count < MAX_NAMED_QUEUES ? count : MAX_NAMED_QUEUES), buffer);
}

static size_t add_trigger(struct agent *agent, const struct wire_message *message, int64_t now_ns,
                          uint8_t *buffer) {
    WIRE_DECODE(addTrigger, codec, message);
    const uint64_t id = sdd_wire_addTrigger_requestId(&codec);
    enum sdd_wire_triggerTarget target;
    struct sdd_program program;
    struct result result;
    uint32_t trigger = 0;
    if (!sdd_wire_addTrigger_target(&codec, &target) || target == sdd_wire_triggerTarget_NULL_VALUE)
        return 0;
    const size_t length = sdd_wire_addTrigger_condition_length(&codec);
    if (parse(sdd_wire_addTrigger_condition(&codec), length, &program, &result)) {
        const uint32_t queue = controlled(agent, sdd_wire_addTrigger_queue(&codec));
        result = result_of(sdd_add_trigger(
            agent->host->sdd, queue, &program,
            target == sdd_wire_triggerTarget_APPLICATION ? SDD_TO_LISTENERS : SDD_TO_CONTROLLER,
            sdd_wire_addTrigger_cookie(&codec), now_ns, &trigger));
        result.value = trigger;
    }
    return reply(id, result, NULL, 0, buffer);
}

/* Adds the next REQUEST_SLOTS slots. */
static size_t set_schedule(struct agent *agent, const struct wire_message *message,
                           struct request_progress *progress, int64_t now_ns, uint8_t *buffer) {
    WIRE_DECODE(setSchedule, codec, message);
    struct sdd_wire_setSchedule_slots slots = {0};
    struct result result = result_of(SDD_OK);
    if (!sdd_wire_setSchedule_get_slots(&codec, &slots))
        return 0;
    for (uint32_t i = 0;
         sdd_wire_setSchedule_slots_has_next(&slots) && result.status == sdd_wire_status_OK; i++) {
        sdd_wire_setSchedule_slots_next(&slots);
        if (i < progress->done)
            continue;
        if (i >= progress->done + REQUEST_SLOTS) {
            progress->done = i;
            progress->unfinished = true;
            return 0;
        }
        const struct sdd_window slot = {sdd_wire_setSchedule_slots_startNs(&slots),
                                        sdd_wire_setSchedule_slots_endNs(&slots)};
        const uint32_t queue = controlled(agent, sdd_wire_setSchedule_slots_queue(&slots));
        if (slot.open_ns < 0 || slot.close_ns <= slot.open_ns)
            result =
                rejected(sdd_wire_status_ARGUMENT, "endNs of a slot must be after its startNs");
        else
            result = result_of(sdd_add_slot(agent->host->sdd, queue, slot, now_ns));
        result.value = i + (result.status == sdd_wire_status_OK);
    }
    progress->unfinished = false;
    return reply(sdd_wire_setSchedule_requestId(&codec), result, NULL, 0, buffer);
}

/* Adds the next REQUEST_SLOTS packet slots. */
static size_t set_packet_slots(struct agent *agent, const struct wire_message *message,
                               struct request_progress *progress, int64_t now_ns, uint8_t *buffer) {
    WIRE_DECODE(setPacketSlots, codec, message);
    struct sdd_wire_setPacketSlots_slots slots = {0};
    struct result result = result_of(SDD_OK);
    if (!sdd_wire_setPacketSlots_get_slots(&codec, &slots))
        return 0;
    for (uint32_t i = 0;
         sdd_wire_setPacketSlots_slots_has_next(&slots) && result.status == sdd_wire_status_OK;
         i++) {
        sdd_wire_setPacketSlots_slots_next(&slots);
        if (i < progress->done)
            continue;
        if (i >= progress->done + REQUEST_SLOTS) {
            progress->done = i;
            progress->unfinished = true;
            return 0;
        }
        const struct sdd_window slot = {sdd_wire_setPacketSlots_slots_startNs(&slots),
                                        sdd_wire_setPacketSlots_slots_endNs(&slots)};
        const uint32_t queue = controlled(agent, sdd_wire_setPacketSlots_slots_queue(&slots));
        const uint64_t rate_bps = sdd_wire_setPacketSlots_slots_rateBps(&slots);
        if (slot.open_ns < 0 || slot.close_ns <= slot.open_ns || rate_bps < 1 ||
            rate_bps > (uint64_t)SDD_MAX_DRAIN_RATE_BPS)
            result = rejected(sdd_wire_status_ARGUMENT,
                              "endNs of a slot must be after its startNs, and rateBps in range");
        else
            result = result_of(
                sdd_add_packet_slot(agent->host->sdd, queue, slot, (int64_t)rate_bps, now_ns));
        result.value = i + (result.status == sdd_wire_status_OK);
    }
    progress->unfinished = false;
    return reply(sdd_wire_setPacketSlots_requestId(&codec), result, NULL, 0, buffer);
}

size_t request_execute(struct agent *agent, const struct wire_message *message,
                       struct request_progress *progress, int64_t now_ns, uint8_t *buffer) {
    struct sdd *sdd = agent->host->sdd;
    struct sdd_wire_flowMatch wire = {0};
    struct sdd_program program;
    struct sdd_match match;
    struct result result;
    uint64_t id;
    progress->unfinished = false;
    switch (message->template_id) {
    case WIRE_CREATE_QUEUE:
        return create_queue(agent, message, now_ns, buffer);
    case WIRE_REMOVE_QUEUE: {
        WIRE_DECODE(removeQueue, codec, message);
        id = sdd_wire_removeQueue_requestId(&codec);
        const uint32_t queue = controlled(agent, sdd_wire_removeQueue_queue(&codec));
        const enum sdd_status status = sdd_close_queue(sdd, queue, now_ns);
        if (status == SDD_OK)
            agent->queues[queue].set_up = false;
        result = result_of(status);
        break;
    }
    case WIRE_MAP_FLOW: {
        WIRE_DECODE(mapFlow, codec, message);
        match = match_of(sdd_wire_mapFlow_match(&codec, &wire));
        id = sdd_wire_mapFlow_requestId(&codec);
        const uint32_t queue = controlled(agent, sdd_wire_mapFlow_queue(&codec));
        const enum sdd_status status =
            sdd_map_flow(sdd, queue, &match, sdd_wire_mapFlow_flowPriority(&codec), now_ns);
        result = result_of(note_set_up(agent, queue, status));
        break;
    }
    case WIRE_UNMAP_FLOW: {
        WIRE_DECODE(unmapFlow, codec, message);
        match = match_of(sdd_wire_unmapFlow_match(&codec, &wire));
        id = sdd_wire_unmapFlow_requestId(&codec);
        result = result_of(sdd_unmap_flow(sdd, &match, now_ns));
        break;
    }
    case WIRE_MOVE_FLOWS: {
        WIRE_DECODE(moveFlows, codec, message);
        match = match_of(sdd_wire_moveFlows_match(&codec, &wire));
        id = sdd_wire_moveFlows_requestId(&codec);
        const uint32_t queue = controlled(agent, sdd_wire_moveFlows_toQueue(&codec));
        const enum sdd_status status = sdd_move_flows(
            sdd, controlled(agent, sdd_wire_moveFlows_fromQueue(&codec)), queue, &match, now_ns);
        result = result_of(note_set_up(agent, queue, status));
        break;
    }
    case WIRE_GET_QUEUES_FOR_FLOWS:
        return queues_for_flows(agent, message, buffer);
    case WIRE_ADD_DEQUEUE_CONDITION: {
        WIRE_DECODE(addDequeueCondition, codec, message);
        id = sdd_wire_addDequeueCondition_requestId(&codec);
        const size_t length = sdd_wire_addDequeueCondition_condition_length(&codec);
        if (parse(sdd_wire_addDequeueCondition_condition(&codec), length, &program, &result))
            result = result_of(sdd_add_dequeue_condition(
                sdd, controlled(agent, sdd_wire_addDequeueCondition_queue(&codec)), &program,
                now_ns));
        break;
    }
    case WIRE_REMOVE_DEQUEUE_CONDITION: {
        WIRE_DECODE(removeDequeueCondition, codec, message);
        id = sdd_wire_removeDequeueCondition_requestId(&codec);
        const size_t length = sdd_wire_removeDequeueCondition_condition_length(&codec);
        if (parse(sdd_wire_removeDequeueCondition_condition(&codec), length, &program, &result))
            result = result_of(sdd_remove_dequeue_condition(
                sdd, controlled(agent, sdd_wire_removeDequeueCondition_queue(&codec)), &program,
                now_ns));
        break;
    }
    case WIRE_CLEAR_DEQUEUE_CONDITIONS: {
        WIRE_DECODE(clearDequeueConditions, codec, message);
        id = sdd_wire_clearDequeueConditions_requestId(&codec);
        result = result_of(sdd_clear_dequeue_conditions(
            sdd, controlled(agent, sdd_wire_clearDequeueConditions_queue(&codec)), now_ns));
        break;
    }
    case WIRE_QUERY_QUEUES: {
        WIRE_DECODE(queryQueues, codec, message);
        id = sdd_wire_queryQueues_requestId(&codec);
        const uint32_t count = sdd_wire_queryQueues_count(&codec);
        if (count >= 1 && count <= 2000)
            return report_queues(agent, id, sdd_wire_queryQueues_firstQueue(&codec), count, now_ns,
                                 buffer);
        result = rejected(sdd_wire_status_ARGUMENT, "count must be 1 to 2000");
        break;
    }
    case WIRE_ADD_TRIGGER:
        return add_trigger(agent, message, now_ns, buffer);
    case WIRE_REMOVE_TRIGGER: {
        WIRE_DECODE(removeTrigger, codec, message);
        id = sdd_wire_removeTrigger_requestId(&codec);
        result = result_of(sdd_remove_trigger(
            sdd, controlled_trigger(agent, sdd_wire_removeTrigger_trigger(&codec)), now_ns));
        break;
    }
    case WIRE_SET_SCHEDULE:
        return set_schedule(agent, message, progress, now_ns, buffer);
    case WIRE_SET_PACKET_SLOTS:
        return set_packet_slots(agent, message, progress, now_ns, buffer);
    case WIRE_END_SETUP: {
        WIRE_DECODE(endSetup, codec, message);
        id = sdd_wire_endSetup_requestId(&codec);
        result = result_of(SDD_OK);
        progress->unfinished = !setup_end(agent, &progress->done, now_ns);
        if (progress->unfinished)
            return 0;
        break;
    }
    default:
        return 0; /* no request to a host */
    }
    return reply(id, result, NULL, 0, buffer);
}
