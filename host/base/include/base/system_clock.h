/* The operating system's clocks in nanoseconds. */
#ifndef BASE_SYSTEM_CLOCK_H
#define BASE_SYSTEM_CLOCK_H

#include <stdint.h>
#include <time.h>

#include "base/time.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline int64_t base_timespec_ns(const struct timespec *time) {
    return time->tv_sec * BASE_SECOND_NS + time->tv_nsec;
}

static inline struct timespec base_timespec(int64_t ns) {
    return (struct timespec){.tv_sec = ns / BASE_SECOND_NS, .tv_nsec = ns % BASE_SECOND_NS};
}

/* Returns the time of a clock of clock_gettime: CLOCK_MONOTONIC, CLOCK_REALTIME, ... */
int64_t base_system_clock_ns(int clock);

#ifdef __cplusplus
}
#endif
#endif
