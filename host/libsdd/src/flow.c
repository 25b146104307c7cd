/*
 * Flows. Each flow has a list of its packets (the headPtrs of section 5.3.2), which are also in
 * their queue's list of arrivals. FIFO, round robin and priorities thus all find the next packet in
 * constant time, and a flow can change queue without touching other flows' packets.
 */
#include "flow.h"

#include "dataplane.h"
#include "gate.h"

static void activate(struct sdd_flow *flow) {
    struct sdd_queue *queue = flow->queue;
    base_list_append(&queue->active_flows, &flow->link);
    base_list_append(&queue->active_by_priority[flow->priority], &flow->priority_link);
    queue->used_priorities |= (uint8_t)(1u << flow->priority);
}

static void deactivate(struct sdd_flow *flow) {
    struct sdd_queue *queue = flow->queue;
    base_list_remove(&flow->link);
    base_list_remove(&flow->priority_link);
    if (base_list_empty(&queue->active_by_priority[flow->priority]))
        queue->used_priorities &= (uint8_t) ~(1u << flow->priority);
}

/* Keeps an idle flow until its record is needed, and frees one without a mapping at once. */
static void become_idle(struct sdd *sdd, struct sdd_flow *flow) {
    base_list_remove(&flow->link);
    if (flow->mapped) {
        base_list_append(&sdd->idle_flows, &flow->link);
    } else {
        base_key_index_remove(&sdd->flow_index, (uint32_t)(flow - sdd->flows));
        flow->indexed = false;
        base_list_insert_before(sdd->idle_flows.next, &flow->link);
    }
}

void sdd_flow_landed(struct sdd *sdd, struct sdd_flow *flow) {
    flow->in_flight--;
    if (flow->in_flight > 0)
        return;
    if (flow->packets == 0)
        become_idle(sdd, flow);
    if (flow->moved) {
        flow->moved = false;
        flow->queue->held_flows--;
        sdd_gate_settle(sdd, flow->queue);
    }
}

enum sdd_status sdd_flow_of(struct sdd *sdd, const struct base_flow_key *key,
                            struct sdd_flow **found) {
    uint32_t number = base_key_index_find(&sdd->flow_index, key);
    if (number != BASE_NO_RECORD) {
        *found = &sdd->flows[number];
        return (*found)->mapped ? SDD_OK : SDD_ERR_UNMAPPED;
    }
    const struct sdd_mapping *mapping = sdd_matcher_classify(&sdd->matcher, key);
    if (!mapping)
        return SDD_ERR_UNMAPPED;
    if (base_list_empty(&sdd->idle_flows))
        return SDD_ERR_FULL;
    struct sdd_flow *flow = BASE_CONTAINER_OF(sdd->idle_flows.next, struct sdd_flow, link);
    number = (uint32_t)(flow - sdd->flows);
    if (flow->indexed)
        base_key_index_remove(&sdd->flow_index, number);
    if (number >= sdd->flows_touched)
        sdd->flows_touched = number + 1;
    base_list_remove(&flow->link);
    *flow = (struct sdd_flow){.key = *key,
                              .queue = &sdd->queues[mapping->queue],
                              .priority = mapping->flow_priority,
                              .indexed = true,
                              .mapped = true};
    base_list_init(&flow->priority_link);
    base_list_append(&sdd->idle_flows, &flow->link);
    base_key_index_add(&sdd->flow_index, number);
    *found = flow;
    return SDD_OK;
}

/* Counts a packet that was added to the flow's list, also in the queue's statistics. */
static void count_in(struct sdd_flow *flow, uint32_t bytes) {
    flow->queue->stats.packets++;
    flow->queue->stats.bytes += bytes;
    if (flow->packets++ == 0) {
        base_list_remove(&flow->link); /* it was idle */
        activate(flow);
        flow->queue->stats.flows++;
    }
}

void sdd_flow_append(struct sdd_flow *flow, struct sdd_packet *packet) {
    packet->flow = flow;
    packet->next_in_flow = NULL;
    if (flow->packets == 0)
        flow->first = packet;
    else
        flow->last->next_in_flow = packet;
    flow->last = packet;
    base_list_append(&flow->queue->arrivals, &packet->arrival);
    count_in(flow, packet->bytes);
}

/* Inserts before the first packet, from start on, that arrived later. */
static void insert_by_arrival(struct sdd_queue *queue, struct base_list_link *start,
                              struct sdd_packet *packet) {
    while (start != &queue->arrivals &&
           BASE_CONTAINER_OF(start, struct sdd_packet, arrival)->sequence < packet->sequence)
        start = start->next;
    base_list_insert_before(start, &packet->arrival);
}

/* Packets are returned in the order in which they left, so each passes only earlier returns. */
void sdd_flow_return(struct sdd_flow *flow, struct sdd_packet *packet) {
    struct sdd_packet **link = &flow->first;
    struct sdd_packet *before = NULL;
    if (flow->packets == 0)
        flow->first = NULL;
    while (*link && (*link)->sequence < packet->sequence) {
        before = *link;
        link = &before->next_in_flow;
    }
    packet->next_in_flow = *link;
    *link = packet;
    if (!packet->next_in_flow)
        flow->last = packet;
    insert_by_arrival(flow->queue, before ? before->arrival.next : flow->queue->arrivals.next,
                      packet);
    count_in(flow, packet->bytes);
}

struct sdd_packet *sdd_flow_pop(struct sdd *sdd, struct sdd_flow *flow) {
    struct sdd_packet *packet = flow->first;
    struct sdd_queue *queue = flow->queue;
    flow->first = packet->next_in_flow;
    flow->packets--;
    base_list_remove(&packet->arrival);
    queue->stats.packets--;
    queue->stats.bytes -= packet->bytes;
    deactivate(flow);
    if (flow->packets > 0) {
        activate(flow); /* moves the flow to the end: its turn is over */
    } else {
        queue->stats.flows--;
        if (flow->in_flight == 0)
            become_idle(sdd, flow);
    }
    return packet;
}

/* Holds the new queue until all packets of the flow in flight are sent or returned, so that the
 * flow keeps its order. */
static void hold_while_in_flight(struct sdd *sdd, struct sdd_flow *flow, struct sdd_queue *to) {
    if (flow->in_flight == 0)
        return;
    if (flow->moved) {
        flow->queue->held_flows--;
    } else {
        flow->moved = true;
        sdd_gate_recall(sdd, flow->queue);
    }
    to->held_flows++;
}

static void move(struct sdd *sdd, struct sdd_flow *flow, struct sdd_queue *to) {
    const uint32_t changed = 1u << SDD_PACKETS | 1u << SDD_BYTES | 1u << SDD_FLOWS;
    struct sdd_queue *from = flow->queue;
    struct base_list_link *place = to->arrivals.next;
    bool was_empty = to->stats.packets == 0;
    hold_while_in_flight(sdd, flow, to);
    if (flow->packets > 0) {
        deactivate(flow);
        from->stats.flows--;
        to->stats.flows++;
        flow->queue = to;
        activate(flow);
    }
    flow->queue = to;
    struct sdd_packet *packet = flow->packets > 0 ? flow->first : NULL;
    for (; packet; packet = packet->next_in_flow) {
        base_list_remove(&packet->arrival);
        insert_by_arrival(to, place, packet);
        place = packet->arrival.next;
        from->stats.packets--;
        from->stats.bytes -= packet->bytes;
        to->stats.packets++;
        to->stats.bytes += packet->bytes;
    }
    if (was_empty && to->next_send_ns < sdd->now_ns)
        to->next_send_ns = sdd->now_ns;
    sdd_changed(sdd, from, changed, true);
    sdd_changed(sdd, to, changed, true);
}

void sdd_flow_rebind(struct sdd *sdd, struct sdd_flow *flow) {
    const struct sdd_mapping *mapping = sdd_matcher_classify(&sdd->matcher, &flow->key);
    bool idle = flow->packets == 0 && flow->in_flight == 0;
    flow->mapped = mapping != NULL;
    if (!mapping) {
        if (idle)
            become_idle(sdd, flow);
        return;
    }
    if (flow->priority != mapping->flow_priority) {
        if (flow->packets > 0)
            deactivate(flow);
        flow->priority = mapping->flow_priority;
        if (flow->packets > 0)
            activate(flow);
    }
    if (flow->queue != &sdd->queues[mapping->queue])
        move(sdd, flow, &sdd->queues[mapping->queue]);
}
