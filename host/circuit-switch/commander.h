/* The circuit switch's end of the session with its controller: a thread that carries out
   CircuitConfigure and reports CircuitStats every period (docs/reference/sdd-protocol.md). */
#ifndef CIRCUIT_SWITCH_COMMANDER_H
#define CIRCUIT_SWITCH_COMMANDER_H

#include "crossbar.h"

struct commander {
    struct crossbar *crossbar;
    int stop;
    pthread_t thread;
};

bool commander_start(struct commander *commander, struct crossbar *crossbar, int stop);

/* After `stop` became readable. */
void commander_join(struct commander *commander);

#endif
