#include "application_execute.h"

#include <string.h>

#include "application_job.h"

static bool may_read(struct application_job *job, const struct sdd_program *program) {
    uint32_t queues[SDD_MAX_READ];
    const unsigned count = sdd_program_queues(program, queues);
    for (unsigned i = 0; i < count; i++)
        if (!job_own(job, queues[i]) && !job_observed(job, queues[i])) {
            job_fail(job, ANSWER_DENIED,
                     "condition: reads a queue that is not the application's and that it may not "
                     "observe");
            return false;
        }
    return true;
}

static void change_conditions(struct application_job *job) {
    const struct application_request *request = job->request;
    struct holdings *holdings = job->holdings;
    struct sdd *sdd = job->agent->host->sdd;
    if (!job_requested(job, request->queue))
        return;
    if (request->method == METHOD_CLEAR_DEQUEUE_CONDITIONS) {
        job_answer(job, sdd_clear_dequeue_conditions(sdd, request->queue, job->now_ns));
        holdings_drop_conditions(holdings, request->queue);
        return;
    }
    if (request->method == METHOD_REMOVE_DEQUEUE_CONDITION) {
        job_answer(
            job, sdd_remove_dequeue_condition(sdd, request->queue, &request->program, job->now_ns));
        if (job->status == ANSWER_OK)
            holdings_drop_condition(holdings, request->queue, &request->program);
        return;
    }
    int64_t end_ns;
    const uint32_t weight = condition_weight(&request->program, &end_ns);
    if (!may_read(job, &request->program))
        return;
    holdings_advance(holdings, job->now_ns);
    const uint32_t has = holdings_conditions(holdings, job->application->user);
    if (has + weight > job->application->rule->quota.conditions) {
        job_fail(job, ANSWER_QUOTA, "condition: the user has reached its limit of conditions");
        return;
    }
    if (!holdings_add_condition(holdings, request->queue, &request->program, weight, end_ns)) {
        job_fail(job, ANSWER_FULL, "condition: the host has reached its limit of conditions");
        return;
    }
    job_answer(job, sdd_add_dequeue_condition(sdd, request->queue, &request->program, job->now_ns));
    if (job->status != ANSWER_OK && weight > 0)
        holdings->conditions_count--; /* the condition just added */
}

static void add_trigger(struct application_job *job) {
    const struct application_request *request = job->request;
    struct holdings *holdings = job->holdings;
    if (!job_requested(job, request->queue) || !may_read(job, &request->program))
        return;
    if (holdings_triggers(holdings, job->application->user) >=
        job->application->rule->quota.triggers) {
        job_fail(job, ANSWER_QUOTA, "the user has reached its limit of triggers");
        return;
    }
    const uint64_t serial = ++holdings->last_serial;
    job_answer(job, sdd_add_trigger(job->agent->host->sdd, request->queue, &request->program,
                                    SDD_TO_APPLICATION, serial, job->now_ns, &job->number));
    if (job->status == ANSWER_OK)
        holdings->triggers[job->number] = (struct held_trigger){
            .used = true, .queue = request->queue, .serial = serial, .cookie = request->cookie};
}

static void remove_trigger(struct application_job *job) {
    const uint32_t number = job->request->trigger;
    struct held_trigger *trigger =
        number < job->holdings->max_triggers ? &job->holdings->triggers[number] : NULL;
    if (!trigger || !trigger->used || !job_own(job, trigger->queue)) {
        job_fail(job, ANSWER_NOT_FOUND, "the application has no trigger of this number");
        return;
    }
    job_answer(job, sdd_remove_trigger(job->agent->host->sdd, number, job->now_ns));
    trigger->used = false;
}

static void observe(struct application_job *job) {
    const uint32_t number = job->request->queue;
    const uint64_t bit = job_observed(job, number);
    const struct sdd_queue_stats *stats = sdd_stats(job->agent->host->sdd, number);
    const bool own = job->request->method == METHOD_QUEUE_STATISTICS && job_own(job, number);
    if (!own && bit == 0)
        job_fail(job, ANSWER_DENIED, "queue: must be one that the user may observe");
    else if (job->request->method == METHOD_LISTEN)
        job->application->listens |= bit;
    else if (job->request->method == METHOD_IGNORE)
        job->application->listens &= ~bit;
    else if (stats)
        job->stats = *stats;
    else
        job_answer(job, SDD_ERR_QUEUE);
}

static void hello(struct application_job *job) {
    struct holdings *holdings = job->holdings;
    memcpy(job->application->name, job->request->name, sizeof job->application->name);
    for (uint32_t i = 0; i < holdings->queues_count; i++)
        if (holdings->queues[i].used && holdings->queues[i].owner == job->application)
            queues_set_owner(job, holdings->first_queue + i);
}

void application_execute(void *argument) {
    struct application_job *job = argument;
    job->now_ns = clock_now(job->agent->clock);
    job->status = ANSWER_OK;
    job->text = "";
    job->queues_count = 0;
    switch (job->request->method) {
    case METHOD_HELLO:
        hello(job);
        break;
    case METHOD_OPEN_QUEUE:
        queues_open(job);
        break;
    case METHOD_CONFIGURE_QUEUE:
        queues_configure(job);
        break;
    case METHOD_CLOSE_QUEUE:
        if (job_requested(job, job->request->queue))
            queues_close(job->agent, job->holdings,
                         job->request->queue - job->holdings->first_queue, job->now_ns);
        break;
    case METHOD_MAP_FLOW:
        flows_map(job);
        break;
    case METHOD_UNMAP_FLOW:
    case METHOD_MOVE_FLOWS:
        flows_change(job);
        break;
    case METHOD_GET_QUEUES_FOR_FLOWS:
        flows_queues(job);
        break;
    case METHOD_ADD_DEQUEUE_CONDITION:
    case METHOD_REMOVE_DEQUEUE_CONDITION:
    case METHOD_CLEAR_DEQUEUE_CONDITIONS:
        change_conditions(job);
        break;
    case METHOD_ADD_TRIGGER:
        add_trigger(job);
        break;
    case METHOD_REMOVE_TRIGGER:
        remove_trigger(job);
        break;
    case METHOD_QUEUE_STATISTICS:
    case METHOD_LISTEN:
    case METHOD_IGNORE:
        observe(job);
        break;
    }
}
