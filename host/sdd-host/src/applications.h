/*
 * Applications of a host: a UNIX socket on which local processes open queues for their own flows
 * (docs/reference/sdd-applications.md; Tewari 2015, sections 5.3.3 and 6.2.2).
 *
 * A thread per host serves them all. What touches queues is a job for the thread that owns these,
 * one request at a time, so that no application can keep packets waiting longer than one request
 * takes; and that thread never waits for an application.
 */
#ifndef SDD_HOST_APPLICATIONS_H
#define SDD_HOST_APPLICATIONS_H

#include "agent.h"
#include "workers.h"

struct applications;

/* Creates the socket. Null: failed and logged. The agent need not have a controller. */
struct applications *applications_open(struct agent *agent, struct workers *workers);

/* Starts the thread, once the workers run. False: failed and logged. */
bool applications_start(struct applications *applications, int stop);

/* Ends the thread, after `stop` became readable and while the workers still run. */
void applications_join(struct applications *applications);

/* Removes the socket. Nobody may use the host any more. Null is allowed. */
void applications_close(struct applications *applications);

#endif
