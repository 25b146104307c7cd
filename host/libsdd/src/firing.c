/* Triggers fire events when their conditions become true. */
#include "firing.h"

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
