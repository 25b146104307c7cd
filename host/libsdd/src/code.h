/* Reading and writing single instructions of the byte code that sdd/program.h describes. */
#ifndef SDD_CODE_H
#define SDD_CODE_H

#include "sdd/program.h"

enum sdd_opcode { SDD_OP_FALSE, SDD_OP_TRUE, SDD_OP_AND, SDD_OP_OR, SDD_OP_COMPARE = 0x10 };

enum { SDD_COMPARE_BYTES = 10, SDD_TERM_BYTES = 7 };

struct sdd_term {
    int32_t coefficient;
    uint8_t variable;
    uint16_t queue;
};

struct sdd_instruction {
    uint8_t opcode; /* SDD_OP_COMPARE for a comparison, whose operator is in `comparison` */
    uint8_t comparison;
    uint8_t terms;
    int64_t constant;
    struct sdd_term term[SDD_MAX_TERMS];
};

/* The order of terms within a comparison: own queue last, then by variable. */
static inline uint32_t sdd_term_rank(const struct sdd_term *term) {
    return (uint32_t)term->queue << 8 | term->variable;
}

/*
 * Decodes the instruction at offset and returns the offset after it; 0 if the instruction exceeds
 * the program or has an invalid opcode or number of terms.
 */
unsigned sdd_code_read(const struct sdd_program *program, unsigned offset,
                       struct sdd_instruction *instruction);

/* Appends the instruction; returns false if the program has no room for it. */
bool sdd_code_append(struct sdd_program *program, const struct sdd_instruction *instruction);

#endif
