/*
 * Jobs: functions that the thread which owns libsdd runs for other threads between two turns of its
 * loop. All access to queues is thus in one thread and needs no locks.
 */
#ifndef SDD_HOST_JOBS_H
#define SDD_HOST_JOBS_H

#include <stdbool.h>

struct jobs;

struct jobs *jobs_create(void); /* null: no memory */
void jobs_destroy(struct jobs *jobs);

/* Other threads: makes the owner call run(argument), and waits until it returns. */
void jobs_call(struct jobs *jobs, void (*run)(void *argument), void *argument);

/* Owner: readable when jobs are pending, until jobs_clear(jobs). */
int jobs_descriptor(const struct jobs *jobs);
void jobs_clear(void *jobs);

/* Owner: runs the pending jobs, at most one per calling thread. */
void jobs_run(struct jobs *jobs);

#endif
