#ifndef EDGE_FUZZ_HIDDEN_H
#define EDGE_FUZZ_HIDDEN_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's entry: any bytes, as the start of a packet that arrives. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
