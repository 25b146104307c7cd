/* Errors of the gaps between packets of a flow, all flows together. */
#ifndef GAP_ERRORS_H
#define GAP_ERRORS_H

#include <stdbool.h>
#include <stdint.h>

struct gap_errors {
    double *values_ns; /* absolute values */
    uint64_t count, room;
};

/* For so many; what comes beyond is left out. False without memory. */
bool gap_errors_init(struct gap_errors *errors, uint64_t room);

void gap_errors_free(struct gap_errors *errors);

/* A gap that was gap_ns and should have been wanted_ns. */
void gap_errors_note(struct gap_errors *errors, double gap_ns, double wanted_ns);

/* Before any of the following, which give 0 if there are none. */
void gap_errors_sort(struct gap_errors *errors);

double gap_errors_median_us(const struct gap_errors *errors);

/* Root mean square of the share, 0 to 1, with the least errors. */
double gap_errors_rmse_us(const struct gap_errors *errors, double share);

#endif
