/*
 * A ring between one producer thread and one consumer thread.
 *
 * Elements are copied. The indices count up for ever and are taken modulo the capacity, a power of
 * two, so that full and empty differ. Each side keeps its own index and a cached copy of the
 * other's on its own cache line, and reads the other's index only when the copy indicates full or
 * empty (as in FastForward and rte_ring): usually one side does not touch the other's line.
 */
#ifndef BASE_RING_H
#define BASE_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BASE_CACHE_LINE = 64 };

struct base_ring {
    char *elements;
    size_t element_bytes;
    uint32_t mask;
    _Alignas(BASE_CACHE_LINE) atomic_uint produced; /* written by the producer */
    unsigned consumed_seen;
    _Alignas(BASE_CACHE_LINE) atomic_uint consumed; /* written by the consumer */
    unsigned produced_seen;
};

/* capacity: rounded up to a power of two, at most 2^31. Returns false if there is no memory. */
bool base_ring_init(struct base_ring *ring, uint32_t capacity, size_t element_bytes);
void base_ring_free(struct base_ring *ring);

uint32_t base_ring_capacity(const struct base_ring *ring);

/* Producer: adds a copy of the element. Returns false if the ring is full. */
bool base_ring_push(struct base_ring *ring, const void *element);

/* Producer: whether a push would fail. */
bool base_ring_full(struct base_ring *ring);

/* Consumer: returns the oldest element, valid until base_ring_drop, or null if the ring is
 * empty. */
const void *base_ring_front(struct base_ring *ring);

/* Consumer: removes the oldest element. The ring must not be empty. */
void base_ring_drop(struct base_ring *ring);

#endif
