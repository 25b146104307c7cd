#include "application_holdings.h"

#include <stdlib.h>
#include <string.h>

bool holdings_init(struct holdings *holdings, const struct host_config *config) {
    const struct sdd_limits *limits = &config->limits;
    *holdings = (struct holdings){.first_queue = config_controlled_queues(config),
                                  .queues_count = config->applications.queues,
                                  .max_mappings = limits->max_mappings,
                                  .max_conditions = limits->max_conditions + limits->max_slots,
                                  .max_triggers = limits->max_triggers};
    holdings->queues = calloc(holdings->queues_count, sizeof *holdings->queues);
    holdings->mappings = calloc(holdings->max_mappings, sizeof *holdings->mappings);
    holdings->conditions = calloc(holdings->max_conditions, sizeof *holdings->conditions);
    holdings->triggers = calloc(holdings->max_triggers, sizeof *holdings->triggers);
    return holdings->queues && holdings->mappings && holdings->conditions && holdings->triggers;
}

void holdings_free(struct holdings *holdings) {
    free(holdings->queues);
    free(holdings->mappings);
    free(holdings->conditions);
    free(holdings->triggers);
    *holdings = (struct holdings){0};
}

static struct held_queue *at(const struct holdings *holdings, uint32_t number) {
    return &holdings->queues[number - holdings->first_queue];
}

struct held_queue *holdings_queue(const struct holdings *holdings, uint32_t number,
                                  const struct application *owner) {
    if (number < holdings->first_queue ||
        number - holdings->first_queue >= holdings->queues_count || !at(holdings, number)->used ||
        at(holdings, number)->owner != owner)
        return NULL;
    return at(holdings, number);
}

uint32_t holdings_queues(const struct holdings *holdings, uint32_t user) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < holdings->queues_count; i++)
        count += holdings->queues[i].used && holdings->queues[i].user == user;
    return count;
}

int64_t holdings_packets(const struct holdings *holdings, uint32_t user) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < holdings->queues_count; i++)
        if (holdings->queues[i].used && holdings->queues[i].user == user)
            sum += holdings->queues[i].config.max_packets;
    return sum;
}

uint32_t holdings_mappings(const struct holdings *holdings, uint32_t user) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < holdings->mappings_count; i++)
        count += at(holdings, holdings->mappings[i].queue)->user == user;
    return count;
}

uint32_t holdings_conditions(const struct holdings *holdings, uint32_t user) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < holdings->conditions_count; i++)
        if (at(holdings, holdings->conditions[i].queue)->user == user)
            sum += holdings->conditions[i].weight;
    return sum;
}

uint32_t holdings_triggers(const struct holdings *holdings, uint32_t user) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < holdings->max_triggers; i++)
        count +=
            holdings->triggers[i].used && at(holdings, holdings->triggers[i].queue)->user == user;
    return count;
}

static bool same_shape(const struct sdd_match *a, const struct sdd_match *b) {
    return a->source_prefix_bits == b->source_prefix_bits &&
           a->destination_prefix_bits == b->destination_prefix_bits && a->wildcards == b->wildcards;
}

bool holdings_lack_shapes(const struct holdings *holdings, const struct sdd_match *match) {
    uint32_t shapes = 0;
    for (uint32_t i = 0; i < holdings->mappings_count; i++) {
        const struct sdd_match *other = &holdings->mappings[i].match;
        uint32_t first = 0;
        if (same_shape(other, match))
            return false;
        while (!same_shape(&holdings->mappings[first].match, other))
            first++;
        shapes += first == i;
    }
    return shapes >= MAX_APPLICATION_SHAPES;
}

static bool same_flows(const struct sdd_match *a, const struct sdd_match *b) {
    return same_shape(a, b) && sdd_match_includes(a, b);
}

struct held_mapping *holdings_mapping(const struct holdings *holdings,
                                      const struct sdd_match *match) {
    for (uint32_t i = 0; i < holdings->mappings_count; i++)
        if (same_flows(&holdings->mappings[i].match, match))
            return &holdings->mappings[i];
    return NULL;
}

struct held_mapping *holdings_add_mapping(struct holdings *holdings) {
    return holdings->mappings_count < holdings->max_mappings
               ? &holdings->mappings[holdings->mappings_count++]
               : NULL;
}

void holdings_drop_mapping(struct holdings *holdings, struct held_mapping *mapping) {
    *mapping = holdings->mappings[--holdings->mappings_count];
}

bool holdings_add_condition(struct holdings *holdings, uint32_t queue,
                            const struct sdd_program *program, uint32_t weight, int64_t end_ns) {
    if (weight == 0)
        return true;
    if (holdings->conditions_count == holdings->max_conditions)
        return false;
    holdings->conditions[holdings->conditions_count++] = (struct held_condition){
        .program = *program, .queue = queue, .weight = weight, .end_ns = end_ns};
    return true;
}

static void drop_condition(struct holdings *holdings, uint32_t i) {
    holdings->conditions[i] = holdings->conditions[--holdings->conditions_count];
}

void holdings_drop_condition(struct holdings *holdings, uint32_t queue,
                             const struct sdd_program *program) {
    for (uint32_t i = 0; i < holdings->conditions_count; i++)
        if (holdings->conditions[i].queue == queue &&
            sdd_program_equal(&holdings->conditions[i].program, program)) {
            drop_condition(holdings, i);
            return;
        }
}

void holdings_drop_conditions(struct holdings *holdings, uint32_t queue) {
    for (uint32_t i = holdings->conditions_count; i-- > 0;)
        if (holdings->conditions[i].queue == queue)
            drop_condition(holdings, i);
}

void holdings_advance(struct holdings *holdings, int64_t now_ns) {
    for (uint32_t i = holdings->conditions_count; i-- > 0;)
        if (holdings->conditions[i].end_ns <= now_ns)
            drop_condition(holdings, i);
}

uint32_t condition_weight(const struct sdd_program *program, int64_t *end_ns) {
    static const struct sdd_queue_stats nothing;
    struct sdd_window windows[SDD_MAX_WINDOWS];
    *end_ns = BASE_FOREVER;
    switch (sdd_program_class(program)) {
    case SDD_CONSTANT:
        return 0;
    case SDD_SCHEDULE: {
        const struct sdd_environment environment = {.own = &nothing, .all = &nothing};
        const unsigned count = sdd_program_windows(program, &environment, windows);
        *end_ns = count > 0 ? windows[count - 1].close_ns : 0;
        return count > 0 ? count : 1;
    }
    default:
        return 1;
    }
}
