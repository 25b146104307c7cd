/* Collects errors of the gaps between packets of a flow, over all flows. */
#ifndef GAP_ERRORS_H
#define GAP_ERRORS_H

#include <stdbool.h>
#include <stdint.h>

struct gap_errors {
    double *values_ns; /* absolute values */
    uint64_t count, room;
};

/* Reserves room for this many errors; further ones are ignored. Returns false if there is no
 * memory. */
bool gap_errors_init(struct gap_errors *errors, uint64_t room);

void gap_errors_free(struct gap_errors *errors);

/* Adds a gap of gap_ns that should have been wanted_ns. */
void gap_errors_note(struct gap_errors *errors, double gap_ns, double wanted_ns);

/* Must be called before the following functions, which return 0 without errors. */
void gap_errors_sort(struct gap_errors *errors);

double gap_errors_median_us(const struct gap_errors *errors);

/* Returns the root mean square of the given share, 0 to 1, of the smallest errors. */
double gap_errors_rmse_us(const struct gap_errors *errors, double share);

#endif
