/* Maps flows to queues: MapFlow, MoveFlows and GetQueuesForFlows (section 5.3.3). */
#include "dataplane.h"
#include "flow.h"

/* Moves flows of this match whose queue has changed. */
static void rebind_flows(struct sdd *sdd, const struct sdd_match *match) {
    if (match->source_prefix_bits == 128 && match->destination_prefix_bits == 128 &&
        match->wildcards == 0) {
        const struct base_flow_key key = {.source = match->source,
                                          .destination = match->destination,
                                          .source_port = match->source_port,
                                          .destination_port = match->destination_port,
                                          .protocol = match->protocol};
        uint32_t number = base_key_index_find(&sdd->flow_index, &key);
        if (number != BASE_NO_RECORD)
            sdd_flow_rebind(sdd, &sdd->flows[number]);
        return;
    }
    for (uint32_t i = 0; i < sdd->flows_touched; i++)
        if (sdd->flows[i].indexed && sdd_match_covers(match, &sdd->flows[i].key))
            sdd_flow_rebind(sdd, &sdd->flows[i]);
}

enum sdd_status sdd_map_flow(struct sdd *sdd, uint32_t number, const struct sdd_match *match,
                             uint8_t flow_priority, int64_t now_ns) {
    struct sdd_queue *queue = sdd_find_queue(sdd, number);
    if (!queue)
        return SDD_ERR_QUEUE;
    if (!sdd_match_valid(match) || flow_priority >= SDD_FLOW_PRIORITIES)
        return SDD_ERR_ARGUMENT;
    struct sdd_mapping *mapping = sdd_matcher_find(&sdd->matcher, match);
    if (mapping)
        sdd->queues[mapping->queue].mappings--;
    else if (!(mapping = sdd_matcher_add(&sdd->matcher, match)))
        return SDD_ERR_FULL;
    sdd_advance(sdd, now_ns);
    mapping->queue = number;
    mapping->flow_priority = flow_priority;
    mapping->age = sdd->mappings_age;
    queue->mappings++;
    rebind_flows(sdd, match);
    return SDD_OK;
}

enum sdd_status sdd_unmap_flow(struct sdd *sdd, const struct sdd_match *match, int64_t now_ns) {
    struct sdd_mapping *mapping =
        sdd_match_valid(match) ? sdd_matcher_find(&sdd->matcher, match) : NULL;
    if (!mapping)
        return SDD_ERR_NOT_FOUND;
    sdd_advance(sdd, now_ns);
    sdd->queues[mapping->queue].mappings--;
    sdd_matcher_remove(&sdd->matcher, mapping);
    rebind_flows(sdd, match);
    return SDD_OK;
}

enum sdd_status sdd_move_flows(struct sdd *sdd, uint32_t old_queue, uint32_t new_queue,
                               const struct sdd_match *match, int64_t now_ns) {
    if (!sdd_find_queue(sdd, old_queue) || !sdd_find_queue(sdd, new_queue))
        return SDD_ERR_QUEUE;
    const struct sdd_mapping *mapping =
        sdd_match_valid(match) ? sdd_matcher_find(&sdd->matcher, match) : NULL;
    if (!mapping || mapping->queue != old_queue)
        return SDD_ERR_NOT_FOUND;
    return sdd_map_flow(sdd, new_queue, match, mapping->flow_priority, now_ns);
}

enum sdd_status sdd_mapped_queue(struct sdd *sdd, const struct sdd_match *match, uint32_t *queue) {
    const struct sdd_mapping *mapping =
        sdd_match_valid(match) ? sdd_matcher_find(&sdd->matcher, match) : NULL;
    if (!mapping)
        return SDD_ERR_NOT_FOUND;
    *queue = mapping->queue;
    return SDD_OK;
}

void sdd_age_mappings(struct sdd *sdd) {
    sdd->mappings_age++;
}

bool sdd_old_mapping(const struct sdd *sdd, uint32_t number, struct sdd_match *match,
                     uint32_t *queue) {
    if (number >= sdd->matcher.capacity)
        return false;
    const struct sdd_mapping *mapping = &sdd->matcher.mappings[number];
    if (!mapping->used || mapping->age == sdd->mappings_age)
        return false;
    *match = mapping->match;
    *queue = mapping->queue;
    return true;
}

/* The highest mapping that covers all flows of the match hides all mappings of lower precedence. */
uint32_t sdd_queues_for_flows(struct sdd *sdd, const struct sdd_match *match, uint32_t *queues,
                              uint32_t capacity) {
    const struct sdd_matcher *matcher = &sdd->matcher;
    const struct sdd_match *limit = NULL;
    uint32_t count = 0;
    if (!sdd_match_valid(match))
        return 0;
    for (uint32_t i = 0; i < matcher->capacity; i++) {
        const struct sdd_mapping *mapping = &matcher->mappings[i];
        if (mapping->used && sdd_match_includes(&mapping->match, match) &&
            (!limit || sdd_match_precedence(&mapping->match, limit) > 0))
            limit = &mapping->match;
    }
    for (uint32_t i = 0; i < matcher->capacity; i++) {
        const struct sdd_mapping *mapping = &matcher->mappings[i];
        if (!mapping->used || sdd->queues[mapping->queue].named ||
            !sdd_match_overlaps(&mapping->match, match) ||
            (limit && sdd_match_precedence(&mapping->match, limit) < 0))
            continue;
        sdd->queues[mapping->queue].named = true;
        if (count < capacity)
            queues[count] = mapping->queue;
        count++;
    }
    for (uint32_t i = 0; i < matcher->capacity; i++)
        if (matcher->mappings[i].used)
            sdd->queues[matcher->mappings[i].queue].named = false;
    return count;
}
