/*
 * Uses any bytes as a frame and as a configuration. Invariants: marking a frame does not change its
 * flow or anything else, and a configuration is accepted, or refused with a reason.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "exact_copy.h"
#include "headers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good, const char *what) {
    if (!good) {
        fprintf(stderr, "fuzz_input: %s\n", what);
        abort();
    }
}

static void try_frame(const uint8_t *data, size_t size) {
    struct base_flow_key before, after;
    const struct exact_copy copy = exact_copy_make(data, size);
    uint8_t *frame = copy.bytes;
    const bool ip = headers_flow(frame, size, &before);
    headers_mark(frame, size, 8);
    must(headers_flow(frame, size, &after) == ip, "it is IP still");
    must(memcmp(&before, &after, sizeof before) == 0, "it is of the same flow");
    exact_copy_free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char error[600] = "";
    const struct exact_copy copy = exact_copy_make(data, size);
    struct config *config = config_parse((const char *)copy.bytes, size, error, sizeof error);
    must(config != NULL || error[0] != '\0', "a reason");
    config_free(config);
    exact_copy_free(copy);
    try_frame(data, size);
    return 0;
}
