#ifndef EDGE_FUZZ_PROBE_H
#define EDGE_FUZZ_PROBE_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's entry: any bytes, as what comes back of probes. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
