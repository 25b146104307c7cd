/* Random numbers for tests, repeatable by their seed. */
#ifndef TESTING_RANDOM_H
#define TESTING_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the seed of a test program: SDD_SEED from the environment, or 1. The first call prints
 * it. */
uint64_t seed(void);

/* The state of a SplitMix64 generator. */
struct random {
    uint64_t state;
};

uint64_t random_next(struct random *random);

/* Returns a number from low to high, inclusive. */
int64_t random_between(struct random *random, int64_t low, int64_t high);

/* Returns true once in `times` calls on average. */
bool random_one_in(struct random *random, int64_t times);

#endif
