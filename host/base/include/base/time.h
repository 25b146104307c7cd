/* Times are in nanoseconds of the caller's clock, and never negative. */
#ifndef BASE_TIME_H
#define BASE_TIME_H

#include <stdint.h>

/* A time later than all others. */
#define BASE_FOREVER INT64_MAX

#define BASE_SECOND_NS INT64_C(1000000000)

#endif
