/* Executes requests of applications, in the thread that owns the queues. */
#ifndef SDD_HOST_APPLICATION_EXECUTE_H
#define SDD_HOST_APPLICATION_EXECUTE_H

#include "application_job.h"

/* All below are jobs. The argument of this one is a struct application_job. */
void application_execute(void *job);

struct application_end_job {
    struct agent *agent;
    struct holdings *holdings;
    const struct application *application;
};

/*
 * Gives back all that an application has. Its flows go, with their packets in order, where they
 * would go without it; what no mapping takes leaves as from a queue without conditions.
 */
void application_end(void *end_job);

struct application_drain_job {
    struct agent *agent;
    struct holdings *holdings;
    bool draining; /* the answer: some queue still has packets */
};

/* Closes queues that were waiting for their last packet. */
void application_drain(void *drain_job);

struct application_unmap_job {
    struct agent *agent;
    struct holdings *holdings;
    struct held_mapping *mapping;
};

/* Ends a mapping that nobody asks to be ended. */
void application_unmap(void *unmap_job);

#endif
