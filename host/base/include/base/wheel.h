/*
 * A hierarchical timing wheel of one-nanosecond ticks.
 *
 * A deadline is a number of eleven digits in base 64. A timer lies on the level of the highest
 * digit in which its deadline differs from the wheel's time, in the slot of that digit. When the
 * time comes to a slot of level 0, its timers are due; when it comes to a slot of a higher level,
 * that slot's timers agree with the time in one more digit and move down. All timers of a level are
 * due before those of the next, so the lowest used slot of the lowest used level comes first, found
 * with two bit scans.
 *
 * Cost: a timer moves down at most ten times, however many timers there are: O(1) per timer, with
 * exact deadlines. Carousel (SIGCOMM 2017) buys its O(1) with coarse slots and one horizon; the bit
 * scans are Eiffel's (NSDI 2019), the digits those of Varghese and Lauck (SOSP 1987, scheme 7).
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

/* The time is 0. */
void base_wheel_init(struct base_wheel *wheel);

void base_timer_init(struct base_timer *timer, uint8_t kind);

/* Arms or moves the timer. deadline_ns must be later than the wheel's time. */
void base_wheel_arm(struct base_wheel *wheel, struct base_timer *timer, int64_t deadline_ns);

void base_wheel_disarm(struct base_wheel *wheel, struct base_timer *timer);

/*
 * Takes out the timer with the earliest deadline and sets the wheel's time to that, if it is now_ns
 * or earlier. Null if there is none; the wheel's time is then now_ns. Time never goes back.
 */
struct base_timer *base_wheel_expire(struct base_wheel *wheel, int64_t now_ns);

/* A time not later than any deadline, and later than the wheel's; BASE_FOREVER without timers. */
int64_t base_wheel_next_ns(const struct base_wheel *wheel);

#endif
