/* Times are nanoseconds of the caller's clock, 0 or later. */
#ifndef BASE_TIME_H
#define BASE_TIME_H

#include <stdint.h>

/* Later than every time. */
#define BASE_FOREVER INT64_MAX

#define BASE_SECOND_NS INT64_C(1000000000)

#endif
