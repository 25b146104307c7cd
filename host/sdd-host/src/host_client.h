/*
 * A host as a client of one of its controllers: executes requests, reports demand every period and
 * the clock's state every second. Whatever touches queues is a job for the thread that owns them.
 */
#ifndef SDD_HOST_HOST_CLIENT_H
#define SDD_HOST_HOST_CLIENT_H

#include "agent.h"
#include "client.h"
#include "workers.h"

struct host_client {
    struct client client;
    struct agent *agent;
    struct workers *workers;
    struct session_parameters session; /* of the session */
    int64_t period;                    /* the last one that was reported */
    int64_t clock_due_ns;
    bool clock_measured; /* state of clock_status */
    char log_prefix[160];
};

/* Whether the sessions' files can be loaded, if the host has a controller. False: the error says
   which not, and why. */
bool host_client_check(const struct host_config *host, char *error, size_t error_size);

/* For one of the host's controllers. False: failed and logged. The workers must run until
   host_client_join. */
bool host_client_start(struct host_client *host_client, struct agent *agent, unsigned controller,
                       struct workers *workers, int stop);

/* After `stop` became readable. */
void host_client_join(struct host_client *host_client);

#endif
