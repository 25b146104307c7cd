/*
 * Integer arithmetic that all of libedge uses.
 *
 * The same source is compiled three times: by the host's compiler, into the simulator, and by clang
 * for BPF. The code therefore uses no floating point, no signed division, no allocation, no
 * recursion, no globals and no clock. A loop runs at most EDGE_MAX_PATHS times. Callers pass time
 * and random numbers as arguments.
 */
#ifndef EDGE_ARITHMETIC_H
#define EDGE_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>

#define EDGE_INLINE static inline __attribute__((always_inline, unused))

/* A power of two, so that "& (EDGE_MAX_PATHS - 1)" is a bound that BPF's verifier accepts. */
#define EDGE_MAX_PATHS 64u

/* Wraps a path index to the bounds of the tables, so that invalid input cannot read beyond them. */
EDGE_INLINE uint32_t edge_index(uint32_t path) {
    return path & (EDGE_MAX_PATHS - 1);
}

/*
 * Returns the value and hides it from the optimiser. A branch in a loop over paths doubles the
 * states that BPF's verifier examines. Without this barrier clang would turn branch-free arithmetic
 * back into a branch.
 */
EDGE_INLINE uint64_t edge_opaque(uint64_t value) {
#ifdef __bpf__
    __asm__("" : "+r"(value));
#endif
    return value;
}

/*
 * Forces the number of paths to be read from memory again after a loop over paths. Otherwise BPF's
 * verifier carries what it learnt about the number out of the loop and examines the code that
 * follows once for each value.
 */
EDGE_INLINE void edge_compiler_barrier(void) {
#ifdef __bpf__
    __asm__ volatile("" ::: "memory");
#endif
}

/* Returns all ones for 1 and 0 for 0. */
EDGE_INLINE uint64_t edge_mask(uint64_t bit) {
    return 0 - edge_opaque(bit);
}

/*
 * Returns the lesser of two keys below 2^63 without a branch, by a single instruction if the target
 * has one.
 */
EDGE_INLINE uint64_t edge_min(uint64_t a, uint64_t b) {
#ifdef __bpf__
    uint64_t difference = b - a;
    return a + (difference & edge_mask(difference >> 63));
#else
    return a < b ? a : b;
#endif
}

/*
 * Returns 1 if less than `span_ns` has passed since `at_ns`, else 0, without a branch. A future
 * `at_ns` counts as now; 0 means never.
 */
EDGE_INLINE uint64_t edge_is_young(uint64_t at_ns, uint64_t now_ns, uint64_t span_ns) {
    uint64_t is_known = (at_ns | edge_opaque(0 - at_ns)) >> 63;
    return is_known & ((now_ns - at_ns - span_ns) >> 63);
}

/* Returns the index of the lowest set bit without a branch, a table or a loop. bits: not 0. */
EDGE_INLINE uint32_t edge_lowest_bit(uint64_t bits) {
#ifndef __bpf__
    return (uint32_t)__builtin_ctzll(bits);
#else
    uint64_t below = (bits & (0 - bits)) - 1; /* ones in all positions below it */
    below -= below >> 1 & UINT64_C(0x5555555555555555);
    below = (below & UINT64_C(0x3333333333333333)) + (below >> 2 & UINT64_C(0x3333333333333333));
    below = (below + (below >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(below * UINT64_C(0x0101010101010101) >> 56);
#endif
}

/* Rotates the bits to the right by `from`, 0 to 63: bit `from` becomes bit 0. */
EDGE_INLINE uint64_t edge_rotate_right(uint64_t bits, uint32_t from) {
    return bits >> from | bits << ((0 - from) & 63);
}

/* One step of a 32-bit hash (the multiplier and shift of MurmurHash3's finaliser). */
EDGE_INLINE uint32_t edge_mix(uint32_t hash, uint32_t value) {
    hash ^= value;
    hash *= 0x85ebca6bu;
    hash ^= hash >> 13;
    hash *= 0xc2b2ae35u;
    return hash ^ (hash >> 16);
}

/* Maps 32 uniform bits to [0, bound), bound at least 1, with a bias below bound / 2^32. */
EDGE_INLINE uint32_t edge_bounded(uint32_t uniform, uint32_t bound) {
    return (uint32_t)((uint64_t)uniform * bound >> 32);
}

/*
 * Returns value * (7/8)^steps, rounded down, by repeated squaring and without a branch. From 64
 * steps on, when less than 1/5000 remains, it returns 0. value: below 2^32.
 */
EDGE_INLINE uint64_t edge_decayed(uint64_t value, uint64_t steps) {
    /* 2^32 * (1 - (7/8)^(2^k)) */
    static const uint32_t less[6] = {536870912u,  1006632960u, 1777336320u,
                                     2819178240u, 3787873019u, 4235096152u};
    uint64_t is_short = (steps >> 6) == 0;
    for (uint32_t k = 0; k < 6; k++)
        value -= (value * less[k] >> 32) & edge_mask(steps >> k & 1);
    return value & edge_mask(is_short);
}

/* Whether at least `span_ns` has passed since `at_ns`. A future `at_ns` counts as now. */
EDGE_INLINE bool edge_elapsed(uint64_t now_ns, uint64_t at_ns, uint64_t span_ns) {
    return now_ns >= at_ns && now_ns - at_ns >= span_ns;
}

/* Whether a is before b. Both are 32-bit times in nanoseconds that wrap, at most 2.1 s apart. */
EDGE_INLINE bool edge_before32(uint32_t a, uint32_t b) {
    return (a - b) >> 31;
}

#endif
