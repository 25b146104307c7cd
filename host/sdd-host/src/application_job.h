/* Shared by the files that execute requests (application_execute.h). */
#ifndef SDD_HOST_APPLICATION_JOB_H
#define SDD_HOST_APPLICATION_JOB_H

#include "agent.h"
#include "application.h"
#include "application_holdings.h"

enum { MAX_ANSWERED_QUEUES = 1024 };

/* A request and its result. */
struct application_job {
    struct agent *agent;
    struct holdings *holdings;
    struct application *application;
    const struct application_request *request;
    bool claimed; /* the user's sockets own the flows of the match */
    /* the result */
    enum application_status status;
    const char *text; /* static; one sentence if the status is not ANSWER_OK */
    int64_t now_ns;
    uint32_t number;                      /* number of a new queue or trigger */
    struct sdd_queue_stats stats;         /* METHOD_QUEUE_STATISTICS */
    uint32_t queues[MAX_ANSWERED_QUEUES]; /* METHOD_GET_QUEUES_FOR_FLOWS: own and observed ones */
    uint32_t queues_count;
};

/* Sets the result to an error with one sentence, or to libsdd's status. */
void job_fail(struct application_job *job, enum application_status status, const char *text);
void job_answer(struct application_job *job, enum sdd_status status);

/* Returns the application's queue with this number; null: none. */
struct held_queue *job_own(const struct application_job *job, uint32_t number);

/* The same; without such a queue sets the result to an error. */
struct held_queue *job_requested(struct application_job *job, uint32_t number);

/* Returns the bit of application->listens for a queue that its rule allows it to observe; 0: not
 * allowed. */
uint64_t job_observed(const struct application_job *job, uint32_t number);

/* ---- application_queues.c ---- */

void queues_open(struct application_job *job);
void queues_configure(struct application_job *job);

/* Closes queue i of the applications and releases everything that belongs to it. */
void queues_close(struct agent *agent, struct holdings *holdings, uint32_t i, int64_t now_ns);

/* Sets the queue's owner for statistics. */
void queues_set_owner(struct application_job *job, uint32_t number);

/* ---- application_flows.c ---- */

void flows_map(struct application_job *job);
void flows_change(struct application_job *job); /* METHOD_UNMAP_FLOW, METHOD_MOVE_FLOWS */
void flows_queues(struct application_job *job);

/* Removes the mapping, unless the controller has mapped the flows meanwhile. */
void flows_end_mapping(struct sdd *sdd, struct holdings *holdings, struct held_mapping *mapping,
                       int64_t now_ns);

#endif
