/* Parts of evaluation that solving for time shares. */
#ifndef SDD_EVALUATE_H
#define SDD_EVALUATE_H

#include <assert.h>

#include "code.h"

__extension__ typedef __int128 sdd_wide;

/* The sum of the comparison's terms without currTime, whose coefficient (0: none) is put apart. */
sdd_wide sdd_evaluate_rest(const struct sdd_instruction *instruction,
                           const struct sdd_environment *env, int32_t *time_coefficient);

bool sdd_evaluate_comparison(enum sdd_comparison comparison, sdd_wide left, sdd_wide right);

#endif
