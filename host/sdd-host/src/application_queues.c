/* Opening and closing queues of applications. */
#include <stdio.h>

#include "application_execute.h"

/* Whether the requested queue is allowed, as a replacement of `now` if that is not null. */
static bool allowed(struct application_job *job, const struct held_queue *now) {
    const struct access_rule *rule = job->application->rule;
    const struct sdd_queue_config *config = &job->request->config;
    const int64_t others = holdings_packets(job->holdings, job->application->user) -
                           (now ? now->config.max_packets : 0);
    if (config->priority > rule->max_priority)
        job_fail(job, ANSWER_DENIED, "priority: is above the user's limit");
    else if (config->max_packets == 0)
        job_fail(job, ANSWER_PARAMETER, "maxPackets: must not be 0 in a queue of an application");
    else if (config->max_packets > rule->quota.packets - others)
        job_fail(job, ANSWER_QUOTA, "maxPackets: exceeds the user's remaining quota");
    return job->status == ANSWER_OK;
}

/* Returns the requested configuration with the settings of the user's rule. */
static struct sdd_queue_config requested(const struct application_job *job) {
    struct sdd_queue_config config = job->request->config;
    config.network = job->application->rule->network;
    return config;
}

void queues_set_owner(struct application_job *job, uint32_t number) {
    struct queue_owner *owner = &job->agent->host->owners[number - job->holdings->first_queue];
    *owner = (struct queue_owner){
        .used = true, .user = job->application->user, .process = job->application->process};
    snprintf(owner->name, sizeof owner->name, "%s", job->application->name);
}

void queues_open(struct application_job *job) {
    struct holdings *holdings = job->holdings;
    const struct application *application = job->application;
    uint32_t i = 0;
    if (!allowed(job, NULL))
        return;
    if (holdings_queues(holdings, application->user) >= application->rule->quota.queues) {
        job_fail(job, ANSWER_QUOTA, "the user has reached its limit of queues");
        return;
    }
    while (i < holdings->queues_count && holdings->queues[i].used)
        i++;
    if (i == holdings->queues_count) {
        job_fail(job, ANSWER_FULL, "all queues for applications are in use");
        return;
    }
    job->number = holdings->first_queue + i;
    const struct sdd_queue_config config = requested(job);
    job_answer(job, agent_set_queue(job->agent, job->number, &config, job->now_ns));
    if (job->status != ANSWER_OK)
        return;
    host_reset_misses(job->agent->host, job->number);
    holdings->queues[i] = (struct held_queue){
        .used = true, .user = application->user, .owner = application, .config = config};
    queues_set_owner(job, job->number);
}

void queues_configure(struct application_job *job) {
    struct held_queue *queue = job_requested(job, job->request->queue);
    if (!queue || !allowed(job, queue))
        return;
    const struct sdd_queue_config config = requested(job);
    job_answer(job, agent_set_queue(job->agent, job->request->queue, &config, job->now_ns));
    if (job->status == ANSWER_OK)
        queue->config = config;
}

/* Closes the queue if it has no packets; otherwise they may leave as the queue's rate allows. */
static void try_to_close(struct agent *agent, struct holdings *holdings, uint32_t i,
                         int64_t now_ns) {
    struct held_queue *queue = &holdings->queues[i];
    queue->draining =
        sdd_close_queue(agent->host->sdd, holdings->first_queue + i, now_ns) != SDD_OK;
    if (queue->draining)
        return;
    queue->used = false;
    agent->host->owners[i].used = false;
}

void queues_close(struct agent *agent, struct holdings *holdings, uint32_t i, int64_t now_ns) {
    struct sdd *sdd = agent->host->sdd;
    struct held_queue *queue = &holdings->queues[i];
    const uint32_t number = holdings->first_queue + i;
    for (uint32_t m = holdings->mappings_count; m-- > 0;)
        if (holdings->mappings[m].queue == number)
            flows_end_mapping(sdd, holdings, &holdings->mappings[m], now_ns);
    for (uint32_t t = 0; t < holdings->max_triggers; t++)
        if (holdings->triggers[t].used && holdings->triggers[t].queue == number) {
            sdd_remove_trigger(sdd, t, now_ns);
            holdings->triggers[t].used = false;
        }
    holdings_drop_conditions(holdings, number);
    sdd_clear_dequeue_conditions(sdd, number, now_ns);
    queue->config.closed_by_default = false;
    agent_set_queue(agent, number, &queue->config, now_ns);
    queue->owner = NULL;
    try_to_close(agent, holdings, i, now_ns);
}

void application_end(void *argument) {
    const struct application_end_job *job = argument;
    const int64_t now_ns = clock_now(job->agent->clock);
    for (uint32_t i = 0; i < job->holdings->queues_count; i++)
        if (job->holdings->queues[i].used && job->holdings->queues[i].owner == job->application)
            queues_close(job->agent, job->holdings, i, now_ns);
}

void application_drain(void *argument) {
    struct application_drain_job *job = argument;
    const int64_t now_ns = clock_now(job->agent->clock);
    job->draining = false;
    for (uint32_t i = 0; i < job->holdings->queues_count; i++) {
        if (job->holdings->queues[i].draining)
            try_to_close(job->agent, job->holdings, i, now_ns);
        job->draining = job->draining || job->holdings->queues[i].draining;
    }
}
