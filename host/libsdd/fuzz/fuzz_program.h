/* One input of the fuzzers: see fuzz_program.c. */
#ifndef SDD_FUZZ_PROGRAM_H
#define SDD_FUZZ_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

/* How many inputs so far were a condition, and how many good byte code. */
extern unsigned fuzz_conditions, fuzz_codes;

/* Ends the process if libsdd breaks a promise about the input. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
