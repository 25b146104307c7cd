/* Triggers fire events when their conditions become true. */
#include "dataplane.h"

static void fire(struct sdd *sdd, const struct sdd_trigger *trigger, int64_t at_ns) {
    const struct sdd_event event = {.trigger = (uint32_t)(trigger - sdd->triggers),
                                    .queue = trigger->queue->number,
                                    .target = trigger->target,
                                    .cookie = trigger->cookie,
                                    .time_ns = at_ns,
                                    .packets = trigger->queue->stats.packets,
                                    .bytes = trigger->queue->stats.bytes};
    const enum sdd_recipient recipient =
        trigger->target == SDD_TO_CONTROLLER ? SDD_CONTROLLER : SDD_APPLICATIONS;
    sdd->events_fired[recipient]++;
    if (!base_ring_push(&sdd->events[recipient], &event))
        sdd->events_lost[recipient]++;
}

void sdd_trigger_settle(struct sdd *sdd, struct sdd_trigger *trigger, int64_t at_ns) {
    const struct sdd_environment env = sdd_environment(sdd, trigger->queue);
    int64_t edge_ns = BASE_FOREVER;
    bool is_true = false;
    if (trigger->class == SDD_EVALUATED) {
        is_true = sdd_program_evaluate(&trigger->program, &env);
    } else {
        struct sdd_window windows[SDD_MAX_WINDOWS];
        unsigned count = sdd_program_windows(&trigger->program, &env, windows), i = 0;
        while (i < count && windows[i].close_ns <= at_ns)
            i++;
        if (i < count) {
            is_true = windows[i].open_ns <= at_ns;
            edge_ns = is_true ? windows[i].close_ns : windows[i].open_ns;
        }
    }
    if (is_true && !trigger->was_true)
        fire(sdd, trigger, at_ns);
    trigger->was_true = is_true;
    if (edge_ns == BASE_FOREVER)
        base_wheel_disarm(&sdd->wheel, &trigger->timer);
    else
        base_wheel_arm(&sdd->wheel, &trigger->timer, edge_ns);
}

void sdd_triggers_settle(struct sdd *sdd, struct sdd_queue *queue) {
    for (struct base_list_link *link = queue->triggers.next; link != &queue->triggers;
         link = link->next) {
        struct sdd_trigger *trigger = BASE_CONTAINER_OF(link, struct sdd_trigger, link);
        if (trigger->class != SDD_EVALUATED)
            sdd_trigger_settle(sdd, trigger, sdd->now_ns);
    }
}

void sdd_triggers_evaluate(struct sdd *sdd) {
    for (struct base_list_link *link = sdd->evaluated_triggers.next;
         link != &sdd->evaluated_triggers; link = link->next)
        sdd_trigger_settle(sdd, BASE_CONTAINER_OF(link, struct sdd_trigger, evaluated_link),
                           sdd->now_ns);
}

static void collect_variables(struct sdd_queue *queue) {
    queue->trigger_variables = 0;
    for (struct base_list_link *link = queue->triggers.next; link != &queue->triggers;
         link = link->next)
        queue->trigger_variables |=
            sdd_program_own_variables(&BASE_CONTAINER_OF(link, struct sdd_trigger, link)->program);
}

enum sdd_status sdd_add_trigger(struct sdd *sdd, uint32_t number,
                                const struct sdd_program *condition, enum sdd_trigger_target target,
                                uint64_t cookie, int64_t now_ns, uint32_t *added) {
    struct sdd_queue *queue = sdd_find_queue(sdd, number);
    if (!queue)
        return SDD_ERR_QUEUE;
    if (!sdd_program_check(condition, sdd->limits.max_queues, NULL))
        return SDD_ERR_PROGRAM;
    if (base_list_empty(&sdd->free_triggers))
        return SDD_ERR_FULL;
    sdd_advance(sdd, now_ns);
    struct sdd_trigger *trigger =
        BASE_CONTAINER_OF(sdd->free_triggers.next, struct sdd_trigger, link);
    base_list_remove(&trigger->link);
    base_list_append(&queue->triggers, &trigger->link);
    base_list_init(&trigger->evaluated_link);
    base_timer_init(&trigger->timer, SDD_TRIGGER_TIMER);
    trigger->queue = queue;
    trigger->class = sdd_program_class(condition);
    trigger->was_true = false;
    trigger->target = target;
    trigger->cookie = cookie;
    trigger->program = *condition;
    if (trigger->class == SDD_EVALUATED)
        base_list_append(&sdd->evaluated_triggers, &trigger->evaluated_link);
    collect_variables(queue);
    *added = (uint32_t)(trigger - sdd->triggers);
    sdd_trigger_settle(sdd, trigger, sdd->now_ns);
    return SDD_OK;
}

static void free_trigger(struct sdd *sdd, struct sdd_trigger *trigger) {
    base_wheel_disarm(&sdd->wheel, &trigger->timer);
    base_list_remove(&trigger->evaluated_link);
    base_list_remove(&trigger->link);
    base_list_append(&sdd->free_triggers, &trigger->link);
    trigger->queue = NULL;
}

enum sdd_status sdd_remove_trigger(struct sdd *sdd, uint32_t trigger, int64_t now_ns) {
    if (trigger >= sdd->limits.max_triggers || !sdd->triggers[trigger].queue)
        return SDD_ERR_NOT_FOUND;
    sdd_advance(sdd, now_ns);
    struct sdd_queue *queue = sdd->triggers[trigger].queue;
    free_trigger(sdd, &sdd->triggers[trigger]);
    collect_variables(queue);
    return SDD_OK;
}

void sdd_forget_triggers(struct sdd *sdd, struct sdd_queue *queue) {
    while (!base_list_empty(&queue->triggers))
        free_trigger(sdd, BASE_CONTAINER_OF(queue->triggers.next, struct sdd_trigger, link));
    collect_variables(queue);
}

enum sdd_status sdd_trigger_queue(const struct sdd *sdd, uint32_t trigger, uint32_t *queue) {
    if (trigger >= sdd->limits.max_triggers || !sdd->triggers[trigger].queue)
        return SDD_ERR_NOT_FOUND;
    *queue = sdd->triggers[trigger].queue->number;
    return SDD_OK;
}

bool sdd_take_event(struct sdd *sdd, enum sdd_recipient recipient, struct sdd_event *event) {
    const struct sdd_event *front = base_ring_front(&sdd->events[recipient]);
    if (!front)
        return false;
    *event = *front;
    base_ring_drop(&sdd->events[recipient]);
    return true;
}

uint64_t sdd_events_fired(const struct sdd *sdd, enum sdd_recipient recipient) {
    return sdd->events_fired[recipient];
}

uint64_t sdd_events_lost(const struct sdd *sdd, enum sdd_recipient recipient) {
    return sdd->events_lost[recipient];
}
