#ifndef EDGE_FUZZ_OPTION_H
#define EDGE_FUZZ_OPTION_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's entry: any bytes, as the option of a packet that arrived. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
