/* Time, and the consequences of changes. */
#ifndef SDD_DATAPLANE_H
#define SDD_DATAPLANE_H

#include "state.h"

/* Advances the time to now_ns and handles the timers that expire. */
void sdd_advance(struct sdd *sdd, int64_t now_ns);

/*
 * Must be called after every change of a queue's statistics. variables: bits of enum sdd_variable.
 * gate: true if something else changed on which its gate depends.
 */
void sdd_changed(struct sdd *sdd, struct sdd_queue *queue, uint32_t variables, bool gate);

#endif
