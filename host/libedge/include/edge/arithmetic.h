/*
 * Integer arithmetic that all of libedge uses.
 *
 * libedge is compiled three times from the same text: by the host's compiler, into the simulator,
 * and by clang for BPF. So there are no floats, no signed division, no allocation, no recursion, no
 * globals and no clock; loops run at most EDGE_MAX_PATHS times; time and random numbers are
 * arguments.
 */
#ifndef EDGE_ARITHMETIC_H
#define EDGE_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>

#define EDGE_INLINE static inline __attribute__((always_inline, unused))

/* A power of two, so that "& (EDGE_MAX_PATHS - 1)" is a bound that BPF's verifier accepts. */
#define EDGE_MAX_PATHS 64u

/* The index of a path, kept inside its tables whatever arrives. */
EDGE_INLINE uint32_t edge_index(uint32_t path) {
    return path & (EDGE_MAX_PATHS - 1);
}

/*
 * A value that the compiler cannot see through. Where a loop over paths must not have a jump, since
 * each one doubles the states that BPF's verifier looks at, arithmetic on such a value stays
 * arithmetic; clang would make it a jump again.
 */
EDGE_INLINE uint64_t edge_opaque(uint64_t value) {
#ifdef __bpf__
    __asm__("" : "+r"(value));
#endif
    return value;
}

/*
 * Behind a loop over paths: their number is read again. What BPF's verifier has learnt of it by the
 * loop's end would have it look at all that follows once for each number.
 */
EDGE_INLINE void edge_read_anew(void) {
#ifdef __bpf__
    __asm__ volatile("" ::: "memory");
#endif
}

/* All ones for 1, nothing for 0. */
EDGE_INLINE uint64_t edge_mask(uint64_t bit) {
    return 0 - edge_opaque(bit);
}

/* The lesser of two keys below 2^63, without a jump: where there is an instruction for it, by that.
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
 * 1 if what was noted at `at_ns` is younger than the span, else 0, without a jump. Times of the
 * future count as now; 0 is never.
 */
EDGE_INLINE uint64_t edge_is_young(uint64_t at_ns, uint64_t now_ns, uint64_t span_ns) {
    uint64_t is_known = (at_ns | edge_opaque(0 - at_ns)) >> 63;
    return is_known & ((now_ns - at_ns - span_ns) >> 63);
}

/* The number of the lowest bit that is set, of at least one; without a jump, a table or a loop. */
EDGE_INLINE uint32_t edge_lowest_bit(uint64_t bits) {
#ifndef __bpf__
    return (uint32_t)__builtin_ctzll(bits);
#else
    uint64_t below = (bits & (0 - bits)) - 1; /* as many ones as there are bits below it */
    below -= below >> 1 & UINT64_C(0x5555555555555555);
    below = (below & UINT64_C(0x3333333333333333)) + (below >> 2 & UINT64_C(0x3333333333333333));
    below = (below + (below >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(below * UINT64_C(0x0101010101010101) >> 56);
#endif
}

/* The bits turned so that bit `from` (below 64) becomes bit 0. */
EDGE_INLINE uint64_t edge_turned(uint64_t bits, uint32_t from) {
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
EDGE_INLINE uint32_t edge_below(uint32_t uniform, uint32_t bound) {
    return (uint32_t)((uint64_t)uniform * bound >> 32);
}

/*
 * value * (7/8)^steps, rounded down; 0 from 64 steps on, when less than 1/5000 of it is left. By
 * repeated squaring, without a jump. value: below 2^32.
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

/* Whether `at_ns` is `span_ns` ago or longer. Times of the future count as now. */
EDGE_INLINE bool edge_elapsed(uint64_t now_ns, uint64_t at_ns, uint64_t span_ns) {
    return now_ns >= at_ns && now_ns - at_ns >= span_ns;
}

/* Whether a is before b, both 32-bit times that wrap (2.1 s apart at most, in nanoseconds). */
EDGE_INLINE bool edge_before32(uint32_t a, uint32_t b) {
    return (a - b) >> 31;
}

#endif
