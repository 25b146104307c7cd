/*
 * The host's time: follows one of the system's clocks, and is read from the CPU's time stamp
 * counter.
 *
 * The counter costs a few nanoseconds to read, but its nominal frequency is inexact (by 0.15 % on
 * one machine). It is therefore calibrated against the system's clock, which PTP disciplines
 * (phc2sys): its rate is that of the last two samples plus a correction that closes the gap within
 * CLOCK_SLEW_NS. It is monotonic: after the system's clock steps back, it stands still. Not
 * thread-safe: one clock per thread.
 */
#ifndef SDD_HOST_CLOCK_H
#define SDD_HOST_CLOCK_H

#include <stdint.h>

/* An error is corrected over this time: ten samples, so that the noise of one has a tenth of its
 * weight. */
#define CLOCK_SLEW_NS INT64_C(1000000000)
#define CLOCK_PERIOD_NS INT64_C(100000000) /* the period of clock_discipline */
/* A larger error means that the clock was set, because drift is below 1 ms in 100 ms (1 %). The
 * time then steps. */
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
    int64_t error_ns; /* the system's clock minus this one at the last comparison */
    int64_t least_ns; /* minimum time, after a step back */
    uint64_t steps;   /* number of times that the system's clock was set */
};

/* Returns the time at a reading of the counter, which must not precede the last sample. */
int64_t clock_at(const struct clock *clock, uint64_t ticks);

/* Starts the clock from two samples some milliseconds apart. */
void clock_start(struct clock *clock, int id, struct clock_sample first,
                 struct clock_sample second);

/* Applies a new sample. */
void clock_update(struct clock *clock, struct clock_sample sample);

/* Reads the counter and the system's clock at the same moment, as far as possible. */
struct clock_sample clock_sample(int id);

/* Calls clock_start with samples 20 ms apart; blocks that long. */
void clock_calibrate(struct clock *clock, int id);

int64_t clock_now(const struct clock *clock);

/* Calls clock_update with a new sample if the last one is CLOCK_PERIOD_NS old. */
void clock_discipline(struct clock *clock, int64_t now_ns);

#endif
