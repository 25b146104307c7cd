#include "base/ring.h"

#include <stdlib.h>
#include <string.h>

bool base_ring_init(struct base_ring *ring, uint32_t capacity, size_t element_bytes) {
    uint32_t slots = 1;
    while (slots < capacity && slots < UINT32_C(1) << 31)
        slots <<= 1;
    ring->elements = calloc(slots, element_bytes);
    ring->element_bytes = element_bytes;
    ring->mask = slots - 1;
    ring->consumed_seen = ring->produced_seen = 0;
    atomic_init(&ring->produced, 0);
    atomic_init(&ring->consumed, 0);
    return ring->elements != NULL;
}

void base_ring_free(struct base_ring *ring) {
    free(ring->elements);
}

uint32_t base_ring_capacity(const struct base_ring *ring) {
    return ring->mask + 1;
}

bool base_ring_full(struct base_ring *ring) {
    /* relaxed: only this thread writes it */
    unsigned produced = atomic_load_explicit(&ring->produced, memory_order_relaxed);
    if (produced - ring->consumed_seen <= ring->mask)
        return false;
    /* acquire: the consumer has read the slot before it is written again */
    ring->consumed_seen = atomic_load_explicit(&ring->consumed, memory_order_acquire);
    return produced - ring->consumed_seen > ring->mask;
}

bool base_ring_push(struct base_ring *ring, const void *element) {
    if (base_ring_full(ring))
        return false;
    unsigned produced = atomic_load_explicit(&ring->produced, memory_order_relaxed);
    memcpy(ring->elements + (produced & ring->mask) * ring->element_bytes, element,
           ring->element_bytes);
    /* release: a thread that reads the new index also sees the element and all earlier writes */
    atomic_store_explicit(&ring->produced, produced + 1, memory_order_release);
    return true;
}

const void *base_ring_front(struct base_ring *ring) {
    unsigned consumed = atomic_load_explicit(&ring->consumed, memory_order_relaxed);
    if (consumed == ring->produced_seen) {
        /* acquire: pairs with the release in push */
        ring->produced_seen = atomic_load_explicit(&ring->produced, memory_order_acquire);
        if (consumed == ring->produced_seen)
            return NULL;
    }
    return ring->elements + (consumed & ring->mask) * ring->element_bytes;
}

void base_ring_drop(struct base_ring *ring) {
    unsigned consumed = atomic_load_explicit(&ring->consumed, memory_order_relaxed);
    /* release: pairs with the acquire in push */
    atomic_store_explicit(&ring->consumed, consumed + 1, memory_order_release);
}
