/*
 * The host's time: that of one of the system's clocks, read from the CPU's time stamp counter.
 *
 * The counter costs a few nanoseconds to read, but its nominal frequency is off (by 0.15 % on one
 * machine), so it is calibrated against the system's clock, which PTP disciplines (phc2sys), and
 * follows it: a rate from the last two samples, plus what closes the gap within CLOCK_SLEW_NS. It
 * is monotonic: after a step back of the system's clock it stands still. Not thread safe: one clock
 * per thread.
 */
#ifndef SDD_HOST_CLOCK_H
#define SDD_HOST_CLOCK_H

#include <stdint.h>

/* An error is closed over this time: ten samples, so that the noise of one counts a tenth. */
#define CLOCK_SLEW_NS INT64_C(1000000000)
#define CLOCK_PERIOD_NS INT64_C(100000000) /* how often clock_discipline is to be called */
/* A larger error is a clock that was set, not drift: 1 ms in 100 ms is 1 %. It is jumped. */
#define CLOCK_STEP_NS INT64_C(1000000)

struct clock_sample {
    uint64_t ticks;
    int64_t ns;
};

struct clock {
    uint64_t anchor_ticks;
    int64_t anchor_ns;
    uint64_t ns_per_tick; /* with 32 bits of fraction */
    struct clock_sample last;
    int id;           /* CLOCK_MONOTONIC, ... */
    int64_t error_ns; /* the system's clock less this one, when last compared */
    int64_t least_ns; /* not earlier than this, after a step back */
    uint64_t steps;   /* times the system's clock was set */
};

/* The time at a reading of the counter, not before the last sample. */
int64_t clock_at(const struct clock *clock, uint64_t ticks);

/* From two samples some milliseconds apart. */
void clock_start(struct clock *clock, int id, struct clock_sample first,
                 struct clock_sample second);

/* Takes in a new sample. */
void clock_update(struct clock *clock, struct clock_sample sample);

/* The counter and the system's clock at the same moment, as far as possible. */
struct clock_sample clock_sample(int id);

/* clock_start over 20 ms; blocks that long. */
void clock_calibrate(struct clock *clock, int id);

int64_t clock_now(const struct clock *clock);

/* clock_update with a new sample, if the last is CLOCK_PERIOD_NS old. */
void clock_discipline(struct clock *clock, int64_t now_ns);

#endif
