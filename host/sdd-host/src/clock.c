#include "clock.h"

#include <time.h>

#include <rte_cycles.h>

#include "base/system_clock.h"

__extension__ typedef unsigned __int128 wide;

int64_t clock_at(const struct clock *clock, uint64_t ticks) {
    int64_t passed_ns = (int64_t)(((wide)(ticks - clock->anchor_ticks) * clock->ns_per_tick) >> 32);
    int64_t ns = clock->anchor_ns + passed_ns;
    return ns < clock->least_ns ? clock->least_ns : ns;
}

/* Returns nanoseconds per tick between two samples, plus extra_ns spread over CLOCK_SLEW_NS. */
static uint64_t rate(struct clock_sample from, struct clock_sample to, int64_t extra_ns) {
    double slope = (double)(to.ns - from.ns) / (double)(to.ticks - from.ticks);
    return (uint64_t)(slope * (1 + (double)extra_ns / (double)CLOCK_SLEW_NS) * 4294967296.0);
}

void clock_start(struct clock *clock, int id, struct clock_sample first,
                 struct clock_sample second) {
    *clock = (struct clock){.id = id,
                            .anchor_ticks = second.ticks,
                            .anchor_ns = second.ns,
                            .ns_per_tick = rate(first, second, 0),
                            .last = second};
}

void clock_update(struct clock *clock, struct clock_sample sample) {
    const int64_t now_ns = clock_at(clock, sample.ticks);
    clock->error_ns = sample.ns - now_ns;
    clock->anchor_ticks = sample.ticks;
    if (clock->error_ns > CLOCK_STEP_NS || clock->error_ns < -CLOCK_STEP_NS) {
        /* the rate stays: the one between the samples includes the step */
        clock->steps++;
        clock->least_ns = now_ns;
        clock->anchor_ns = sample.ns;
    } else {
        clock->anchor_ns = now_ns;
        clock->ns_per_tick = rate(clock->last, sample, clock->error_ns);
    }
    clock->last = sample;
}

struct clock_sample clock_sample(int id) {
    struct clock_sample best = {0, 0};
    uint64_t least = UINT64_MAX;
    /* an interrupted try has its two readings far apart */
    for (unsigned i = 0; i < 5; i++) {
        uint64_t before = rte_rdtsc_precise();
        int64_t ns = base_system_clock_ns(id);
        uint64_t after = rte_rdtsc_precise();
        if (after - before < least) {
            least = after - before;
            best = (struct clock_sample){before + (after - before) / 2, ns};
        }
    }
    return best;
}

void clock_calibrate(struct clock *clock, int id) {
    struct clock_sample first = clock_sample(id);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    clock_start(clock, id, first, clock_sample(id));
}

int64_t clock_now(const struct clock *clock) {
    return clock_at(clock, rte_rdtsc());
}

void clock_discipline(struct clock *clock, int64_t now_ns) {
    /* Not sooner, also if this clock is behind the last sample: a rate from close samples is only
     * noise. */
    if (now_ns - clock->last.ns >= CLOCK_PERIOD_NS)
        clock_update(clock, clock_sample(clock->id));
}
