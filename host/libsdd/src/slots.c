#include "slots.h"

#include <stdlib.h>

bool sdd_slots_init(struct sdd_slot_pool *pool, uint32_t capacity) {
    pool->slots = malloc((capacity ? capacity : 1) * sizeof *pool->slots);
    pool->free = SDD_NO_SLOT;
    pool->free_count = capacity;
    if (!pool->slots)
        return false;
    for (uint32_t i = capacity; i-- > 0; pool->free = i)
        pool->slots[i].next = pool->free;
    return true;
}

void sdd_slots_free(struct sdd_slot_pool *pool) {
    free(pool->slots);
}

void sdd_schedule_init(struct sdd_schedule *schedule) {
    schedule->first = schedule->last = SDD_NO_SLOT;
}

void sdd_schedule_add(struct sdd_slot_pool *pool, struct sdd_schedule *schedule,
                      struct sdd_window window, int64_t rate_bps) {
    uint32_t previous = schedule->last, new = pool->free;
    struct sdd_slot *slot = &pool->slots[new];
    while (previous != SDD_NO_SLOT && pool->slots[previous].window.open_ns > window.open_ns)
        previous = pool->slots[previous].previous;
    pool->free = slot->next;
    pool->free_count--;
    uint32_t *link = previous == SDD_NO_SLOT ? &schedule->first : &pool->slots[previous].next;
    *slot = (struct sdd_slot){window, rate_bps, previous, *link};
    if (*link == SDD_NO_SLOT)
        schedule->last = new;
    else
        pool->slots[*link].previous = new;
    *link = new;
}

uint32_t sdd_schedule_find(const struct sdd_slot_pool *pool, const struct sdd_schedule *schedule,
                           struct sdd_window window) {
    uint32_t at = schedule->first;
    while (at != SDD_NO_SLOT && (pool->slots[at].window.open_ns != window.open_ns ||
                                 pool->slots[at].window.close_ns != window.close_ns))
        at = pool->slots[at].next;
    return at;
}

void sdd_schedule_remove(struct sdd_slot_pool *pool, struct sdd_schedule *schedule, uint32_t slot) {
    uint32_t previous = pool->slots[slot].previous, next = pool->slots[slot].next;
    if (previous == SDD_NO_SLOT)
        schedule->first = next;
    else
        pool->slots[previous].next = next;
    if (next == SDD_NO_SLOT)
        schedule->last = previous;
    else
        pool->slots[next].previous = previous;
    pool->slots[slot].next = pool->free;
    pool->free = slot;
    pool->free_count++;
}

bool sdd_schedule_expire(struct sdd_slot_pool *pool, struct sdd_schedule *schedule,
                         int64_t now_ns) {
    bool any = false;
    for (; schedule->first != SDD_NO_SLOT; any = true) {
        if (pool->slots[schedule->first].window.close_ns > now_ns)
            break;
        sdd_schedule_remove(pool, schedule, schedule->first);
    }
    return any;
}

bool sdd_schedule_window(const struct sdd_slot_pool *pool, const struct sdd_schedule *schedule,
                         int64_t from_ns, struct sdd_window *window) {
    for (uint32_t at = schedule->first; at != SDD_NO_SLOT; at = pool->slots[at].next) {
        if (pool->slots[at].window.close_ns > from_ns) {
            *window = pool->slots[at].window;
            return true;
        }
    }
    return false;
}
