/* The offset of the system's clock from its master. */
#ifndef SDD_HOST_CLOCK_STATUS_H
#define SDD_HOST_CLOCK_STATUS_H

#include "config.h"

struct clock_status {
    bool known;
    int64_t offset_ns; /* last measured offset from the master */
    const char *why;   /* the reason if unknown, else "" */
};

/*
 * Returns the offset. CLOCK_SOURCE_SYSTEM: the clock is its own master (all hosts on one machine),
 * so 0. CLOCK_SOURCE_PTP4L: asks linuxptp's ptp4l by a management request TIME_STATUS_NP, like
 * `pmc`; blocks for at most a tenth of a second, even if ptp4l is stopped. ptp4l also reports 0
 * before its first measurement, which counts as unknown: *measured, initially false, records for
 * the next call that an offset other than 0 was reported.
 */
struct clock_status clock_status(enum clock_source source, const char *socket_path, bool *measured);

#endif
