#include "random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

uint64_t seed(void) {
    static uint64_t value;
    static bool known;
    if (!known) {
        /* NOLINTNEXTLINE(concurrency-mt-unsafe): a test reads it before it starts a thread */
        const char *text = getenv("SDD_SEED");
        value = text ? strtoull(text, NULL, 10) : 1;
        known = true;
        fprintf(stderr, "seed %" PRIu64 " (SDD_SEED sets another)\n", value);
    }
    return value;
}

uint64_t random_next(struct random *random) {
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

int64_t random_between(struct random *random, int64_t low, int64_t high) {
    return low + (int64_t)(random_next(random) % ((uint64_t)high - (uint64_t)low + 1));
}

bool random_one_in(struct random *random, int64_t times) {
    return random_between(random, 1, times) == 1;
}
