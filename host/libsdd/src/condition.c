/* Dequeue conditions. Each kind is stored in the form that is cheapest to execute (section
 * 5.3.5). */
#include "condition.h"

#include "dataplane.h"
#include "gate.h"
#include "packet_debt.h"

/* Whether the queue has no condition on time or state. If it has one, another condition can only
 * open it more often. */
static bool wide_open(const struct sdd_queue *queue) {
    return queue->constant == SDD_ALWAYS_TRUE ||
           (sdd_gate_unconditioned(queue) && !queue->config.closed_by_default);
}

static void settle_addition(struct sdd *sdd, struct sdd_queue *queue, bool was_wide_open) {
    if (was_wide_open && !wide_open(queue))
        sdd_gate_recall(sdd, queue);
    sdd_gate_settle(sdd, queue);
}

static void settle_removal(struct sdd *sdd, struct sdd_queue *queue) {
    sdd_gate_recall(sdd, queue);
    sdd_gate_settle(sdd, queue);
}

enum sdd_status sdd_add_slot(struct sdd *sdd, uint32_t number, struct sdd_window slot,
                             int64_t now_ns) {
    struct sdd_queue *queue = sdd_find_queue(sdd, number);
    if (!queue)
        return SDD_ERR_QUEUE;
    sdd_advance(sdd, now_ns);
    bool was_wide_open = wide_open(queue);
    if (slot.close_ns <= slot.open_ns || slot.close_ns <= sdd->now_ns) {
        queue->lapsed = true; /* it counts as a condition, which has expired */
    } else if (sdd->slots.free_count == 0) {
        return SDD_ERR_FULL;
    } else {
        sdd_schedule_add(&sdd->slots, &queue->schedule, slot, 0);
    }
    settle_addition(sdd, queue, was_wide_open);
    return SDD_OK;
}

static unsigned windows_ahead(const struct sdd *sdd, const struct sdd_queue *queue,
                              const struct sdd_program *program,
                              struct sdd_window windows[SDD_MAX_WINDOWS]) {
    const struct sdd_environment env = sdd_environment(sdd, queue);
    unsigned count = sdd_program_windows(program, &env, windows), over = 0;
    while (over < count && windows[over].close_ns <= sdd->now_ns)
        over++;
    for (unsigned i = over; i < count; i++)
        windows[i - over] = windows[i];
    return count - over;
}

static enum sdd_status add_schedule(struct sdd *sdd, struct sdd_queue *queue,
                                    const struct sdd_program *program) {
    struct sdd_window windows[SDD_MAX_WINDOWS];
    unsigned count = windows_ahead(sdd, queue, program, windows);
    if (count > sdd->slots.free_count)
        return SDD_ERR_FULL;
    if (count == 0)
        queue->lapsed = true;
    for (unsigned i = 0; i < count; i++)
        sdd_schedule_add(&sdd->slots, &queue->schedule, windows[i], 0);
    return SDD_OK;
}

static void collect_variables(struct sdd_queue *queue) {
    queue->condition_variables = 0;
    for (struct base_list_link *link = queue->conditions.next; link != &queue->conditions;
         link = link->next) {
        const struct sdd_condition *condition = BASE_CONTAINER_OF(link, struct sdd_condition, link);
        if (condition->class == SDD_PACED)
            queue->condition_variables |= sdd_program_own_variables(&condition->program);
    }
}

static enum sdd_status add_program(struct sdd *sdd, struct sdd_queue *queue,
                                   const struct sdd_program *program,
                                   enum sdd_program_class class) {
    if (base_list_empty(&sdd->free_conditions))
        return SDD_ERR_FULL;
    struct sdd_condition *condition =
        BASE_CONTAINER_OF(sdd->free_conditions.next, struct sdd_condition, link);
    base_list_remove(&condition->link);
    base_list_append(&queue->conditions, &condition->link);
    condition->class = class;
    condition->program = *program;
    queue->evaluated_conditions += class == SDD_EVALUATED;
    collect_variables(queue);
    return SDD_OK;
}

static enum sdd_constant_condition constant_of(const struct sdd_program *program) {
    const struct sdd_environment nothing = {0};
    return sdd_program_evaluate(program, &nothing) ? SDD_ALWAYS_TRUE : SDD_ALWAYS_FALSE;
}

enum sdd_status sdd_add_dequeue_condition(struct sdd *sdd, uint32_t number,
                                          const struct sdd_program *condition, int64_t now_ns) {
    struct sdd_queue *queue = sdd_find_queue(sdd, number);
    if (!queue)
        return SDD_ERR_QUEUE;
    if (!sdd_program_check(condition, sdd->limits.max_queues, NULL))
        return SDD_ERR_PROGRAM;
    sdd_advance(sdd, now_ns);
    enum sdd_program_class class = sdd_program_class(condition);
    enum sdd_status status = SDD_OK;
    bool was_wide_open = wide_open(queue);
    if (class == SDD_CONSTANT)
        queue->constant = constant_of(condition);
    else if (class == SDD_SCHEDULE)
        status = add_schedule(sdd, queue, condition);
    else
        status = add_program(sdd, queue, condition, class);
    if (status != SDD_OK)
        return status;
    settle_addition(sdd, queue, was_wide_open);
    return SDD_OK;
}

/* Removes all windows of the program or none. Its windows are disjoint, so each occurs once. */
static enum sdd_status remove_schedule(struct sdd *sdd, struct sdd_queue *queue,
                                       const struct sdd_program *program) {
    struct sdd_window windows[SDD_MAX_WINDOWS];
    uint32_t slots[SDD_MAX_WINDOWS];
    unsigned count = windows_ahead(sdd, queue, program, windows);
    for (unsigned i = 0; i < count; i++) {
        slots[i] = sdd_schedule_find(&sdd->slots, &queue->schedule, windows[i]);
        if (slots[i] == SDD_NO_SLOT)
            return SDD_ERR_NOT_FOUND;
    }
    for (unsigned i = 0; i < count; i++)
        sdd_schedule_remove(&sdd->slots, &queue->schedule, slots[i]);
    return count > 0 ? SDD_OK : SDD_ERR_NOT_FOUND;
}

enum sdd_status sdd_remove_slot(struct sdd *sdd, uint32_t number, struct sdd_window slot,
                                int64_t now_ns) {
    struct sdd_queue *queue = sdd_find_queue(sdd, number);
    if (!queue)
        return SDD_ERR_QUEUE;
    sdd_advance(sdd, now_ns);
    const uint32_t found = sdd_schedule_find(&sdd->slots, &queue->schedule, slot);
    if (found == SDD_NO_SLOT)
        return SDD_ERR_NOT_FOUND;
    sdd_schedule_remove(&sdd->slots, &queue->schedule, found);
    settle_removal(sdd, queue);
    return SDD_OK;
}

enum sdd_status sdd_set_override(struct sdd *sdd, enum sdd_override override, int64_t now_ns) {
    if (override != SDD_BY_CONDITIONS && override != SDD_ALL_OPEN && override != SDD_ALL_CLOSED)
        return SDD_ERR_ARGUMENT;
    sdd_advance(sdd, now_ns);
    if (override == sdd->override)
        return SDD_OK;
    sdd->override = override;
    for (uint32_t number = 0; number < sdd->limits.max_queues; number++) {
        struct sdd_queue *queue = sdd_find_queue(sdd, number);
        if (!queue)
            continue;
        sdd_gate_recall(sdd, queue); /* packets in flight may be for the other network */
        sdd_gate_settle(sdd, queue);
    }
    return SDD_OK;
}

static void free_condition(struct sdd *sdd, struct sdd_queue *queue,
                           struct sdd_condition *condition) {
    queue->evaluated_conditions -= condition->class == SDD_EVALUATED;
    base_list_remove(&condition->link);
    base_list_append(&sdd->free_conditions, &condition->link);
}

static enum sdd_status remove_program(struct sdd *sdd, struct sdd_queue *queue,
                                      const struct sdd_program *program) {
    for (struct base_list_link *link = queue->conditions.next; link != &queue->conditions;
         link = link->next) {
        struct sdd_condition *condition = BASE_CONTAINER_OF(link, struct sdd_condition, link);
        if (sdd_program_equal(&condition->program, program)) {
            free_condition(sdd, queue, condition);
            collect_variables(queue);
            return SDD_OK;
        }
    }
    return SDD_ERR_NOT_FOUND;
}

enum sdd_status sdd_remove_dequeue_condition(struct sdd *sdd, uint32_t number,
                                             const struct sdd_program *condition, int64_t now_ns) {
    struct sdd_queue *queue = sdd_find_queue(sdd, number);
    if (!queue)
        return SDD_ERR_QUEUE;
    if (!sdd_program_check(condition, sdd->limits.max_queues, NULL))
        return SDD_ERR_PROGRAM;
    sdd_advance(sdd, now_ns);
    enum sdd_program_class class = sdd_program_class(condition);
    enum sdd_status status = SDD_OK;
    if (class == SDD_SCHEDULE)
        status = remove_schedule(sdd, queue, condition);
    else if (class != SDD_CONSTANT)
        status = remove_program(sdd, queue, condition);
    else if (queue->constant == constant_of(condition))
        queue->constant = SDD_NO_CONSTANT;
    else
        status = SDD_ERR_NOT_FOUND;
    if (status != SDD_OK)
        return status;
    settle_removal(sdd, queue);
    return SDD_OK;
}

static void forget_all_but_slots(struct sdd *sdd, struct sdd_queue *queue) {
    queue->constant = SDD_NO_CONSTANT;
    queue->condition_variables = 0;
    while (!base_list_empty(&queue->conditions))
        free_condition(sdd, queue,
                       BASE_CONTAINER_OF(queue->conditions.next, struct sdd_condition, link));
}

void sdd_forget_conditions(struct sdd *sdd, struct sdd_queue *queue) {
    queue->lapsed = false;
    while (queue->schedule.first != SDD_NO_SLOT)
        sdd_schedule_remove(&sdd->slots, &queue->schedule, queue->schedule.first);
    sdd_forget_packet_slots(sdd, queue);
    forget_all_but_slots(sdd, queue);
}

enum sdd_status sdd_clear_all_but_slots(struct sdd *sdd, uint32_t number, int64_t now_ns) {
    struct sdd_queue *queue = sdd_find_queue(sdd, number);
    if (!queue)
        return SDD_ERR_QUEUE;
    sdd_advance(sdd, now_ns);
    if (queue->schedule.first == SDD_NO_SLOT)
        queue->lapsed = false;
    forget_all_but_slots(sdd, queue);
    settle_removal(sdd, queue);
    return SDD_OK;
}

enum sdd_status sdd_clear_dequeue_conditions(struct sdd *sdd, uint32_t number, int64_t now_ns) {
    struct sdd_queue *queue = sdd_find_queue(sdd, number);
    if (!queue)
        return SDD_ERR_QUEUE;
    sdd_advance(sdd, now_ns);
    sdd_forget_conditions(sdd, queue);
    settle_removal(sdd, queue);
    return SDD_OK;
}

bool sdd_may_transmit(struct sdd *sdd, uint32_t number, int64_t now_ns) {
    sdd_advance(sdd, now_ns);
    const struct sdd_queue *queue = sdd_find_queue(sdd, number);
    return queue && queue->ready && sdd_gate_open(sdd, queue);
}
