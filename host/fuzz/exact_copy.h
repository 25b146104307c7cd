/*
 * For fuzzers: copies the input to a heap block of exactly its size, so that AddressSanitizer
 * reports any read beyond its end.
 */
#ifndef EVW_FUZZ_EXACT_COPY_H
#define EVW_FUZZ_EXACT_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct exact_copy {
    void *block;
    uint8_t *bytes;
};

static inline struct exact_copy exact_copy_make(const uint8_t *data, size_t size) {
    /* AddressSanitizer treats an empty block as one byte: an empty input is at the block's end */
    struct exact_copy copy = {.block = calloc(size ? size : 1, 1)};
    if (!copy.block)
        abort();
    copy.bytes = (uint8_t *)copy.block + (size == 0);
    if (size > 0)
        memcpy(copy.bytes, data, size);
    return copy;
}

static inline void exact_copy_free(struct exact_copy copy) {
    free(copy.block);
}

#endif
