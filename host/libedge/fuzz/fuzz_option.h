#ifndef EDGE_FUZZ_OPTION_H
#define EDGE_FUZZ_OPTION_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's entry point. data: any bytes, used as the option of a received packet. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
