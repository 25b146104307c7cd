#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t seed(void) {
    static uint64_t value;
    static bool known;
    if (!known) {
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

struct sdd_program condition(const char *format, ...) {
    char text[512];
    struct sdd_program program;
    struct sdd_parse_error error;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!sdd_program_parse(text, (size_t)length, &program, &error))
        fail_msg("\"%s\" at %zu: %s", text, error.position, error.message);
    return program;
}

struct sdd_flow_key flow_key(unsigned host, uint16_t source_port) {
    return (struct sdd_flow_key){.source = sdd_ipv4(0x0a000001),
                                 .destination = sdd_ipv4(0x0a000100 + host),
                                 .source_port = source_port,
                                 .destination_port = 80,
                                 .protocol = 6};
}
