#ifndef EDGE_FUZZ_HIDDEN_H
#define EDGE_FUZZ_HIDDEN_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's entry point. data: any bytes, used as the start of an arriving packet. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
