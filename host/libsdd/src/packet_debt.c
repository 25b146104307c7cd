/*
 * When and at what rate packet slots let a queue of circuits transmit by the packet switch.
 *
 * A token bucket with debt: a packet that leaves adds its bits to a debt, which an open slot
 * reduces at its rate. The next packet leaves when the debt is 0. With any rates of successive
 * slots, a queue thus sends at most the bits that they allow plus one packet. Debts are in bits
 * times 10^9, so a rate in bits per second reduces them by its number each nanosecond.
 */
#include "packet_debt.h"

static int64_t min(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t max(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* Returns the rest of a debt after for_ns at a rate. */
static uint64_t after_paying(uint64_t debt, int64_t rate_bps, int64_t for_ns) {
    if (for_ns <= 0)
        return debt;
    const uint64_t rate = (uint64_t)rate_bps, time = (uint64_t)for_ns;
    return debt / rate < time ? 0 : debt - rate * time;
}

void sdd_packet_slots_settle(struct sdd *sdd, struct sdd_queue *queue) {
    while (queue->packet_slots.first != SDD_NO_SLOT) {
        const uint32_t first = queue->packet_slots.first;
        const struct sdd_slot *slot = &sdd->slots.slots[first];
        const int64_t from_ns = max(slot->window.open_ns, queue->paid_ns);
        const int64_t to_ns = min(slot->window.close_ns, sdd->now_ns);
        queue->packet_debt = after_paying(queue->packet_debt, slot->rate_bps, to_ns - from_ns);
        queue->paid_ns = max(queue->paid_ns, to_ns);
        if (slot->window.close_ns > sdd->now_ns)
            break;
        sdd_schedule_remove(&sdd->slots, &queue->packet_slots, first);
    }
    queue->paid_ns = sdd->now_ns; /* slots added later do not pay for past time */
}

struct sdd_window sdd_packet_window(const struct sdd *sdd, const struct sdd_queue *queue,
                                    int64_t from_ns) {
    uint64_t debt = queue->packet_debt;
    int64_t paid_ns = queue->paid_ns;
    for (uint32_t at = queue->packet_slots.first; at != SDD_NO_SLOT;
         at = sdd->slots.slots[at].next) {
        const struct sdd_slot *slot = &sdd->slots.slots[at];
        const int64_t close_ns = slot->window.close_ns;
        const int64_t open_ns = max(slot->window.open_ns, paid_ns);
        const uint64_t rate = (uint64_t)slot->rate_bps, wait_ns = debt / rate + (debt % rate > 0);
        if (open_ns >= close_ns)
            continue;
        if (wait_ns < (uint64_t)(close_ns - open_ns)) {
            const int64_t due_ns = max(open_ns + (int64_t)wait_ns, from_ns);
            if (due_ns < close_ns)
                return (struct sdd_window){due_ns, close_ns};
        }
        debt = after_paying(debt, slot->rate_bps, close_ns - open_ns);
        paid_ns = close_ns;
    }
    return (struct sdd_window){BASE_FOREVER, BASE_FOREVER};
}

void sdd_packet_slot_sent(struct sdd *sdd, struct sdd_queue *queue, uint32_t bytes) {
    sdd_packet_slots_settle(sdd, queue);
    queue->packet_debt += bytes * UINT64_C(8000000000);
}

void sdd_forget_packet_slots(struct sdd *sdd, struct sdd_queue *queue) {
    sdd_packet_slots_settle(sdd, queue);
    while (queue->packet_slots.first != SDD_NO_SLOT)
        sdd_schedule_remove(&sdd->slots, &queue->packet_slots, queue->packet_slots.first);
}
