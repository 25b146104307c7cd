/* Checks and classifies programs without running them. */
#include <string.h>

#include "code.h"

/*
 * Whether a comparison is canonical: known variables, and terms in ascending order without
 * duplicates and zeros. Every number must have a negative, so that every program can be printed as
 * text. Coefficients have at most 32 bits and values 63, so eight terms stay within 98 bits and
 * 128-bit arithmetic cannot overflow.
 */
static bool good_comparison(const struct sdd_instruction *instruction, uint32_t queue_limit) {
    if (instruction->terms > 0 && instruction->constant == INT64_MIN)
        return false;
    for (unsigned i = 0; i < instruction->terms; i++) {
        const struct sdd_term *term = &instruction->term[i];
        if (term->coefficient == 0 || term->coefficient == INT32_MIN ||
            term->variable >= SDD_VARIABLES)
            return false;
        if (term->queue != SDD_OWN_QUEUE &&
            (term->queue >= queue_limit || term->variable == SDD_CURRENT_TIME))
            return false;
        if (i > 0 && sdd_term_rank(term - 1) >= sdd_term_rank(term))
            return false;
    }
    return true;
}

bool sdd_program_check(const struct sdd_program *program, uint32_t queue_limit, size_t *fault) {
    unsigned depth = 0, leaves = 0, offset = 0;
    bool good = program->length > 0 && program->length <= SDD_PROGRAM_BYTES;
    while (good && offset < program->length) {
        struct sdd_instruction instruction;
        unsigned next = sdd_code_read(program, offset, &instruction);
        if (fault)
            *fault = offset;
        if (next == 0)
            return false;
        if (instruction.opcode == SDD_OP_AND || instruction.opcode == SDD_OP_OR) {
            good = depth >= 2;
            depth -= 1;
        } else {
            good = ++leaves <= SDD_MAX_LEAVES && good_comparison(&instruction, queue_limit);
            depth += 1;
        }
        if (good)
            offset = next;
    }
    if (fault)
        *fault = offset;
    return good && depth == 1;
}

enum sdd_program_class sdd_program_class(const struct sdd_program *program) {
    enum sdd_program_class class = SDD_CONSTANT;
    struct sdd_instruction instruction;
    for (unsigned at = 0; (at = sdd_code_read(program, at, &instruction)) != 0;) {
        for (unsigned i = 0; i < instruction.terms; i++) {
            enum sdd_program_class needs = SDD_PACED;
            if (instruction.term[i].queue != SDD_OWN_QUEUE)
                needs = SDD_EVALUATED;
            else if (instruction.term[i].variable == SDD_CURRENT_TIME)
                needs = SDD_SCHEDULE;
            if (needs > class)
                class = needs;
        }
    }
    return class;
}

uint32_t sdd_program_own_variables(const struct sdd_program *program) {
    uint32_t variables = 0;
    struct sdd_instruction instruction;
    for (unsigned at = 0; (at = sdd_code_read(program, at, &instruction)) != 0;)
        for (unsigned i = 0; i < instruction.terms; i++)
            if (instruction.term[i].queue == SDD_OWN_QUEUE)
                variables |= UINT32_C(1) << instruction.term[i].variable;
    return variables;
}

unsigned sdd_program_queues(const struct sdd_program *program, uint32_t queues[SDD_MAX_READ]) {
    unsigned count = 0;
    struct sdd_instruction instruction;
    for (unsigned at = 0; (at = sdd_code_read(program, at, &instruction)) != 0;)
        for (unsigned i = 0; i < instruction.terms && count < SDD_MAX_READ; i++)
            if (instruction.term[i].queue != SDD_OWN_QUEUE)
                queues[count++] = instruction.term[i].queue;
    return count;
}

bool sdd_program_equal(const struct sdd_program *a, const struct sdd_program *b) {
    return a->length == b->length && memcmp(a->code, b->code, a->length) == 0;
}
