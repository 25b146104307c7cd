/* The model's mapping of flows to queues. */
#include <string.h>

#include "model.h"
#include "support.h"

int model_classify(const struct model *model, const struct base_flow_key *key) {
    int best = -1, best_bits = -1;
    for (unsigned i = 0; i < model->mappings; i++) {
        const struct sdd_match *match = &model->mapping[i].match;
        /* the order of sdd/match.h as one number; prefixes have at most 128 bits */
        int ports = !(match->wildcards & SDD_ANY_SOURCE_PORT) +
                    !(match->wildcards & SDD_ANY_DESTINATION_PORT);
        int bits = match->source_prefix_bits + match->destination_prefix_bits + 16 * ports +
                   8 * !(match->wildcards & SDD_ANY_PROTOCOL);
        bits = bits * 1000 + match->destination_prefix_bits;
        bits = bits * 1000 + match->source_prefix_bits;
        bits = bits * 4 + 2 * !(match->wildcards & SDD_ANY_DESTINATION_PORT) +
               !(match->wildcards & SDD_ANY_SOURCE_PORT);
        if (sdd_match_covers(match, key) && bits > best_bits) {
            best = (int)i;
            best_bits = bits;
        }
    }
    return best;
}

unsigned model_packets_of(const struct model *model, unsigned flow) {
    unsigned count = 0;
    for (unsigned i = 0; i < model->packets; i++)
        count += model->packet[i].queued && model->packet[i].flow == flow;
    return count;
}

void model_forget_if_unmapped_and_idle(struct model *model, unsigned flow) {
    if (model->flow[flow].mapped || model_packets_of(model, flow) > 0)
        return;
    model->flow[flow].exists = false;
    model->free_flow[model->free_flows++] = flow;
}

static void rebind(struct model *model, const struct sdd_match *match) {
    for (unsigned f = 0; f < MODEL_FLOWS; f++) {
        struct model_flow *flow = &model->flow[f];
        if (!flow->exists || !sdd_match_covers(match, &flow->key))
            continue;
        int mapping = model_classify(model, &flow->key);
        flow->mapped = mapping >= 0;
        if (mapping < 0) {
            model_forget_if_unmapped_and_idle(model, f);
            continue;
        }
        unsigned from = flow->queue, to = model->mapping[mapping].queue;
        if (flow->priority != model->mapping[mapping].priority)
            flow->turn = model->next_turn++;
        flow->priority = model->mapping[mapping].priority;
        if (from == to)
            continue;
        struct sdd_queue_stats *old = &model->queue[from].stats, *new = &model->queue[to].stats;
        flow->queue = to;
        flow->turn = model->next_turn++;
        if (new->packets == 0 && model->queue[to].next_send_ns < model->now_ns)
            model->queue[to].next_send_ns = model->now_ns;
        for (unsigned i = 0; i < model->packets; i++) {
            if (!model->packet[i].queued || model->packet[i].flow != f)
                continue;
            old->packets--, new->packets++;
            old->bytes -= model->packet[i].bytes, new->bytes += model->packet[i].bytes;
        }
        old->flows -= model_packets_of(model, f) > 0, new->flows += model_packets_of(model, f) > 0;
        model_look_at_triggers(model, from);
        model_look_at_triggers(model, to);
    }
}

unsigned model_find_mapping(const struct model *model, const struct sdd_match *match) {
    unsigned i = 0;
    while (i < model->mappings && memcmp(&model->mapping[i].match, match, sizeof *match) != 0)
        i++;
    return i;
}

void model_map(struct model *model, unsigned queue, const struct sdd_match *match,
               uint8_t priority) {
    unsigned i = model_find_mapping(model, match);
    model->mappings += i == model->mappings;
    assert_true(model->mappings <= MODEL_MAPPINGS);
    model->mapping[i].match = *match;
    model->mapping[i].queue = queue;
    model->mapping[i].priority = priority;
    model->mapping[i].old = false;
    rebind(model, match);
}

enum sdd_status model_unmap(struct model *model, const struct sdd_match *match) {
    unsigned i = model_find_mapping(model, match);
    if (i == model->mappings)
        return SDD_ERR_NOT_FOUND;
    model->mapping[i] = model->mapping[--model->mappings];
    rebind(model, match);
    return SDD_OK;
}

enum sdd_status model_move(struct model *model, unsigned from, unsigned to,
                           const struct sdd_match *match) {
    unsigned i = model_find_mapping(model, match);
    if (i == model->mappings || model->mapping[i].queue != from)
        return SDD_ERR_NOT_FOUND;
    model_map(model, to, match, model->mapping[i].priority);
    return SDD_OK;
}

void model_age_mappings(struct model *model) {
    for (unsigned i = 0; i < model->mappings; i++)
        model->mapping[i].old = true;
}
