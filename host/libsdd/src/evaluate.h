/* Parts of evaluation that are shared with solving for time. */
#ifndef SDD_EVALUATE_H
#define SDD_EVALUATE_H

#include <assert.h>

#include "code.h"

__extension__ typedef __int128 sdd_wide;

/* Returns the sum of the comparison's terms without currTime. The coefficient of currTime (0: none)
 * is returned separately. */
sdd_wide sdd_evaluate_rest(const struct sdd_instruction *instruction,
                           const struct sdd_environment *env, int32_t *time_coefficient);

bool sdd_evaluate_comparison(enum sdd_comparison comparison, sdd_wide left, sdd_wide right);

#endif
