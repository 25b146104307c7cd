/* Dequeue conditions. */
#ifndef SDD_CONDITION_H
#define SDD_CONDITION_H

#include "state.h"

/* Removes all conditions. The gate is not settled. */
void sdd_forget_conditions(struct sdd *sdd, struct sdd_queue *queue);

#endif
