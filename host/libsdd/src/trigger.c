/* Adding and removing triggers. */
#include "trigger.h"

#include "dataplane.h"
#include "firing.h"

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
