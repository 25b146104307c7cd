#include "model.h"

#include <string.h>

#include "support.h"

void model_init(struct model *model) {
    memset(model, 0, sizeof *model);
    model->free_flows = MODEL_FLOWS;
    for (unsigned i = 0; i < MODEL_FLOWS; i++) /* the last of the array is used first */
        model->free_flow[i] = MODEL_FLOWS - 1 - i;
}

/* ---- Queues ---- */

void model_open(struct model *model, unsigned q, const struct sdd_queue_config *config,
                enum model_discipline discipline) {
    model->queue[q] =
        (struct model_queue){.open = true, .config = *config, .discipline = discipline};
}

void model_configure(struct model *model, unsigned q, const struct sdd_queue_config *config,
                     enum model_discipline discipline) {
    struct model_queue *queue = &model->queue[q];
    int64_t before = queue->config.drain_rate_bps, after = config->drain_rate_bps;
    if (before != after) {
        int64_t wait = queue->next_send_ns - model->now_ns;
        bool scale = before > 0 && after > 0 && wait > 0;
        queue->next_send_ns = model->now_ns;
        if (scale) /* rounded up */
            queue->next_send_ns += (wait * before + after - 1) / after;
        queue->remainder = 0;
    }
    queue->config = *config;
    queue->discipline = discipline;
}

static unsigned mappings_to(const struct model *model, unsigned queue) {
    unsigned count = 0;
    for (unsigned i = 0; i < model->mappings; i++)
        count += model->mapping[i].queue == queue;
    return count;
}

enum sdd_status model_close(struct model *model, unsigned q) {
    if (model->queue[q].stats.packets > 0 || mappings_to(model, q) > 0)
        return SDD_ERR_BUSY;
    memset(&model->queue[q], 0, sizeof model->queue[q]);
    for (unsigned i = 0; i < MODEL_TRIGGERS; i++)
        if (model->trigger[i].queue == q)
            model->trigger[i].used = false;
    return SDD_OK;
}

/* ---- Packets ---- */

static int find_flow(const struct model *model, const struct base_flow_key *key) {
    for (unsigned f = 0; f < MODEL_FLOWS; f++)
        if (model->flow[f].exists && memcmp(&model->flow[f].key, key, sizeof *key) == 0)
            return (int)f;
    return -1;
}

enum sdd_status model_enqueue(struct model *model, const struct base_flow_key *key,
                              uint32_t bytes) {
    int found = find_flow(model, key);
    if (found >= 0 && !model->flow[found].mapped)
        return SDD_ERR_UNMAPPED;
    if (found < 0) {
        int mapping = model_classify(model, key);
        if (mapping < 0)
            return SDD_ERR_UNMAPPED;
        assert_true(model->free_flows > 0);
        found = (int)model->free_flow[--model->free_flows];
        model->flow[found] = (struct model_flow){.key = *key,
                                                 .queue = model->mapping[mapping].queue,
                                                 .priority = model->mapping[mapping].priority,
                                                 .exists = true,
                                                 .mapped = true};
    }
    struct model_flow *flow = &model->flow[found];
    struct model_queue *queue = &model->queue[flow->queue];
    struct sdd_queue_stats *stats = &queue->stats;
    bool full = (queue->config.max_packets > 0 && stats->packets >= queue->config.max_packets) ||
                (queue->config.max_bytes > 0 && stats->bytes + bytes > queue->config.max_bytes);
    if (full) {
        stats->dropped_packets++;
    } else {
        if (stats->packets == 0 && queue->next_send_ns < model->now_ns)
            queue->next_send_ns = model->now_ns;
        if (model_packets_of(model, (unsigned)found) == 0) {
            flow->turn = model->next_turn++;
            stats->flows++;
        }
        assert_true(model->packets < MODEL_PACKETS);
        model->packet[model->packets++] =
            (struct model_packet){.flow = (unsigned)found, .bytes = bytes, .queued = true};
        stats->packets++, stats->received_packets++;
        stats->bytes += bytes, stats->received_bytes += bytes;
        stats->last_recv_ns = model->now_ns;
    }
    model_look_at_triggers(model, flow->queue);
    return full ? SDD_ERR_FULL : SDD_OK;
}

/* Returns the oldest packet of the queue, or of the flow if it is not -1. */
static int oldest(const struct model *model, unsigned queue, int flow) {
    for (unsigned i = 0; i < model->packets; i++)
        if (model->packet[i].queued && model->flow[model->packet[i].flow].queue == queue &&
            (flow < 0 || model->packet[i].flow == (unsigned)flow))
            return (int)i;
    return -1;
}

static int next_packet(const struct model *model, unsigned queue) {
    int best = -1;
    if (model->queue[queue].discipline == MODEL_FIFO)
        return oldest(model, queue, -1);
    for (unsigned f = 0; f < MODEL_FLOWS; f++) {
        const struct model_flow *flow = &model->flow[f], *other = &model->flow[best < 0 ? 0 : best];
        if (flow->queue != queue || model_packets_of(model, f) == 0)
            continue;
        bool ranks = model->queue[queue].discipline == MODEL_PRIORITY;
        if (best < 0 || (ranks && flow->priority > other->priority) ||
            ((!ranks || flow->priority == other->priority) && flow->turn < other->turn))
            best = (int)f;
    }
    return oldest(model, queue, best);
}

static void take_out(struct model *model, unsigned queue, int packet) {
    struct sdd_queue_stats *stats = &model->queue[queue].stats;
    unsigned flow = model->packet[packet].flow;
    model->packet[packet].queued = false;
    model->flow[flow].turn = model->next_turn++;
    stats->packets--;
    stats->bytes -= model->packet[packet].bytes;
    if (model_packets_of(model, flow) == 0) {
        stats->flows--;
        model_forget_if_unmapped_and_idle(model, flow);
    }
}

static int serve(struct model *model, unsigned q, enum sdd_network *network) {
    struct model_queue *queue = &model->queue[q];
    int packet = next_packet(model, q);
    uint32_t bytes = model->packet[packet].bytes;
    bool by_slot = model_may_transmit(model, q) == MODEL_PACKET_SLOT_LETS;
    *network = by_slot || model->override == SDD_ALL_OPEN ? SDD_PACKET : queue->config.network;
    if (by_slot)
        queue->debt += bytes * INT64_C(8000000000);
    if (*network == SDD_PACKET) {
        queue->used_packet_switch = true;
        queue->last_packet_ns = model->now_ns;
        queue->stats.packet_switch_packets++;
        queue->stats.packet_switch_bytes += bytes;
    }
    take_out(model, q, packet);
    queue->stats.sent_packets++;
    queue->stats.sent_bytes += bytes;
    queue->stats.last_xmit_ns = model->now_ns;
    if (queue->config.drain_rate_bps > 0) {
        uint64_t rate = (uint64_t)queue->config.drain_rate_bps;
        uint64_t bits_ns = bytes * UINT64_C(8000000000) + queue->remainder;
        int64_t due_ns = queue->next_send_ns + (int64_t)(bits_ns / rate);
        queue->remainder = bits_ns % rate;
        queue->next_send_ns = due_ns > model->now_ns ? due_ns : model->now_ns;
    }
    model_look_at_triggers(model, q);
    return packet;
}

int model_dequeue(struct model *model, enum sdd_network *network) {
    model_evaluate_triggers(model);
    for (int priority = SDD_PRIORITIES - 1; priority >= 0; priority--) {
        for (unsigned i = 0; i < MODEL_QUEUES; i++) {
            unsigned q = (model->turn[priority] + i) % MODEL_QUEUES;
            if (model->queue[q].config.priority != priority ||
                model_may_transmit(model, q) == MODEL_SHUT)
                continue;
            model->turn[priority] = (q + 1) % MODEL_QUEUES;
            return serve(model, q, network);
        }
    }
    return -1;
}

int model_discard(struct model *model, unsigned queue) {
    int packet = oldest(model, queue, -1);
    if (packet < 0)
        return -1;
    take_out(model, queue, packet);
    model->queue[queue].stats.dropped_packets++;
    model_look_at_triggers(model, queue);
    return packet;
}
