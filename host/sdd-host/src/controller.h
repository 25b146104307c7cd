/*
 * A host's end of the session with its controller: a thread that connects, again and again, takes
 * requests, and reports. Whatever touches queues it has done by the thread that owns them.
 */
#ifndef SDD_HOST_CONTROLLER_H
#define SDD_HOST_CONTROLLER_H

#include <pthread.h>

#include "agent.h"
#include "workers.h"

struct controller {
    struct agent *agent;
    struct workers *workers;
    int stop; /* readable when the thread is to end */
    pthread_t thread;
    uint8_t *answer;     /* a frame to be sent */
    bool clock_measured; /* what clock_status wants to remember */
};

/* False: said why. The workers must run until controller_join. */
bool controller_start(struct controller *controller, struct agent *agent, struct workers *workers,
                      int stop);

/* After `stop` became readable. */
void controller_join(struct controller *controller);

#endif
