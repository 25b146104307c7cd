/* Adding and removing triggers. */
#ifndef SDD_TRIGGER_H
#define SDD_TRIGGER_H

#include "state.h"

/* Removes all triggers of the queue. */
void sdd_forget_triggers(struct sdd *sdd, struct sdd_queue *queue);

#endif
