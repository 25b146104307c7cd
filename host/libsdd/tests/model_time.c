/* The model's time: conditions, packet slots and triggers. */
#include <string.h>

#include "model.h"
#include "support.h"

static bool holds(const struct model *model, unsigned queue, const struct sdd_program *program,
                  int64_t at_ns) {
    const struct sdd_environment env = {.now_ns = at_ns,
                                        .own = &model->queue[queue].stats,
                                        .all = &model->queue[0].stats,
                                        .stride = sizeof model->queue[0],
                                        .count = MODEL_QUEUES};
    return sdd_program_evaluate(program, &env);
}

/* ---- Triggers ---- */

static void look_at(struct model *model, struct model_trigger *trigger, int64_t at_ns) {
    bool is_true = holds(model, trigger->queue, &trigger->program, at_ns);
    if (is_true && !trigger->was_true) {
        assert_true(model->events < MODEL_EVENTS);
        model->event[model->events++] =
            (struct sdd_event){.trigger = (uint32_t)(trigger - model->trigger),
                               .queue = trigger->queue,
                               .cookie = trigger->cookie,
                               .time_ns = at_ns,
                               .packets = model->queue[trigger->queue].stats.packets,
                               .bytes = model->queue[trigger->queue].stats.bytes};
    }
    trigger->was_true = is_true;
}

static void look_at_all(struct model *model, unsigned queue, bool evaluated, int64_t at_ns) {
    for (unsigned i = 0; i < MODEL_TRIGGERS; i++) {
        struct model_trigger *trigger = &model->trigger[i];
        if (trigger->used && (queue == MODEL_QUEUES || trigger->queue == queue) &&
            (sdd_program_class(&trigger->program) == SDD_EVALUATED) == evaluated)
            look_at(model, trigger, at_ns);
    }
}

void model_look_at_triggers(struct model *model, unsigned queue) {
    look_at_all(model, queue, false, model->now_ns);
}

void model_evaluate_triggers(struct model *model) {
    look_at_all(model, MODEL_QUEUES, true, model->now_ns);
}

void model_add_trigger(struct model *model, unsigned number, unsigned queue,
                       const struct sdd_program *program, uint64_t cookie) {
    model->trigger[number] =
        (struct model_trigger){.used = true, .queue = queue, .program = *program, .cookie = cookie};
    look_at(model, &model->trigger[number], model->now_ns);
}

/* ---- Time and conditions ---- */

static void let_windows_lapse(struct model *model) {
    for (unsigned q = 0; q < MODEL_QUEUES; q++) {
        struct model_queue *queue = &model->queue[q];
        for (unsigned i = 0; i < queue->windows;) {
            if (queue->window[i].close_ns > model->now_ns) {
                i++;
                continue;
            }
            queue->window[i] = queue->window[--queue->windows];
            queue->lapsed = true;
        }
    }
}

static bool within(struct sdd_window window, int64_t at_ns) {
    return window.open_ns <= at_ns && at_ns < window.close_ns;
}

/* Returns the packet slot that applies now: the open one that begins first. */
static const struct model_slot *open_packet_slot(const struct model *model, unsigned q) {
    const struct model_queue *queue = &model->queue[q];
    for (unsigned i = 0; i < queue->packet_slots; i++)
        if (within(queue->packet_slot[i].window, model->now_ns))
            return &queue->packet_slot[i];
    return NULL;
}

/* Reduces the debts by what packet slots allow in a nanosecond. */
static void pay_debts(struct model *model) {
    for (unsigned q = 0; q < MODEL_QUEUES; q++) {
        const struct model_slot *slot = open_packet_slot(model, q);
        struct model_queue *queue = &model->queue[q];
        if (slot)
            queue->debt = queue->debt < slot->rate_bps ? 0 : queue->debt - slot->rate_bps;
    }
}

static void let_packet_slots_lapse(struct model_queue *queue, int64_t now_ns) {
    unsigned left = 0;
    for (unsigned i = 0; i < queue->packet_slots; i++)
        if (queue->packet_slot[i].window.close_ns > now_ns)
            queue->packet_slot[left++] = queue->packet_slot[i];
    queue->packet_slots = left;
}

void model_advance(struct model *model, int64_t now_ns) {
    while (model->now_ns < now_ns) {
        pay_debts(model);
        look_at_all(model, MODEL_QUEUES, false, ++model->now_ns);
    }
    let_windows_lapse(model);
    for (unsigned q = 0; q < MODEL_QUEUES; q++)
        let_packet_slots_lapse(&model->queue[q], model->now_ns);
}

/* Finds the windows of a condition on time that are not over by trying every time. */
static unsigned windows_of(const struct model *model, const struct sdd_program *program,
                           struct sdd_window *windows) {
    unsigned count = 0;
    int64_t open_ns = -1;
    for (int64_t t = 0; t <= MODEL_HORIZON; t++) {
        bool is_true = holds(model, 0, program, t);
        if (is_true && open_ns < 0)
            open_ns = t;
        if (open_ns >= 0 && (!is_true || t == MODEL_HORIZON)) {
            int64_t close_ns = is_true ? BASE_FOREVER : t;
            if (close_ns > model->now_ns)
                windows[count++] = (struct sdd_window){open_ns, close_ns};
            open_ns = -1;
        }
    }
    return count;
}

enum sdd_status model_add(struct model *model, unsigned q, const struct sdd_program *program) {
    struct model_queue *queue = &model->queue[q];
    struct sdd_window windows[SDD_MAX_WINDOWS];
    switch (sdd_program_class(program)) {
    case SDD_CONSTANT:
        queue->has_constant = true;
        queue->constant = holds(model, q, program, 0);
        break;
    case SDD_SCHEDULE: {
        unsigned count = windows_of(model, program, windows);
        assert_true(queue->windows + count <= MODEL_CONDITIONS);
        if (count == 0)
            queue->lapsed = true;
        for (unsigned i = 0; i < count; i++)
            queue->window[queue->windows++] = windows[i];
        break;
    }
    default:
        assert_true(queue->programs < MODEL_CONDITIONS);
        queue->program[queue->programs++] = *program;
    }
    return SDD_OK;
}

static unsigned find_window(const struct model_queue *queue, struct sdd_window window) {
    unsigned i = 0;
    while (i < queue->windows && memcmp(&queue->window[i], &window, sizeof window) != 0)
        i++;
    return i;
}

enum sdd_status model_remove(struct model *model, unsigned q, const struct sdd_program *program) {
    struct model_queue *queue = &model->queue[q];
    struct sdd_window windows[SDD_MAX_WINDOWS];
    enum sdd_program_class class = sdd_program_class(program);
    if (class == SDD_CONSTANT) {
        if (!queue->has_constant || queue->constant != holds(model, q, program, 0))
            return SDD_ERR_NOT_FOUND;
        queue->has_constant = false;
        return SDD_OK;
    }
    if (class == SDD_SCHEDULE) {
        unsigned count = windows_of(model, program, windows);
        for (unsigned i = 0; i < count; i++)
            if (find_window(queue, windows[i]) == queue->windows)
                return SDD_ERR_NOT_FOUND;
        for (unsigned i = 0; i < count; i++)
            queue->window[find_window(queue, windows[i])] = queue->window[--queue->windows];
        return count > 0 ? SDD_OK : SDD_ERR_NOT_FOUND;
    }
    for (unsigned i = 0; i < queue->programs; i++) {
        if (sdd_program_equal(&queue->program[i], program)) {
            queue->program[i] = queue->program[--queue->programs];
            return SDD_OK;
        }
    }
    return SDD_ERR_NOT_FOUND;
}

void model_clear(struct model *model, unsigned q) {
    struct model_queue *queue = &model->queue[q];
    queue->has_constant = queue->lapsed = false;
    queue->windows = queue->programs = queue->packet_slots = 0;
}

enum sdd_status model_add_packet_slot(struct model *model, unsigned q, struct model_slot slot) {
    struct model_queue *queue = &model->queue[q];
    unsigned at = queue->packet_slots;
    if (queue->config.network != SDD_CIRCUIT)
        return SDD_ERR_ARGUMENT;
    if (slot.window.close_ns <= model->now_ns)
        return SDD_OK;
    assert_true(queue->packet_slots < MODEL_CONDITIONS);
    queue->packet_slots++;
    for (; at > 0 && queue->packet_slot[at - 1].window.open_ns > slot.window.open_ns; at--)
        queue->packet_slot[at] = queue->packet_slot[at - 1];
    queue->packet_slot[at] = slot;
    return SDD_OK;
}

/* Whether one of its conditions is true; others: also those that name other queues. */
static bool conditions_hold(const struct model *model, unsigned q, bool others) {
    const struct model_queue *queue = &model->queue[q];
    if (!queue->has_constant && queue->windows + queue->programs == 0 && !queue->lapsed)
        return !queue->config.closed_by_default;
    if (queue->has_constant && queue->constant)
        return true;
    for (unsigned i = 0; i < queue->windows; i++)
        if (within(queue->window[i], model->now_ns))
            return true;
    for (unsigned i = 0; i < queue->programs; i++)
        if ((others || sdd_program_class(&queue->program[i]) != SDD_EVALUATED) &&
            holds(model, q, &queue->program[i], model->now_ns))
            return true;
    return false;
}

enum model_let model_may_transmit(const struct model *model, unsigned q) {
    const struct model_queue *queue = &model->queue[q];
    if (!queue->open || queue->stats.packets == 0 || queue->next_send_ns > model->now_ns)
        return MODEL_SHUT;
    if (model->override != SDD_BY_CONDITIONS)
        return model->override == SDD_ALL_OPEN ? MODEL_CONDITIONS_LET : MODEL_SHUT;
    if (queue->config.network == SDD_PACKET)
        return conditions_hold(model, q, true) ? MODEL_CONDITIONS_LET : MODEL_SHUT;
    bool arrived = !queue->used_packet_switch ||
                   queue->last_packet_ns + model->packet_delay_ns <= model->now_ns;
    if (conditions_hold(model, q, false))
        return arrived ? MODEL_CONDITIONS_LET : MODEL_SHUT;
    if (open_packet_slot(model, q) && queue->debt == 0)
        return MODEL_PACKET_SLOT_LETS;
    return arrived && conditions_hold(model, q, true) ? MODEL_CONDITIONS_LET : MODEL_SHUT;
}
