/* The offset of the system's clock from its master. */
#ifndef SDD_HOST_CLOCK_STATUS_H
#define SDD_HOST_CLOCK_STATUS_H

#include "config.h"

struct clock_status {
    bool known;
    int64_t offset_ns; /* from the master, as last measured */
    const char *why;   /* not known: why; else "" */
};

/*
 * CLOCK_SOURCE_SYSTEM: the clock is its own master (all hosts on one machine), so 0.
 * CLOCK_SOURCE_PTP4L: linuxptp's ptp4l, by a management request TIME_STATUS_NP, as `pmc` sends it;
 * blocks for a tenth of a second at most, also if ptp4l is stopped. ptp4l says 0 too before it has
 * measured anything, which is not known: measured, false at first, remembers for the next call that
 * there was another offset.
 */
struct clock_status clock_status(enum clock_source source, const char *socket_path, bool *measured);

#endif
