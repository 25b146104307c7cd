/* The applications of a host, as the parts of their thread share them. */
#ifndef SDD_HOST_APPLICATION_SET_H
#define SDD_HOST_APPLICATION_SET_H

#include <pthread.h>

#include "application.h"
#include "application_holdings.h"
#include "workers.h"

struct applications {
    struct agent *agent;
    struct workers *workers;
    struct holdings holdings;
    struct application *members[MAX_APPLICATIONS]; /* null: a free place */
    struct application_user users[MAX_APPLICATIONS];
    int listening;
    int stop;
    bool draining;
    int64_t claims_due_ns;
    pthread_t thread;
    bool running;
};

/* Has the thread that owns the queues run a job, and waits for it. */
void set_run(const struct applications *applications, void (*run)(void *), void *job);

void set_count(_Atomic uint64_t *counter, uint64_t more);

/* Puts a message into the output and frees it; false: no room, or no memory for it. */
bool set_put(struct application *application, char *message);

/* Admits the next peer, or tells it why not. */
void set_accept(struct applications *applications);

/* Ends a connection, and gives back what its application has. */
void set_end(struct applications *applications, struct application **place);

/* Tells applications of what has fired. */
void set_take_events(struct applications *applications);

/* Ends mappings whose sockets are gone: their ports may soon be another user's. */
void set_check_claims(struct applications *applications);

#endif
