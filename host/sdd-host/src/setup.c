#include "setup.h"

/* Mappings to check per call, which takes about as long as changing one. */
enum { LOOKED_AT = 4096 };

static bool same_match(const struct sdd_match *a, const struct sdd_match *b) {
    return sdd_match_includes(a, b) && sdd_match_includes(b, a);
}

/* Returns the configuration's mapping with exactly this match; null if it has none. */
static const struct mapping_config *configured_mapping(const struct host_config *config,
                                                       const struct sdd_match *match) {
    for (uint32_t i = 0; i < config->mappings_count; i++)
        if (same_match(&config->mappings[i].match, match))
            return &config->mappings[i];
    return NULL;
}

static bool is_configured(const struct host_config *config, uint32_t queue) {
    for (uint32_t i = 0; i < config->queues_count; i++)
        if (config->queues[i].number == queue)
            return true;
    return false;
}

/* Restores the configuration's queues, which a controller may have configured or closed. */
static void restore_queues(struct agent *agent, int64_t now_ns) {
    const struct host_config *config = agent->host->config;
    for (uint32_t i = 0; i < config->queues_count; i++)
        if (!agent->queues[config->queues[i].number].set_up)
            agent_set_queue(agent, config->queues[i].number, &config->queues[i].sdd, now_ns);
}

static void end_mapping(struct agent *agent, const struct sdd_match *match, int64_t now_ns) {
    const struct mapping_config *own = configured_mapping(agent->host->config, match);
    if (own)
        sdd_map_flow(agent->host->sdd, own->queue, match, own->flow_priority, now_ns);
    else
        sdd_unmap_flow(agent->host->sdd, match, now_ns);
}

static void end_queue(struct agent *agent, uint32_t queue, int64_t now_ns) {
    struct sdd *sdd = agent->host->sdd;
    struct sdd_queue_config config;
    if (sdd_close_queue(sdd, queue, now_ns) != SDD_ERR_BUSY)
        return;
    /* packets of flows without a mapping, which could not leave otherwise */
    sdd_queue_config(sdd, queue, &config);
    config.closed_by_default = false;
    config.network = SDD_PACKET; /* they have no circuits */
    sdd_clear_dequeue_conditions(sdd, queue, now_ns);
    sdd_configure_queue(sdd, queue, &config, now_ns);
}

bool setup_end(struct agent *agent, uint32_t *next, int64_t now_ns) {
    const struct host_config *config = agent->host->config;
    const uint32_t controlled = config_controlled_queues(config);
    if (*next == 0)
        restore_queues(agent, now_ns);
    for (unsigned i = 0; i < LOOKED_AT && *next < config->limits.max_mappings; i++) {
        struct sdd_match match;
        uint32_t queue;
        if (!sdd_old_mapping(agent->host->sdd, (*next)++, &match, &queue) || queue >= controlled)
            continue;
        end_mapping(agent, &match, now_ns);
        return false;
    }
    if (*next < config->limits.max_mappings)
        return false;
    for (uint32_t queue = 0; queue < controlled; queue++)
        if (!agent->queues[queue].set_up && !is_configured(config, queue))
            end_queue(agent, queue, now_ns);
    return true;
}
