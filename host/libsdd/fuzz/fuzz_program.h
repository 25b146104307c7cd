/* One input of the fuzzers: see fuzz_program.c. */
#ifndef SDD_FUZZ_PROGRAM_H
#define SDD_FUZZ_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

/* The number of inputs so far that were valid conditions, and that were valid byte code. */
extern unsigned fuzz_conditions, fuzz_codes;

/* Aborts the process if libsdd violates an invariant for the input. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
