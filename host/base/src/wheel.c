#include "base/wheel.h"

enum { DIGIT_BITS = 6, DIGIT_MASK = BASE_WHEEL_SLOTS - 1 };

void base_wheel_init(struct base_wheel *wheel) {
    wheel->now_ns = 0;
    wheel->used_levels = 0;
    for (unsigned i = 0; i < BASE_WHEEL_LEVELS; i++)
        wheel->used_slots[i] = 0;
    for (unsigned i = 0; i <= BASE_WHEEL_DUE; i++)
        base_list_init(&wheel->slots[i]);
}

void base_timer_init(struct base_timer *timer, uint8_t kind) {
    base_list_init(&timer->link);
    timer->armed = false;
    timer->kind = kind;
}

void base_wheel_disarm(struct base_wheel *wheel, struct base_timer *timer) {
    if (!timer->armed)
        return;
    timer->armed = false;
    base_list_remove(&timer->link);
    if (timer->slot != BASE_WHEEL_DUE && base_list_empty(&wheel->slots[timer->slot])) {
        unsigned level = timer->slot / BASE_WHEEL_SLOTS;
        wheel->used_slots[level] &= ~(UINT64_C(1) << (timer->slot & DIGIT_MASK));
        if (wheel->used_slots[level] == 0)
            wheel->used_levels &= ~(UINT64_C(1) << level);
    }
}

/* Inserts a timer. If its deadline is the wheel's time, it is due at once. */
static void insert(struct base_wheel *wheel, struct base_timer *timer) {
    uint64_t differing = (uint64_t)timer->deadline_ns ^ (uint64_t)wheel->now_ns;
    timer->armed = true;
    timer->slot = BASE_WHEEL_DUE;
    if (differing != 0) {
        unsigned level = (63 - (unsigned)__builtin_clzll(differing)) / DIGIT_BITS;
        unsigned digit =
            (unsigned)((uint64_t)timer->deadline_ns >> (level * DIGIT_BITS)) & DIGIT_MASK;
        timer->slot = (uint16_t)(level * BASE_WHEEL_SLOTS + digit);
        wheel->used_slots[level] |= UINT64_C(1) << digit;
        wheel->used_levels |= UINT64_C(1) << level;
    }
    base_list_append(&wheel->slots[timer->slot], &timer->link);
}

void base_wheel_arm(struct base_wheel *wheel, struct base_timer *timer, int64_t deadline_ns) {
    base_wheel_disarm(wheel, timer);
    timer->deadline_ns = deadline_ns;
    insert(wheel, timer);
}

int64_t base_wheel_next_ns(const struct base_wheel *wheel) {
    if (wheel->used_levels == 0)
        return BASE_FOREVER;
    unsigned level = (unsigned)__builtin_ctzll(wheel->used_levels);
    uint64_t digit = (uint64_t)__builtin_ctzll(wheel->used_slots[level]);
    unsigned shift = level * DIGIT_BITS;
    uint64_t higher = shift + DIGIT_BITS >= 64
                          ? 0
                          : (uint64_t)wheel->now_ns >> (shift + DIGIT_BITS) << (shift + DIGIT_BITS);
    return (int64_t)(higher | digit << shift);
}

/* Advances the time to next_ns, the start of the first used slot of the lowest used level. */
static void turn(struct base_wheel *wheel, int64_t next_ns) {
    unsigned level = (unsigned)__builtin_ctzll(wheel->used_levels);
    unsigned digit = (unsigned)__builtin_ctzll(wheel->used_slots[level]);
    struct base_list_link *slot = &wheel->slots[level * BASE_WHEEL_SLOTS + digit];
    wheel->now_ns = next_ns;
    while (!base_list_empty(slot)) {
        struct base_timer *timer = BASE_CONTAINER_OF(slot->next, struct base_timer, link);
        base_wheel_disarm(wheel, timer);
        insert(wheel, timer);
    }
}

struct base_timer *base_wheel_expire(struct base_wheel *wheel, int64_t now_ns) {
    struct base_list_link *due = &wheel->slots[BASE_WHEEL_DUE];
    while (base_list_empty(due)) {
        int64_t next_ns = base_wheel_next_ns(wheel);
        if (next_ns > now_ns || wheel->used_levels == 0) {
            if (now_ns > wheel->now_ns)
                wheel->now_ns = now_ns;
            return NULL;
        }
        turn(wheel, next_ns);
    }
    struct base_timer *timer = BASE_CONTAINER_OF(due->next, struct base_timer, link);
    base_wheel_disarm(wheel, timer);
    return timer;
}
