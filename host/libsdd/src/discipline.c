/* The choice of a queue's next flow: the getNext() functions and their building blocks. */
#include "state.h"

struct sdd_flow *sdd_next_fifo(struct sdd_queue *queue, void *context) {
    (void)context;
    if (base_list_empty(&queue->arrivals))
        return NULL;
    return BASE_CONTAINER_OF(queue->arrivals.next, struct sdd_packet, arrival)->flow;
}

struct sdd_flow *sdd_next_round_robin(struct sdd_queue *queue, void *context) {
    (void)context;
    return sdd_first_flow(queue);
}

struct sdd_flow *sdd_next_strict_priority(struct sdd_queue *queue, void *context) {
    (void)context;
    if (queue->used_priorities == 0)
        return NULL;
    unsigned highest = 31 - (unsigned)__builtin_clz(queue->used_priorities);
    return BASE_CONTAINER_OF(queue->active_by_priority[highest].next, struct sdd_flow,
                             priority_link);
}

struct sdd_flow *sdd_first_flow(struct sdd_queue *queue) {
    if (base_list_empty(&queue->active_flows))
        return NULL;
    return BASE_CONTAINER_OF(queue->active_flows.next, struct sdd_flow, link);
}

struct sdd_flow *sdd_following_flow(struct sdd_queue *queue, struct sdd_flow *flow) {
    if (flow->link.next == &queue->active_flows)
        return NULL;
    return BASE_CONTAINER_OF(flow->link.next, struct sdd_flow, link);
}

const struct sdd_packet *sdd_flow_head(const struct sdd_flow *flow) {
    return flow->first;
}

unsigned sdd_flow_priority(const struct sdd_flow *flow) {
    return flow->priority;
}

const struct sdd_queue_stats *sdd_stats_of(const struct sdd_queue *queue) {
    return &queue->stats;
}
