#include "wire.h"

/* The variable part after a message's fixed block: at most one group, whose entries have no texts,
 * then texts. */
struct layout {
    uint64_t block_bytes;
    uint64_t entry_bytes; /* 0: no group */
    unsigned texts;
};

static uint64_t welcome_bytes(uint16_t version) {
    if (version < sdd_wire_welcome_packetDelayNs_since_version())
        return sdd_wire_welcome_packetDelayNs_encoding_offset();
    if (version < sdd_wire_welcome_takeOverAfterPeriods_since_version())
        return sdd_wire_welcome_takeOverAfterPeriods_encoding_offset();
    return sdd_wire_welcome_sbe_block_length();
}

static uint64_t edge_order_entry_bytes(uint16_t version) {
    if (version < sdd_wire_edgeOrder_prefixes_gapAdaptPercent_since_version())
        return sdd_wire_edgeOrder_prefixes_gapAdaptPercent_encoding_offset();
    if (version < sdd_wire_edgeOrder_prefixes_metricAgeNs_since_version())
        return sdd_wire_edgeOrder_prefixes_metricAgeNs_encoding_offset();
    if (version < sdd_wire_edgeOrder_prefixes_settleNs_since_version())
        return sdd_wire_edgeOrder_prefixes_settleNs_encoding_offset();
    return sdd_wire_edgeOrder_prefixes_sbe_block_length();
}

/* Returns the minimum that a sender of this version of the schema writes. */
static bool layout_of(uint16_t template_id, uint16_t version, struct layout *layout) {
    *layout = (struct layout){0};
    switch (template_id) {
    case WIRE_WELCOME:
        layout->block_bytes = welcome_bytes(version);
        break;
    case WIRE_REFUSED:
        layout->block_bytes = sdd_wire_refused_sbe_block_length();
        layout->texts = 1;
        break;
    case WIRE_CREATE_QUEUE:
        layout->block_bytes = sdd_wire_createQueue_sbe_block_length();
        break;
    case WIRE_REMOVE_QUEUE:
        layout->block_bytes = sdd_wire_removeQueue_sbe_block_length();
        break;
    case WIRE_MAP_FLOW:
        layout->block_bytes = sdd_wire_mapFlow_sbe_block_length();
        break;
    case WIRE_UNMAP_FLOW:
        layout->block_bytes = sdd_wire_unmapFlow_sbe_block_length();
        break;
    case WIRE_MOVE_FLOWS:
        layout->block_bytes = sdd_wire_moveFlows_sbe_block_length();
        break;
    case WIRE_GET_QUEUES_FOR_FLOWS:
        layout->block_bytes = sdd_wire_getQueuesForFlows_sbe_block_length();
        break;
    case WIRE_ADD_DEQUEUE_CONDITION:
        layout->block_bytes = sdd_wire_addDequeueCondition_sbe_block_length();
        layout->texts = 1;
        break;
    case WIRE_REMOVE_DEQUEUE_CONDITION:
        layout->block_bytes = sdd_wire_removeDequeueCondition_sbe_block_length();
        layout->texts = 1;
        break;
    case WIRE_CLEAR_DEQUEUE_CONDITIONS:
        layout->block_bytes = sdd_wire_clearDequeueConditions_sbe_block_length();
        break;
    case WIRE_QUERY_QUEUES:
        layout->block_bytes = sdd_wire_queryQueues_sbe_block_length();
        break;
    case WIRE_ADD_TRIGGER:
        layout->block_bytes = sdd_wire_addTrigger_sbe_block_length();
        layout->texts = 1;
        break;
    case WIRE_REMOVE_TRIGGER:
        layout->block_bytes = sdd_wire_removeTrigger_sbe_block_length();
        break;
    case WIRE_SET_SCHEDULE:
        layout->block_bytes = sdd_wire_setSchedule_sbe_block_length();
        layout->entry_bytes = sdd_wire_setSchedule_slots_sbe_block_length();
        break;
    case WIRE_SET_PACKET_SLOTS:
        layout->block_bytes = sdd_wire_setPacketSlots_sbe_block_length();
        layout->entry_bytes = sdd_wire_setPacketSlots_slots_sbe_block_length();
        break;
    case WIRE_END_SETUP:
        layout->block_bytes = sdd_wire_endSetup_sbe_block_length();
        break;
    case WIRE_CIRCUIT_CONFIGURE:
        layout->block_bytes = sdd_wire_circuitConfigure_sbe_block_length();
        layout->entry_bytes = sdd_wire_circuitConfigure_circuits_sbe_block_length();
        break;
    case WIRE_EDGE_ORDER:
        layout->block_bytes = sdd_wire_edgeOrder_sbe_block_length();
        layout->entry_bytes = edge_order_entry_bytes(version);
        break;
    case WIRE_TOPOLOGY_CHANGED:
        layout->block_bytes = sdd_wire_topologyChanged_sbe_block_length();
        break;
    case WIRE_EDGE_WEIGHTS:
        layout->block_bytes = sdd_wire_edgeWeights_sbe_block_length();
        layout->entry_bytes = sdd_wire_edgeWeights_hops_sbe_block_length();
        break;
    case WIRE_EDGE_KEYS:
        layout->block_bytes = sdd_wire_edgeKeys_sbe_block_length();
        layout->entry_bytes = sdd_wire_edgeKeys_peers_sbe_block_length();
        break;
    case WIRE_LEADERSHIP:
        layout->block_bytes = sdd_wire_leadership_sbe_block_length();
        break;
    case WIRE_START_STOP:
        layout->block_bytes = sdd_wire_startStop_sbe_block_length();
        layout->entry_bytes = sdd_wire_startStop_commands_sbe_block_length();
        break;
    default:
        return false;
    }
    return true;
}

static uint16_t u16(const uint8_t *bytes) {
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static enum wire_verdict bad(const char **why, const char *reason) {
    *why = reason;
    return WIRE_BAD;
}

enum wire_verdict wire_check(const uint8_t *bytes, size_t size, struct wire_message *message,
                             const char **why) {
    struct layout layout;
    if (size < WIRE_HEADER_BYTES || size > WIRE_MAX_FRAME_BYTES)
        return bad(why, "malformed message: length out of range");
    *message = (struct wire_message){.bytes = bytes,
                                     .size = size,
                                     .block_length = u16(bytes),
                                     .template_id = u16(bytes + 2),
                                     .version = u16(bytes + 6)};
    const bool newer = message->version > sdd_wire_welcome_sbe_schema_version();
    if (u16(bytes + 4) != sdd_wire_welcome_sbe_schema_id())
        return bad(why, "malformed message: wrong schema id");
    if (!layout_of(message->template_id, message->version, &layout)) {
        *why = "unknown template";
        return newer ? WIRE_SKIP : WIRE_BAD;
    }
    size_t at = (size_t)WIRE_HEADER_BYTES + message->block_length;
    if (message->block_length < layout.block_bytes || at > size)
        return bad(why, "malformed message: block too short");
    if (layout.entry_bytes > 0) {
        if (size - at < 4)
            return bad(why, "malformed message: truncated group");
        const size_t entry = u16(bytes + at), count = u16(bytes + at + 2);
        at += 4;
        if (entry < layout.entry_bytes)
            return bad(why, "malformed message: group entries too short");
        if (count > (size - at) / entry)
            return bad(why, "malformed message: truncated group");
        at += count * entry;
    }
    for (unsigned i = 0; i < layout.texts; i++) {
        if (size - at < 2 || u16(bytes + at) > size - at - 2)
            return bad(why, "malformed message: truncated text");
        at += 2 + (size_t)u16(bytes + at);
    }
    if (at != size && !newer)
        return bad(why, "malformed message: trailing bytes");
    return WIRE_GOOD;
}

static int64_t periods_ns(struct sdd_wire_welcome *welcome, uint32_t periods) {
    int64_t ns;
    const bool overflows = __builtin_mul_overflow(sdd_wire_welcome_periodNs(welcome), periods, &ns);
    return overflows ? INT64_MAX : ns;
}

int64_t wire_lost_after_ns(struct sdd_wire_welcome *welcome) {
    return periods_ns(welcome, sdd_wire_welcome_lostAfterPeriods(welcome));
}

int64_t wire_take_over_after_ns(struct sdd_wire_welcome *welcome) {
    const uint32_t periods = sdd_wire_welcome_takeOverAfterPeriods(welcome);
    return periods == sdd_wire_welcome_takeOverAfterPeriods_null_value()
               ? wire_lost_after_ns(welcome) / 2
               : periods_ns(welcome, periods);
}
