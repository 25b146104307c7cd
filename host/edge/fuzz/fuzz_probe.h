#ifndef EDGE_FUZZ_PROBE_H
#define EDGE_FUZZ_PROBE_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's entry point. data: any bytes, used as responses to probes. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
