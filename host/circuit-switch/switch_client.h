/*
 * The circuit switch as a client of one of its controllers: executes CircuitConfigure and reports
 * CircuitStats every period (docs/reference/sdd-protocol.md).
 */
#ifndef CIRCUIT_SWITCH_CLIENT_H
#define CIRCUIT_SWITCH_CLIENT_H

#include "client.h"
#include "crossbar.h"

struct switch_client {
    struct client client;
    struct crossbar *crossbar;
    int64_t epoch_ns; /* of the session's periods */
    int64_t period_ns;
    int64_t report_due_ns;
};

/* For one of the switch's controllers. False: errno. */
bool switch_client_start(struct switch_client *switch_client, struct crossbar *crossbar,
                         unsigned controller, int stop);

/* After `stop` became readable. */
void switch_client_join(struct switch_client *switch_client);

#endif
