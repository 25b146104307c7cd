#include "gap_errors.h"

#include <math.h>
#include <stdlib.h>

bool gap_errors_init(struct gap_errors *errors, uint64_t room) {
    *errors = (struct gap_errors){.values_ns = malloc(room * sizeof(double)), .room = room};
    return errors->values_ns != NULL;
}

void gap_errors_free(struct gap_errors *errors) {
    free(errors->values_ns);
    *errors = (struct gap_errors){0};
}

void gap_errors_note(struct gap_errors *errors, double gap_ns, double wanted_ns) {
    if (errors->count < errors->room)
        errors->values_ns[errors->count++] = fabs(gap_ns - wanted_ns);
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void gap_errors_sort(struct gap_errors *errors) {
    qsort(errors->values_ns, errors->count, sizeof *errors->values_ns, ascending);
}

double gap_errors_median_us(const struct gap_errors *errors) {
    return errors->count > 0 ? errors->values_ns[errors->count / 2] / 1e3 : 0;
}

double gap_errors_rmse_us(const struct gap_errors *errors, double share) {
    const uint64_t count = (uint64_t)((double)errors->count * share);
    double sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += errors->values_ns[i] * errors->values_ns[i];
    return count > 0 ? sqrt(sum / (double)count) / 1e3 : 0;
}
