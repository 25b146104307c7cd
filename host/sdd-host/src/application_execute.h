/* Executes requests of applications, in the thread that owns the queues. */
#ifndef SDD_HOST_APPLICATION_EXECUTE_H
#define SDD_HOST_APPLICATION_EXECUTE_H

#include "application_job.h"

/* All functions below are jobs. The argument of this one is a struct application_job. */
void application_execute(void *job);

struct application_end_job {
    struct agent *agent;
    struct holdings *holdings;
    const struct application *application;
};

/*
 * Releases all resources of an application. Its flows, with their packets in order, return to the
 * queues that they would use without it. Packets without a mapping leave as from a queue without
 * conditions.
 */
void application_end(void *end_job);

struct application_drain_job {
    struct agent *agent;
    struct holdings *holdings;
    bool draining; /* the result: some queue still has packets */
};

/* Closes queues whose last packet has left. */
void application_drain(void *drain_job);

struct application_unmap_job {
    struct agent *agent;
    struct holdings *holdings;
    struct held_mapping *mapping;
};

/* Ends a mapping without a request. */
void application_unmap(void *unmap_job);

#endif
