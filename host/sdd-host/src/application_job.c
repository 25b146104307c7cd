#include "application_job.h"

void job_fail(struct application_job *job, enum application_status status, const char *text) {
    job->status = status;
    job->text = text;
}

void job_answer(struct application_job *job, enum sdd_status status) {
    static const enum application_status names[] = {
        [SDD_OK] = ANSWER_OK,
        [SDD_ERR_ARGUMENT] = ANSWER_PARAMETER,
        [SDD_ERR_QUEUE] = ANSWER_QUEUE,
        [SDD_ERR_EXISTS] = ANSWER_EXISTS,
        [SDD_ERR_BUSY] = ANSWER_QUEUE,
        [SDD_ERR_FULL] = ANSWER_FULL,
        [SDD_ERR_NOT_FOUND] = ANSWER_NOT_FOUND,
        [SDD_ERR_UNMAPPED] = ANSWER_NOT_FOUND,
        [SDD_ERR_PROGRAM] = ANSWER_PARAMETER,
        [SDD_ERR_MEMORY] = ANSWER_FULL,
    };
    job_fail(job, names[status], status == SDD_OK ? "" : sdd_status_text(status));
}

struct held_queue *job_own(const struct application_job *job, uint32_t number) {
    return holdings_queue(job->holdings, number, job->application);
}

struct held_queue *job_requested(struct application_job *job, uint32_t number) {
    struct held_queue *queue = job_own(job, number);
    if (!queue)
        job_fail(job, ANSWER_QUEUE, "the application has no queue of this number");
    return queue;
}

uint64_t job_observed(const struct application_job *job, uint32_t number) {
    const struct access_rule *rule = job->application->rule;
    for (unsigned i = 0; i < rule->observes_count; i++)
        if (rule->observes[i] == number)
            return UINT64_C(1) << i;
    return 0;
}
