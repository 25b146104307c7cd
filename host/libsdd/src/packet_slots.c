/* Adding packet slots, and the delay of the packet switch. */
#include "dataplane.h"
#include "gate.h"
#include "packet_debt.h"

enum sdd_status sdd_add_packet_slot(struct sdd *sdd, uint32_t number, struct sdd_window slot,
                                    int64_t rate_bps, int64_t now_ns) {
    struct sdd_queue *queue = sdd_find_queue(sdd, number);
    if (!queue)
        return SDD_ERR_QUEUE;
    if (queue->config.network != SDD_CIRCUIT || slot.close_ns <= slot.open_ns || rate_bps < 1 ||
        rate_bps > SDD_MAX_DRAIN_RATE_BPS)
        return SDD_ERR_ARGUMENT;
    sdd_advance(sdd, now_ns);
    if (slot.close_ns <= sdd->now_ns)
        return SDD_OK;
    if (sdd->slots.free_count == 0)
        return SDD_ERR_FULL;
    sdd_packet_slots_settle(sdd, queue);
    sdd_schedule_add(&sdd->slots, &queue->packet_slots, slot, rate_bps);
    sdd_gate_settle(sdd, queue);
    return SDD_OK;
}

enum sdd_status sdd_set_packet_delay(struct sdd *sdd, int64_t delay_ns, int64_t now_ns) {
    if (delay_ns < 0)
        return SDD_ERR_ARGUMENT;
    sdd_advance(sdd, now_ns);
    const bool longer = delay_ns > sdd->packet_delay_ns;
    sdd->packet_delay_ns = delay_ns;
    for (uint32_t number = 0; number < sdd->limits.max_queues; number++) {
        struct sdd_queue *queue = sdd_find_queue(sdd, number);
        if (!queue)
            continue;
        if (longer)
            sdd_gate_recall(sdd, queue);
        sdd_gate_settle(sdd, queue);
    }
    return SDD_OK;
}
