/*
 * Schedules: each queue's time slots in order of their start, allocated from a common pool.
 *
 * A condition on time alone is equivalent to its slots (section 5.3.5), and several such conditions
 * to the multiset of all their slots. Slots therefore do not store their condition.
 */
#ifndef SDD_SLOTS_H
#define SDD_SLOTS_H

#include "sdd/program.h"

#define SDD_NO_SLOT UINT32_MAX

struct sdd_slot {
    struct sdd_window window;
    int64_t rate_bps; /* rate of a packet slot; else 0 */
    uint32_t previous,
        next; /* neighbours in its schedule; next also links the list of free slots */
};

struct sdd_slot_pool {
    struct sdd_slot *slots;
    uint32_t free;
    uint32_t free_count;
};

/* The slots of one queue. */
struct sdd_schedule {
    uint32_t first, last;
};

bool sdd_slots_init(struct sdd_slot_pool *pool, uint32_t capacity);
void sdd_slots_free(struct sdd_slot_pool *pool);

void sdd_schedule_init(struct sdd_schedule *schedule);

/* Adds a slot; the pool must have a free one. O(1) if no slot of the schedule begins later than
 * this one. */
void sdd_schedule_add(struct sdd_slot_pool *pool, struct sdd_schedule *schedule,
                      struct sdd_window window, int64_t rate_bps);

/* Returns the slot with exactly this window, or SDD_NO_SLOT. */
uint32_t sdd_schedule_find(const struct sdd_slot_pool *pool, const struct sdd_schedule *schedule,
                           struct sdd_window window);

void sdd_schedule_remove(struct sdd_slot_pool *pool, struct sdd_schedule *schedule, uint32_t slot);

/* Removes slots from the front that are over; returns whether there were any. Amortised O(1) per
 * slot. */
bool sdd_schedule_expire(struct sdd_slot_pool *pool, struct sdd_schedule *schedule, int64_t now_ns);

/* Finds the first slot that ends after from_ns; returns false if there is none. */
bool sdd_schedule_window(const struct sdd_slot_pool *pool, const struct sdd_schedule *schedule,
                         int64_t from_ns, struct sdd_window *window);

#endif
