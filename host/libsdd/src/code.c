#include "code.h"

static uint64_t read_number(const uint8_t *bytes, unsigned size) {
    uint64_t number = 0;
    for (unsigned i = 0; i < size; i++)
        number |= (uint64_t)bytes[i] << (8 * i);
    return number;
}

static void write_number(uint8_t *bytes, unsigned size, uint64_t number) {
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (uint8_t)(number >> (8 * i));
}

unsigned sdd_code_read(const struct sdd_program *program, unsigned offset,
                       struct sdd_instruction *instruction) {
    if (offset >= program->length)
        return 0;
    const uint8_t *at = program->code + offset;
    if (*at <= SDD_OP_OR) {
        instruction->opcode = *at;
        instruction->terms = 0;
        return offset + 1;
    }
    if (*at < SDD_OP_COMPARE || *at >= SDD_OP_COMPARE + SDD_COMPARISONS ||
        program->length - offset < SDD_COMPARE_BYTES)
        return 0;
    instruction->opcode = SDD_OP_COMPARE;
    instruction->comparison = (uint8_t)(*at - SDD_OP_COMPARE);
    instruction->terms = at[1];
    instruction->constant = (int64_t)read_number(at + 2, 8);
    if (instruction->terms < 1 || instruction->terms > SDD_MAX_TERMS ||
        program->length - offset <
            SDD_COMPARE_BYTES + SDD_TERM_BYTES * (unsigned)instruction->terms)
        return 0;
    at += SDD_COMPARE_BYTES;
    for (unsigned i = 0; i < instruction->terms; i++, at += SDD_TERM_BYTES) {
        instruction->term[i].coefficient = (int32_t)(uint32_t)read_number(at, 4);
        instruction->term[i].variable = at[4];
        instruction->term[i].queue = (uint16_t)read_number(at + 5, 2);
    }
    return (unsigned)(at - program->code);
}

bool sdd_code_append(struct sdd_program *program, const struct sdd_instruction *instruction) {
    unsigned size = 1;
    if (instruction->opcode == SDD_OP_COMPARE)
        size = SDD_COMPARE_BYTES + SDD_TERM_BYTES * (unsigned)instruction->terms;
    if (size > (unsigned)SDD_PROGRAM_BYTES - program->length)
        return false;
    uint8_t *at = program->code + program->length;
    program->length = (uint16_t)(program->length + size);
    *at = instruction->opcode;
    if (instruction->opcode != SDD_OP_COMPARE)
        return true;
    *at = (uint8_t)(SDD_OP_COMPARE + instruction->comparison);
    at[1] = instruction->terms;
    write_number(at + 2, 8, (uint64_t)instruction->constant);
    at += SDD_COMPARE_BYTES;
    for (unsigned i = 0; i < instruction->terms; i++, at += SDD_TERM_BYTES) {
        write_number(at, 4, (uint32_t)instruction->term[i].coefficient);
        at[4] = instruction->term[i].variable;
        write_number(at + 5, 2, instruction->term[i].queue);
    }
    return true;
}
