/* What the tests share: seeded random numbers, conditions from text, flow keys. */
#ifndef SDD_TEST_SUPPORT_H
#define SDD_TEST_SUPPORT_H

/* cmocka.h needs these four before it */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sdd/sdd.h"

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

/* The program of a text that must be a condition. */
struct sdd_program condition(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* TCP from 10.0.0.1:source_port to 10.0.1.host:80. */
struct sdd_flow_key flow_key(unsigned host, uint16_t source_port);

#endif
