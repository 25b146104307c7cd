#include "base/system_clock.h"

int64_t base_system_clock_ns(int clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return base_timespec_ns(&time);
}
