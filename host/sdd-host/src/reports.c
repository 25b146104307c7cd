#include "reports.h"

/* Entries of 36, 28 and 106 bytes, so that all fit into a frame. */
enum { MAX_DEMAND_ENTRIES = 7000, MAX_MISSED_ENTRIES = 9000, MAX_STATS_ENTRIES = 2000 };

static uint64_t load(_Atomic uint64_t *counter) {
    return atomic_load_explicit(counter, memory_order_relaxed);
}

static bool demands(const struct agent *agent, uint32_t queue,
                    const struct sdd_queue_stats *stats) {
    const struct queue_control *control = &agent->queues[queue];
    return stats &&
           (stats->bytes > 0 || stats->received_bytes != control->reported_received_bytes ||
            stats->sent_bytes != control->reported_sent_bytes);
}

size_t report_demand(struct agent *agent, uint64_t period, int64_t now_ns, uint8_t *buffer) {
    const struct sdd *sdd = agent->host->sdd;
    const uint32_t queues = config_controlled_queues(agent->host->config);
    uint16_t count = 0;
    for (uint32_t queue = 0; queue < queues && count < MAX_DEMAND_ENTRIES; queue++)
        count = (uint16_t)(count + demands(agent, queue, sdd_stats(sdd, queue)));
    WIRE_ENCODE(demandReport, codec, buffer, WIRE_MAX_FRAME_BYTES);
    sdd_wire_demandReport_set_period(&codec, period);
    sdd_wire_demandReport_set_timeNs(&codec, now_ns);
    sdd_wire_demandReport_set_highestSequence(&codec, agent->filter.highest);
    sdd_wire_demandReport_set_datagramsLost(&codec, datagram_lost(&agent->filter));
    sdd_wire_demandReport_set_datagramsRefused(&codec, agent->filter.refused);
    struct sdd_wire_demandReport_queues entries = {0};
    sdd_wire_demandReport_queues_set_count(&codec, &entries, count);
    for (uint32_t queue = 0; queue < queues && count > 0; queue++) {
        const struct sdd_queue_stats *stats = sdd_stats(sdd, queue);
        if (!demands(agent, queue, stats))
            continue;
        struct queue_control *control = &agent->queues[queue];
        sdd_wire_demandReport_queues_next(&entries);
        sdd_wire_demandReport_queues_set_queue(&entries, queue);
        sdd_wire_demandReport_queues_set_queuedBytes(&entries, (uint64_t)stats->bytes);
        sdd_wire_demandReport_queues_set_receivedBytes(&entries, (uint64_t)stats->received_bytes);
        sdd_wire_demandReport_queues_set_sentBytes(&entries, (uint64_t)stats->sent_bytes);
        sdd_wire_demandReport_queues_set_packetSwitchBytes(&entries,
                                                           (uint64_t)stats->packet_switch_bytes);
        control->reported_received_bytes = stats->received_bytes;
        control->reported_sent_bytes = stats->sent_bytes;
        count--;
    }
    return WIRE_ENCODED(demandReport, codec);
}

static uint64_t misses_of(struct agent *agent, uint32_t queue) {
    struct queue_misses *misses = &agent->host->misses[queue];
    return load(&misses->packets_out_of_slot) + load(&misses->late_starts);
}

size_t report_missed(struct agent *agent, uint64_t period, int64_t now_ns, uint8_t *buffer) {
    const uint32_t queues = config_controlled_queues(agent->host->config);
    uint16_t count = 0;
    for (uint32_t queue = 0; queue < queues && count < MAX_MISSED_ENTRIES; queue++)
        count =
            (uint16_t)(count + (misses_of(agent, queue) != agent->queues[queue].reported_misses));
    if (count == 0)
        return 0;
    WIRE_ENCODE(missed, codec, buffer, WIRE_MAX_FRAME_BYTES);
    sdd_wire_missed_set_period(&codec, period);
    sdd_wire_missed_set_timeNs(&codec, now_ns);
    struct sdd_wire_missed_queues entries = {0};
    sdd_wire_missed_queues_set_count(&codec, &entries, count);
    for (uint32_t queue = 0; queue < queues && count > 0; queue++) {
        struct queue_misses *misses = &agent->host->misses[queue];
        /* the transmitting thread may increase the counters meanwhile, but never decreases them */
        const uint64_t sum = misses_of(agent, queue);
        if (sum == agent->queues[queue].reported_misses)
            continue;
        agent->queues[queue].reported_misses = sum;
        sdd_wire_missed_queues_next(&entries);
        sdd_wire_missed_queues_set_queue(&entries, queue);
        sdd_wire_missed_queues_set_packetsOutOfSlot(&entries, load(&misses->packets_out_of_slot));
        sdd_wire_missed_queues_set_lateStarts(&entries, load(&misses->late_starts));
        sdd_wire_missed_queues_set_latestStartNs(&entries, load(&misses->latest_start_ns));
        count--;
    }
    return WIRE_ENCODED(missed, codec);
}

size_t report_policy(struct agent *agent, int64_t now_ns, uint8_t *buffer) {
    if (agent->safe == agent->safe_reported)
        return 0;
    agent->safe_reported = agent->safe;
    WIRE_ENCODE(policyChanged, codec, buffer, WIRE_MAX_FRAME_BYTES);
    sdd_wire_policyChanged_set_timeNs(&codec, now_ns);
    sdd_wire_policyChanged_set_safe(&codec, agent->safe ? sdd_wire_booleanType_YES
                                                        : sdd_wire_booleanType_NO);
    sdd_wire_policyChanged_set_reason(&codec, agent->clock_off ? sdd_wire_reason_CLOCK_OFF
                                              : agent->controller_lost
                                                  ? sdd_wire_reason_CONTROLLER_LOST
                                                  : sdd_wire_reason_NONE);
    return WIRE_ENCODED(policyChanged, codec);
}

size_t report_queues(struct agent *agent, uint64_t request_id, uint32_t first, uint32_t wanted,
                     int64_t now_ns, uint8_t *buffer) {
    struct host *host = agent->host;
    const uint32_t queues = config_controlled_queues(host->config);
    const uint32_t end = first >= queues || wanted >= queues - first ? queues : first + wanted;
    uint16_t count = 0;
    for (uint32_t queue = first; queue < end && count < MAX_STATS_ENTRIES; queue++)
        count = (uint16_t)(count + (sdd_stats(host->sdd, queue) != NULL));
    WIRE_ENCODE(queueStats, codec, buffer, WIRE_MAX_FRAME_BYTES);
    sdd_wire_queueStats_set_requestId(&codec, request_id);
    sdd_wire_queueStats_set_timeNs(&codec, now_ns);
    struct sdd_wire_queueStats_queues entries = {0};
    sdd_wire_queueStats_queues_set_count(&codec, &entries, count);
    for (uint32_t queue = first; queue < end && count > 0; queue++) {
        const struct sdd_queue_stats *stats = sdd_stats(host->sdd, queue);
        struct sdd_queue_config config;
        if (sdd_queue_config(host->sdd, queue, &config) != SDD_OK)
            continue;
        sdd_wire_queueStats_queues_next(&entries);
        sdd_wire_queueStats_queues_set_queue(&entries, queue);
        sdd_wire_queueStats_queues_set_priority(&entries, config.priority);
        sdd_wire_queueStats_queues_set_network(&entries, config.network == SDD_PACKET
                                                             ? sdd_wire_network_PACKET
                                                             : sdd_wire_network_CIRCUIT);
        sdd_wire_queueStats_queues_set_drainRateBps(&entries, (uint64_t)config.drain_rate_bps);
        sdd_wire_queueStats_queues_set_flows(&entries, (uint32_t)stats->flows);
        sdd_wire_queueStats_queues_set_queuedPackets(&entries, (uint64_t)stats->packets);
        sdd_wire_queueStats_queues_set_queuedBytes(&entries, (uint64_t)stats->bytes);
        sdd_wire_queueStats_queues_set_sentPackets(&entries, (uint64_t)stats->sent_packets);
        sdd_wire_queueStats_queues_set_sentBytes(&entries, (uint64_t)stats->sent_bytes);
        sdd_wire_queueStats_queues_set_receivedPackets(&entries, (uint64_t)stats->received_packets);
        sdd_wire_queueStats_queues_set_receivedBytes(&entries, (uint64_t)stats->received_bytes);
        sdd_wire_queueStats_queues_set_droppedPackets(&entries, (uint64_t)stats->dropped_packets);
        sdd_wire_queueStats_queues_set_lastXmitNs(&entries, stats->last_xmit_ns);
        sdd_wire_queueStats_queues_set_lastRecvNs(&entries, stats->last_recv_ns);
        sdd_wire_queueStats_queues_set_packetSwitchPackets(&entries,
                                                           (uint64_t)stats->packet_switch_packets);
        sdd_wire_queueStats_queues_set_packetSwitchBytes(&entries,
                                                         (uint64_t)stats->packet_switch_bytes);
        count--;
    }
    return WIRE_ENCODED(queueStats, codec);
}
