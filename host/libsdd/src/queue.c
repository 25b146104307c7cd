/* Opening, configuring and closing queues. */
#include <string.h>

#include "condition.h"
#include "dataplane.h"
#include "gate.h"
#include "trigger.h"

static bool good_config(const struct sdd_queue_config *config) {
    return config->priority < SDD_PRIORITIES && config->drain_rate_bps >= 0 &&
           config->drain_rate_bps <= SDD_MAX_DRAIN_RATE_BPS && config->max_packets >= 0 &&
           config->max_bytes >= 0 &&
           (config->network == SDD_CIRCUIT || config->network == SDD_PACKET);
}

enum sdd_status sdd_open_queue(struct sdd *sdd, uint32_t number,
                               const struct sdd_queue_config *config) {
    if (number >= sdd->limits.max_queues || !good_config(config))
        return SDD_ERR_ARGUMENT;
    struct sdd_queue *queue = &sdd->queues[number];
    if (queue->open)
        return SDD_ERR_EXISTS;
    memset(queue, 0, sizeof *queue);
    queue->open = true;
    queue->number = number;
    queue->config = *config;
    if (!queue->config.get_next)
        queue->config.get_next = sdd_next_fifo;
    base_list_init(&queue->arrivals);
    base_list_init(&queue->active_flows);
    base_list_init(&queue->conditions);
    base_list_init(&queue->triggers);
    for (unsigned i = 0; i < SDD_FLOW_PRIORITIES; i++)
        base_list_init(&queue->active_by_priority[i]);
    sdd_schedule_init(&queue->schedule);
    sdd_schedule_init(&queue->packet_slots);
    queue->last_packet_ns = SDD_NEVER;
    base_timer_init(&queue->timer, SDD_QUEUE_TIMER);
    return SDD_OK;
}

enum sdd_status sdd_configure_queue(struct sdd *sdd, uint32_t number,
                                    const struct sdd_queue_config *config, int64_t now_ns) {
    struct sdd_queue *queue = sdd_find_queue(sdd, number);
    if (!queue)
        return SDD_ERR_QUEUE;
    if (!good_config(config))
        return SDD_ERR_ARGUMENT;
    sdd_advance(sdd, now_ns);
    if (queue->ready)
        sdd_ready_remove(&sdd->ready, queue->config.priority, number);
    queue->ready = false;
    sdd_gate_change_rate(queue, config->drain_rate_bps, sdd->now_ns);
    queue->config = *config;
    if (!queue->config.get_next)
        queue->config.get_next = sdd_next_fifo;
    sdd_gate_recall(sdd, queue);
    sdd_gate_settle(sdd, queue);
    return SDD_OK;
}

enum sdd_status sdd_close_queue(struct sdd *sdd, uint32_t number, int64_t now_ns) {
    struct sdd_queue *queue = sdd_find_queue(sdd, number);
    if (!queue)
        return SDD_ERR_QUEUE;
    if (queue->stats.packets > 0 || queue->in_flight > 0 || queue->held_flows > 0 ||
        queue->mappings > 0)
        return SDD_ERR_BUSY;
    sdd_advance(sdd, now_ns);
    sdd_forget_conditions(sdd, queue);
    sdd_forget_triggers(sdd, queue);
    sdd_gate_settle(sdd, queue);
    /* conditions and triggers of other queues read zeros from now on */
    memset(&queue->stats, 0, sizeof queue->stats);
    queue->open = false;
    return SDD_OK;
}

const struct sdd_queue_stats *sdd_stats(const struct sdd *sdd, uint32_t number) {
    const struct sdd_queue *queue = sdd_find_queue(sdd, number);
    return queue ? &queue->stats : NULL;
}

enum sdd_status sdd_queue_config(const struct sdd *sdd, uint32_t number,
                                 struct sdd_queue_config *config) {
    const struct sdd_queue *queue = sdd_find_queue(sdd, number);
    if (!queue)
        return SDD_ERR_QUEUE;
    *config = queue->config;
    return SDD_OK;
}
