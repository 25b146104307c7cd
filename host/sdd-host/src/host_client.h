/*
 * A host's client of one of its controllers. It executes requests, and reports demand every period
 * and the clock's state every second. Access to queues is a job for the thread that owns them.
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
    struct session_parameters session; /* of the current session */
    int64_t period;                    /* the last reported period */
    int64_t clock_due_ns;
    bool clock_measured; /* state of clock_status */
    char log_prefix[160];
};

/* Whether the files for sessions can be loaded, if the host has a controller. If not, error names
 * the file and the reason. */
bool host_client_check(const struct host_config *host, char *error, size_t error_size);

/* Starts the client of one of the host's controllers. Returns false after logging an error. The
 * workers must run until host_client_join. */
bool host_client_start(struct host_client *host_client, struct agent *agent, unsigned controller,
                       struct workers *workers, int stop);

/* Waits for the client's thread to end. `stop` must be readable. */
void host_client_join(struct host_client *host_client);

#endif
