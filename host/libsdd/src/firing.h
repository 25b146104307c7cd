/* Evaluating triggers, and firing their events. */
#ifndef SDD_FIRING_H
#define SDD_FIRING_H

#include "state.h"

/* Evaluates the trigger's condition at at_ns, fires, and arms its timer. */
void sdd_trigger_settle(struct sdd *sdd, struct sdd_trigger *trigger, int64_t at_ns);
void sdd_triggers_settle(struct sdd *sdd, struct sdd_queue *queue);

/* Evaluates the triggers that name other queues. */
void sdd_triggers_evaluate(struct sdd *sdd);

#endif
