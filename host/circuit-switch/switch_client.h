/*
 * The circuit switch's client of one of its controllers. It executes CircuitConfigure and reports
 * CircuitStats every period (docs/reference/sdd-protocol.md).
 */
#ifndef CIRCUIT_SWITCH_CLIENT_H
#define CIRCUIT_SWITCH_CLIENT_H

#include "client.h"
#include "crossbar.h"

struct switch_client {
    struct client client;
    struct crossbar *crossbar;
    int64_t epoch_ns; /* start of the session's first period */
    int64_t period_ns;
    int64_t report_due_ns;
};

/* Starts the client of one of the switch's controllers. Returns false with errno. */
bool switch_client_start(struct switch_client *switch_client, struct crossbar *crossbar,
                         unsigned controller, int stop);

/* Waits for the client's thread to end. `stop` must be readable. */
void switch_client_join(struct switch_client *switch_client);

#endif
