/* Random numbers for tests, repeatable by their seed. */
#ifndef TESTING_RANDOM_H
#define TESTING_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* The seed of a test program: SDD_SEED of the environment, or 1. Printed at the first call. */
uint64_t seed(void);

/* SplitMix64. */
struct random {
    uint64_t state;
};

uint64_t random_next(struct random *random);

/* From low to high, both included. */
int64_t random_between(struct random *random, int64_t low, int64_t high);

/* True once in so many calls on average. */
bool random_one_in(struct random *random, int64_t times);

#endif
