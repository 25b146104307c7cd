/* Creating and destroying a dataplane, and advancing its time. */
#include "dataplane.h"

#include <stdlib.h>
#include <string.h>

#include "firing.h"
#include "gate.h"

static bool good_limits(const struct sdd_limits *limits) {
    const uint32_t most = UINT32_C(1) << 30;
    return limits->max_queues >= 1 && limits->max_queues <= SDD_MAX_QUEUES &&
           limits->max_flows <= most && limits->max_mappings <= most && limits->max_slots <= most &&
           limits->max_conditions <= most && limits->max_triggers <= most &&
           limits->max_events <= most;
}

/* calloc, but null always means out of memory, also for a count of 0. */
static void *zeroed(uint32_t count, size_t bytes) {
    return calloc(count ? count : 1, bytes);
}

static bool take_memory(struct sdd *sdd) {
    const struct sdd_limits *limits = &sdd->limits;
    sdd->queues = zeroed(limits->max_queues, sizeof *sdd->queues);
    sdd->versions = zeroed(limits->max_queues, sizeof *sdd->versions);
    sdd->conditions = zeroed(limits->max_conditions, sizeof *sdd->conditions);
    sdd->triggers = zeroed(limits->max_triggers, sizeof *sdd->triggers);
    sdd->flows = zeroed(limits->max_flows, sizeof *sdd->flows);
    return sdd->queues && sdd->versions && sdd->conditions && sdd->triggers && sdd->flows &&
           sdd_ready_init(&sdd->ready, limits->max_queues) &&
           sdd_slots_init(&sdd->slots, limits->max_slots) &&
           base_key_index_init(&sdd->flow_index, sdd->flows, sizeof *sdd->flows, limits->max_flows,
                               limits->hash_seed) &&
           sdd_matcher_init(&sdd->matcher, limits->max_mappings, limits->hash_seed) &&
           base_ring_init(&sdd->events[SDD_CONTROLLER], limits->max_events,
                          sizeof(struct sdd_event)) &&
           base_ring_init(&sdd->events[SDD_APPLICATIONS], limits->max_events,
                          sizeof(struct sdd_event));
}

enum sdd_status sdd_create(const struct sdd_limits *limits, struct sdd **created) {
    if (!good_limits(limits))
        return SDD_ERR_ARGUMENT;
    struct sdd *sdd = aligned_alloc(_Alignof(struct sdd), sizeof *sdd);
    if (!sdd)
        return SDD_ERR_MEMORY;
    memset(sdd, 0, sizeof *sdd);
    sdd->limits = *limits;
    if (!take_memory(sdd)) {
        sdd_destroy(sdd);
        return SDD_ERR_MEMORY;
    }
    base_wheel_init(&sdd->wheel);
    base_list_init(&sdd->free_conditions);
    base_list_init(&sdd->free_triggers);
    base_list_init(&sdd->evaluated_triggers);
    base_list_init(&sdd->idle_flows);
    for (uint32_t i = 0; i < limits->max_conditions; i++)
        base_list_append(&sdd->free_conditions, &sdd->conditions[i].link);
    for (uint32_t i = 0; i < limits->max_triggers; i++)
        base_list_append(&sdd->free_triggers, &sdd->triggers[i].link);
    for (uint32_t i = 0; i < limits->max_flows; i++)
        base_list_append(&sdd->idle_flows, &sdd->flows[i].link);
    *created = sdd;
    return SDD_OK;
}

void sdd_destroy(struct sdd *sdd) {
    if (!sdd)
        return;
    for (unsigned i = 0; i < SDD_RECIPIENTS; i++)
        base_ring_free(&sdd->events[i]);
    sdd_matcher_free(&sdd->matcher);
    base_key_index_free(&sdd->flow_index);
    sdd_slots_free(&sdd->slots);
    sdd_ready_free(&sdd->ready);
    free(sdd->flows);
    free(sdd->triggers);
    free(sdd->conditions);
    free(sdd->versions);
    free(sdd->queues);
    free(sdd);
}

void sdd_advance(struct sdd *sdd, int64_t now_ns) {
    struct base_timer *timer;
    if (now_ns > sdd->now_ns)
        sdd->now_ns = now_ns < BASE_FOREVER ? now_ns : BASE_FOREVER - 1;
    while ((timer = base_wheel_expire(&sdd->wheel, sdd->now_ns)) != NULL) {
        if (timer->kind == SDD_QUEUE_TIMER) {
            sdd_gate_settle(sdd, BASE_CONTAINER_OF(timer, struct sdd_queue, timer));
        } else {
            /* at its own deadline, so that no window is skipped when time advances past it */
            sdd_trigger_settle(sdd, BASE_CONTAINER_OF(timer, struct sdd_trigger, timer),
                               timer->deadline_ns);
        }
    }
}

void sdd_poll(struct sdd *sdd, int64_t now_ns) {
    sdd_advance(sdd, now_ns);
    sdd_triggers_evaluate(sdd);
}

int64_t sdd_next_ns(const struct sdd *sdd) {
    return sdd->ready.priorities != 0 ? sdd->now_ns : base_wheel_next_ns(&sdd->wheel);
}

void sdd_changed(struct sdd *sdd, struct sdd_queue *queue, uint32_t variables, bool gate) {
    if (gate || (queue->condition_variables & variables) != 0)
        sdd_gate_settle(sdd, queue);
    if ((queue->trigger_variables & variables) != 0)
        sdd_triggers_settle(sdd, queue);
}
