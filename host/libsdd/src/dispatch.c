/* Enqueue and dequeue. */
#include "dispatch.h"

#include "dataplane.h"
#include "flow.h"
#include "gate.h"
#include "packet_debt.h"

enum {
    DEPARTURE_VARIABLES = 1 << SDD_PACKETS | 1 << SDD_BYTES | 1 << SDD_FLOWS,
    ARRIVAL_VARIABLES = DEPARTURE_VARIABLES | 1 << SDD_LAST_RECV_TIME | 1 << SDD_RECEIVED_PACKETS |
                        1 << SDD_RECEIVED_BYTES,
    SENT_VARIABLES = 1 << SDD_LAST_XMIT_TIME | 1 << SDD_SENT_PACKETS | 1 << SDD_SENT_BYTES,
    DROP_VARIABLES = 1 << SDD_DROPPED_PACKETS
};

static bool has_room(const struct sdd_queue *queue, uint32_t bytes) {
    const struct sdd_queue_config *config = &queue->config;
    return (config->max_packets == 0 || queue->stats.packets < config->max_packets) &&
           (config->max_bytes == 0 || queue->stats.bytes + bytes <= config->max_bytes);
}

enum sdd_status sdd_enqueue(struct sdd *sdd, struct sdd_packet *packet, int64_t now_ns) {
    struct sdd_flow *flow;
    const struct base_flow_key *key = &packet->key;
    if (packet->bytes == 0 || packet->bytes > SDD_MAX_PACKET_BYTES ||
        (key->zero[0] | key->zero[1] | key->zero[2]) != 0)
        return SDD_ERR_ARGUMENT;
    enum sdd_status status = sdd_flow_of(sdd, key, &flow);
    if (status != SDD_OK)
        return status;
    struct sdd_queue *queue = flow->queue;
    sdd_advance(sdd, now_ns);
    if (!has_room(queue, packet->bytes)) {
        queue->stats.dropped_packets++;
        sdd_changed(sdd, queue, DROP_VARIABLES, false);
        return SDD_ERR_FULL;
    }
    bool was_empty = queue->stats.packets == 0;
    /* a queue earns no credit while it has nothing to send */
    if (was_empty && queue->next_send_ns < sdd->now_ns)
        queue->next_send_ns = sdd->now_ns;
    packet->sequence = sdd->next_sequence++;
    sdd_flow_append(flow, packet);
    queue->stats.received_packets++;
    queue->stats.received_bytes += packet->bytes;
    queue->stats.last_recv_ns = sdd->now_ns;
    sdd_changed(sdd, queue, ARRIVAL_VARIABLES, was_empty);
    return SDD_OK;
}

/* Round robin: returns the first queue of the priority that may transmit, starting after the one
 * last served. */
static struct sdd_queue *pick_from(struct sdd *sdd, unsigned priority) {
    const uint32_t turn = sdd->turn[priority];
    uint32_t end = SDD_READY_NONE;
    for (uint32_t from = turn;; from = 0, end = turn) {
        uint32_t number = sdd_ready_next(&sdd->ready, priority, from);
        for (; number < end; number = sdd_ready_next(&sdd->ready, priority, number + 1)) {
            if (sdd_gate_open(sdd, &sdd->queues[number])) {
                sdd->turn[priority] = number + 1;
                return &sdd->queues[number];
            }
        }
        if (from == 0)
            return NULL;
    }
}

static struct sdd_queue *pick(struct sdd *sdd) {
    struct sdd_queue *queue = NULL;
    for (uint64_t left = sdd->ready.priorities; left != 0 && !queue;) {
        unsigned highest = 63 - (unsigned)__builtin_clzll(left);
        queue = pick_from(sdd, highest);
        left &= ~(UINT64_C(1) << highest);
    }
    return queue;
}

static struct sdd_flow *choose_flow(struct sdd_queue *queue) {
    struct sdd_flow *flow = queue->config.get_next(queue, queue->config.get_next_context);
    if (!flow || flow->queue != queue || flow->packets == 0)
        flow = sdd_next_fifo(queue, NULL);
    return flow;
}

/* Sets the slot that allows the packet to be sent, if there is one. */
static void name_slot(const struct sdd *sdd, const struct sdd_queue *queue,
                      struct sdd_packet *packet) {
    struct sdd_window slot = {sdd->now_ns, BASE_FOREVER};
    if (queue->window.open_ns > sdd->now_ns || queue->window.close_ns == BASE_FOREVER ||
        !sdd_schedule_window(&sdd->slots, &queue->schedule, sdd->now_ns, &slot) ||
        slot.close_ns < queue->window.close_ns || slot.open_ns > sdd->now_ns)
        slot = (struct sdd_window){sdd->now_ns, BASE_FOREVER};
    packet->queue = queue->number;
    packet->open_ns = slot.open_ns;
    packet->close_ns = slot.close_ns;
}

/* Removes a packet. The queue's gate and triggers are not updated. */
static struct sdd_queue *take(struct sdd *sdd, struct sdd_grant *grant) {
    struct sdd_queue *queue = pick(sdd);
    if (!queue)
        return NULL;
    /* outside the window a condition about other queues is true, which holds now only */
    bool in_window = queue->window.open_ns <= sdd->now_ns;
    bool by_packet_slot = in_window && queue->window_is_packet_slot;
    struct sdd_flow *flow = choose_flow(queue);
    queue->in_flight++;
    queue->in_flight_by = by_packet_slot ? SDD_PACKET : sdd_gate_network(sdd, queue);
    queue->in_flight_paced = by_packet_slot;
    flow->in_flight++;
    struct sdd_packet *packet = sdd_flow_pop(sdd, flow);
    name_slot(sdd, queue, packet);
    packet->network = queue->in_flight_by;
    *grant = (struct sdd_grant){.packet = packet,
                                .flow = flow,
                                .from_ns = sdd->now_ns,
                                .until_ns = in_window ? queue->window.close_ns : BASE_FOREVER,
                                .queue = queue->number,
                                .bytes = packet->bytes,
                                .network = queue->in_flight_by,
                                .by_packet_slot = by_packet_slot};
    return queue;
}

static void count_sent(struct sdd *sdd, struct sdd_queue *queue, const struct sdd_grant *grant,
                       int64_t time_ns) {
    queue->in_flight--;
    queue->stats.sent_packets++;
    queue->stats.sent_bytes += grant->bytes;
    if (time_ns > queue->stats.last_xmit_ns)
        queue->stats.last_xmit_ns = time_ns;
    if (grant->network == SDD_PACKET) {
        queue->stats.packet_switch_packets++;
        queue->stats.packet_switch_bytes += grant->bytes;
        if (time_ns > queue->last_packet_ns)
            queue->last_packet_ns = time_ns;
    }
    if (grant->by_packet_slot)
        sdd_packet_slot_sent(sdd, queue, grant->bytes);
    sdd_gate_sent(queue, grant->bytes, time_ns);
    sdd_flow_landed(sdd, grant->flow);
}

/* Whether the last packet in flight for which the gate waited has landed. */
static bool landed_all(struct sdd_queue *queue) {
    if (queue->in_flight > 0)
        return false;
    queue->recalled = false;
    return true;
}

struct sdd_packet *sdd_dequeue(struct sdd *sdd, int64_t now_ns) {
    struct sdd_grant grant;
    sdd_poll(sdd, now_ns);
    struct sdd_queue *queue = take(sdd, &grant);
    if (!queue)
        return NULL;
    count_sent(sdd, queue, &grant, sdd->now_ns);
    bool gate =
        queue->stats.packets == 0 || queue->config.drain_rate_bps > 0 || grant.by_packet_slot;
    sdd_changed(sdd, queue, DEPARTURE_VARIABLES | SENT_VARIABLES, gate);
    return grant.packet;
}

bool sdd_grant(struct sdd *sdd, struct sdd_grant *grant) {
    struct sdd_queue *queue = take(sdd, grant);
    if (!queue)
        return false;
    /* relaxed: only this thread writes it */
    grant->version = atomic_load_explicit(&sdd->versions[grant->queue], memory_order_relaxed);
    sdd_changed(sdd, queue, DEPARTURE_VARIABLES,
                queue->stats.packets == 0 || sdd_gate_paced(queue) || grant->by_packet_slot);
    return true;
}

void sdd_granted_sent(struct sdd *sdd, const struct sdd_grant *grant, int64_t time_ns) {
    struct sdd_queue *queue = &sdd->queues[grant->queue];
    count_sent(sdd, queue, grant, time_ns);
    sdd_changed(sdd, queue, SENT_VARIABLES, landed_all(queue) || queue->config.drain_rate_bps > 0);
}

void sdd_granted_back(struct sdd *sdd, const struct sdd_grant *grant) {
    struct sdd_queue *queue = &sdd->queues[grant->queue];
    struct sdd_queue *home = grant->flow->queue;
    sdd_gate_recall(sdd, queue);
    sdd_flow_return(grant->flow, grant->packet);
    queue->in_flight--;
    sdd_flow_landed(sdd, grant->flow);
    if (landed_all(queue) && queue != home)
        sdd_gate_settle(sdd, queue);
    sdd_changed(sdd, home, DEPARTURE_VARIABLES, true);
}

struct sdd_packet *sdd_discard(struct sdd *sdd, uint32_t number, int64_t now_ns) {
    struct sdd_queue *queue = sdd_find_queue(sdd, number);
    if (!queue || queue->stats.packets == 0)
        return NULL;
    sdd_advance(sdd, now_ns);
    struct sdd_packet *packet = sdd_flow_pop(sdd, sdd_next_fifo(queue, NULL));
    queue->stats.dropped_packets++;
    sdd_changed(sdd, queue, DEPARTURE_VARIABLES | DROP_VARIABLES, queue->stats.packets == 0);
    return packet;
}
