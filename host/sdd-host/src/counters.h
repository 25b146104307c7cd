/* Counters that one thread writes and others read independently. All accesses are therefore
 * relaxed, and additions need not be atomic. */
#ifndef SDD_HOST_COUNTERS_H
#define SDD_HOST_COUNTERS_H

#include <stdatomic.h>
#include <stdint.h>

static inline uint64_t counter_value(const _Atomic uint64_t *counter) {
    return atomic_load_explicit(counter, memory_order_relaxed);
}

static inline void counter_add(_Atomic uint64_t *counter, uint64_t more) {
    atomic_store_explicit(counter, counter_value(counter) + more, memory_order_relaxed);
}

#endif
