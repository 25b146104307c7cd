/*
 * Applications of a host: a UNIX socket on which local processes open queues for their own flows
 * (docs/reference/sdd-applications.md; Tewari 2015, sections 5.3.3 and 6.2.2).
 *
 * One thread per host serves all applications. Access to queues is a job for the thread that owns
 * them, one request at a time, so that an application delays packets by at most one request. That
 * thread never waits for an application.
 */
#ifndef SDD_HOST_APPLICATIONS_H
#define SDD_HOST_APPLICATIONS_H

#include "agent.h"
#include "workers.h"

struct applications;

/* Creates the socket. Returns null after logging an error. The agent need not have a controller. */
struct applications *applications_open(struct agent *agent, struct workers *workers);

/* Starts the thread; the workers must run. Returns false after logging an error. */
bool applications_start(struct applications *applications, int stop);

/* Waits for the thread to end. `stop` must be readable, and the workers must still run. */
void applications_join(struct applications *applications);

/* Removes the socket. The host must not be used any more. applications: may be null. */
void applications_close(struct applications *applications);

#endif
