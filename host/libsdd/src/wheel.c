#include "wheel.h"

enum { DIGIT_BITS = 6, DIGIT_MASK = SDD_WHEEL_SLOTS - 1 };

void sdd_wheel_init(struct sdd_wheel *wheel) {
    wheel->now_ns = 0;
    wheel->used_levels = 0;
    for (unsigned i = 0; i < SDD_WHEEL_LEVELS; i++)
        wheel->used_slots[i] = 0;
    for (unsigned i = 0; i <= SDD_WHEEL_DUE; i++)
        sdd_list_init(&wheel->slots[i]);
}

void sdd_timer_init(struct sdd_timer *timer, uint8_t kind) {
    sdd_list_init(&timer->link);
    timer->armed = false;
    timer->kind = kind;
}

void sdd_wheel_disarm(struct sdd_wheel *wheel, struct sdd_timer *timer) {
    if (!timer->armed)
        return;
    timer->armed = false;
    sdd_list_remove(&timer->link);
    if (timer->slot != SDD_WHEEL_DUE && sdd_list_empty(&wheel->slots[timer->slot])) {
        unsigned level = timer->slot / SDD_WHEEL_SLOTS;
        wheel->used_slots[level] &= ~(UINT64_C(1) << (timer->slot & DIGIT_MASK));
        if (wheel->used_slots[level] == 0)
            wheel->used_levels &= ~(UINT64_C(1) << level);
    }
}

/* Also for a deadline that is now: the timer is then due. */
static void insert(struct sdd_wheel *wheel, struct sdd_timer *timer) {
    uint64_t differing = (uint64_t)timer->deadline_ns ^ (uint64_t)wheel->now_ns;
    timer->armed = true;
    timer->slot = SDD_WHEEL_DUE;
    if (differing != 0) {
        unsigned level = (63 - (unsigned)__builtin_clzll(differing)) / DIGIT_BITS;
        unsigned digit =
            (unsigned)((uint64_t)timer->deadline_ns >> (level * DIGIT_BITS)) & DIGIT_MASK;
        timer->slot = (uint16_t)(level * SDD_WHEEL_SLOTS + digit);
        wheel->used_slots[level] |= UINT64_C(1) << digit;
        wheel->used_levels |= UINT64_C(1) << level;
    }
    sdd_list_append(&wheel->slots[timer->slot], &timer->link);
}

void sdd_wheel_arm(struct sdd_wheel *wheel, struct sdd_timer *timer, int64_t deadline_ns) {
    sdd_wheel_disarm(wheel, timer);
    timer->deadline_ns = deadline_ns;
    insert(wheel, timer);
}

int64_t sdd_wheel_next_ns(const struct sdd_wheel *wheel) {
    if (wheel->used_levels == 0)
        return SDD_FOREVER;
    unsigned level = (unsigned)__builtin_ctzll(wheel->used_levels);
    uint64_t digit = (uint64_t)__builtin_ctzll(wheel->used_slots[level]);
    unsigned shift = level * DIGIT_BITS;
    uint64_t higher = shift + DIGIT_BITS >= 64
                          ? 0
                          : (uint64_t)wheel->now_ns >> (shift + DIGIT_BITS) << (shift + DIGIT_BITS);
    return (int64_t)(higher | digit << shift);
}

/* Moves the time to next_ns, where the first used slot of the lowest used level begins. */
static void turn(struct sdd_wheel *wheel, int64_t next_ns) {
    unsigned level = (unsigned)__builtin_ctzll(wheel->used_levels);
    unsigned digit = (unsigned)__builtin_ctzll(wheel->used_slots[level]);
    struct sdd_link *slot = &wheel->slots[level * SDD_WHEEL_SLOTS + digit];
    wheel->now_ns = next_ns;
    while (!sdd_list_empty(slot)) {
        struct sdd_timer *timer = SDD_OF(slot->next, struct sdd_timer, link);
        sdd_wheel_disarm(wheel, timer);
        insert(wheel, timer);
    }
}

struct sdd_timer *sdd_wheel_expire(struct sdd_wheel *wheel, int64_t now_ns) {
    struct sdd_link *due = &wheel->slots[SDD_WHEEL_DUE];
    while (sdd_list_empty(due)) {
        int64_t next_ns = sdd_wheel_next_ns(wheel);
        if (next_ns > now_ns || wheel->used_levels == 0) {
            if (now_ns > wheel->now_ns)
                wheel->now_ns = now_ns;
            return NULL;
        }
        turn(wheel, next_ns);
    }
    struct sdd_timer *timer = SDD_OF(due->next, struct sdd_timer, link);
    sdd_wheel_disarm(wheel, timer);
    return timer;
}
