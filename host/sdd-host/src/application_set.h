/* The applications of a host, shared by the files of their thread. */
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
    struct application *members[MAX_APPLICATIONS]; /* null: free */
    struct application_user users[MAX_APPLICATIONS];
    int listening;
    int stop;
    bool draining;
    int64_t claims_due_ns;
    pthread_t thread;
    bool running;
};

/* Runs a job in the thread that owns the queues and waits for it. */
void set_run(const struct applications *applications, void (*run)(void *), void *job);

void set_count(_Atomic uint64_t *counter, uint64_t more);

/* Appends a message to the output and frees it. Returns false if there is no room or the message is
 * null. */
bool set_put(struct application *application, char *message);

/* Admits the next peer, or sends it the reason for a refusal. */
void set_accept(struct applications *applications);

/* Ends a connection and releases its application's resources. */
void set_end(struct applications *applications, struct application **place);

/* Sends events of fired triggers to applications. */
void set_take_events(struct applications *applications);

/* Ends mappings whose sockets no longer exist, because another user may soon have their ports. */
void set_check_claims(struct applications *applications);

#endif
