/* Maps flows to queues of applications. */
#include "application_execute.h"

void flows_end_mapping(struct sdd *sdd, struct holdings *holdings, struct held_mapping *mapping,
                       int64_t now_ns) {
    uint32_t queue;
    if (sdd_mapped_queue(sdd, &mapping->match, &queue) == SDD_OK && queue == mapping->queue)
        sdd_unmap_flow(sdd, &mapping->match, now_ns);
    holdings_drop_mapping(holdings, mapping);
}

/* Whether the application may map these flows. */
static bool may_map(struct application_job *job) {
    const struct access_rule *rule = job->application->rule;
    bool good = job->claimed;
    for (unsigned i = 0; i < rule->matches_count && !good; i++)
        good = sdd_match_includes(&rule->matches[i], &job->request->match);
    if (!good)
        job_fail(job, ANSWER_DENIED,
                 "match: must be of the user's own sockets (TCP or UDP with sourcePort), or within "
                 "what the configuration lets it map");
    return good;
}

void flows_map(struct application_job *job) {
    const struct application_request *request = job->request;
    struct holdings *holdings = job->holdings;
    const struct application *application = job->application;
    uint32_t mapped_to;
    if (!job_requested(job, request->queue) || !may_map(job))
        return;
    struct sdd *sdd = job->agent->host->sdd;
    struct held_mapping *mapping = holdings_mapping(holdings, &request->match);
    const bool mapped = sdd_mapped_queue(sdd, &request->match, &mapped_to) == SDD_OK;
    if (mapped && !job_own(job, mapped_to)) {
        job_fail(job, ANSWER_EXISTS, "match: another application has mapped exactly these flows");
        return;
    }
    if (!mapped && mapping) { /* the controller has removed it */
        holdings_drop_mapping(holdings, mapping);
        mapping = NULL;
    }
    if (!mapping) {
        if (holdings_mappings(holdings, application->user) >= application->rule->quota.mappings) {
            job_fail(job, ANSWER_QUOTA, "the user has reached its limit of mappings");
            return;
        }
        if (holdings_lack_shapes(holdings, &request->match) ||
            !(mapping = holdings_add_mapping(holdings))) {
            job_fail(job, ANSWER_QUOTA,
                     "match: applications have too many different prefix lengths "
                     "and wildcards together, or too many mappings");
            return;
        }
        *mapping = (struct held_mapping){.match = request->match, .queue = request->queue};
    }
    job_answer(job, sdd_map_flow(sdd, request->queue, &request->match, request->flow_priority,
                                 job->now_ns));
    if (job->status == ANSWER_OK) {
        mapping->queue = request->queue;
        mapping->claimed = job->claimed;
    } else if (!mapped) {
        holdings_drop_mapping(holdings, mapping);
    }
}

void flows_change(struct application_job *job) {
    const struct application_request *request = job->request;
    struct held_mapping *mapping = holdings_mapping(job->holdings, &request->match);
    uint32_t mapped_to;
    struct sdd *sdd = job->agent->host->sdd;
    if (!mapping || !job_own(job, mapping->queue) ||
        sdd_mapped_queue(sdd, &request->match, &mapped_to) != SDD_OK ||
        mapped_to != mapping->queue) {
        job_fail(job, ANSWER_NOT_FOUND,
                 "match: the application has no mapping of exactly these flows");
        return;
    }
    if (request->method == METHOD_UNMAP_FLOW) {
        flows_end_mapping(sdd, job->holdings, mapping, job->now_ns);
        return;
    }
    if (!job_requested(job, request->queue) || !job_requested(job, request->to_queue))
        return;
    job_answer(
        job, sdd_move_flows(sdd, request->queue, request->to_queue, &request->match, job->now_ns));
    if (job->status == ANSWER_OK)
        mapping->queue = request->to_queue;
}

void flows_queues(struct application_job *job) {
    const uint32_t count = sdd_queues_for_flows(job->agent->host->sdd, &job->request->match,
                                                job->queues, MAX_ANSWERED_QUEUES);
    for (uint32_t i = 0; i < count && i < MAX_ANSWERED_QUEUES; i++)
        if (job_own(job, job->queues[i]) || job_observed(job, job->queues[i]))
            job->queues[job->queues_count++] = job->queues[i];
}

void application_unmap(void *argument) {
    const struct application_unmap_job *job = argument;
    flows_end_mapping(job->agent->host->sdd, job->holdings, job->mapping,
                      clock_now(job->agent->clock));
}
