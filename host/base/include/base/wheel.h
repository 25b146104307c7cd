/*
 * A hierarchical timing wheel of one-nanosecond ticks.
 *
 * A deadline is a number of eleven digits in base 64. A timer is on the level of the highest digit
 * in which its deadline differs from the wheel's time, in the slot of that digit. When the time
 * reaches a slot of level 0, its timers are due. When it reaches a slot of a higher level, that
 * slot's timers agree with the time in one more digit and move down. All timers of a level are due
 * before those of the next, so the lowest used slot of the lowest used level is next. Two bit scans
 * find it.
 *
 * Cost: a timer moves down at most ten times for any number of timers: O(1) per timer, with exact
 * deadlines. Carousel (SIGCOMM 2017) is O(1) too, but with coarse slots and a single horizon. The
 * bit scans are from Eiffel (NSDI 2019), the digits from Varghese and Lauck (SOSP 1987, scheme 7).
 */
#ifndef BASE_WHEEL_H
#define BASE_WHEEL_H

#include "base/list.h"
#include "base/time.h"

enum {
    BASE_WHEEL_LEVELS = 11,
    BASE_WHEEL_SLOTS = 64,
    BASE_WHEEL_DUE = BASE_WHEEL_LEVELS * BASE_WHEEL_SLOTS /* the list of timers due at this time */
};

struct base_timer {
    struct base_list_link link;
    int64_t deadline_ns;
    uint16_t slot; /* while armed: level * BASE_WHEEL_SLOTS + digit, or BASE_WHEEL_DUE */
    bool armed;
    uint8_t kind; /* for the wheel's owner */
};

struct base_wheel {
    int64_t now_ns;
    uint64_t used_levels;
    uint64_t used_slots[BASE_WHEEL_LEVELS];
    struct base_list_link slots[BASE_WHEEL_DUE + 1];
};

/* Initialises an empty wheel at time 0. */
void base_wheel_init(struct base_wheel *wheel);

void base_timer_init(struct base_timer *timer, uint8_t kind);

/* Arms or moves the timer. deadline_ns must be later than the wheel's time. */
void base_wheel_arm(struct base_wheel *wheel, struct base_timer *timer, int64_t deadline_ns);

void base_wheel_disarm(struct base_wheel *wheel, struct base_timer *timer);

/*
 * Removes and returns the timer with the earliest deadline, and sets the wheel's time to that
 * deadline, if it is at or before now_ns. Otherwise returns null and sets the wheel's time to
 * now_ns. Time never goes back.
 */
struct base_timer *base_wheel_expire(struct base_wheel *wheel, int64_t now_ns);

/* Returns a time after the wheel's and not after any deadline, or BASE_FOREVER without timers. */
int64_t base_wheel_next_ns(const struct base_wheel *wheel);

#endif
