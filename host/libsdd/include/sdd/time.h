/* Times are nanoseconds of the caller's clock, 0 or later. */
#ifndef SDD_TIME_H
#define SDD_TIME_H

#include <stdint.h>

/* Later than every time. */
#define SDD_FOREVER INT64_MAX

#endif
