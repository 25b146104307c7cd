/* A program's value at one time. */
#include "evaluate.h"

#include <string.h>

static_assert(offsetof(struct sdd_queue_stats, packet_switch_packets) ==
                  SDD_CURRENT_TIME * sizeof(int64_t),
              "statistics are the variables, in their order");

static int64_t value_of(const struct sdd_term *term, const struct sdd_environment *env) {
    if (term->variable == SDD_CURRENT_TIME)
        return env->now_ns;
    const struct sdd_queue_stats *stats = env->own;
    if (term->queue != SDD_OWN_QUEUE) {
        if (term->queue >= env->count)
            return 0;
        stats = (const void *)((const char *)env->all + term->queue * env->stride);
    }
    int64_t value;
    memcpy(&value, (const char *)stats + term->variable * sizeof value, sizeof value);
    return value;
}

sdd_wide sdd_evaluate_rest(const struct sdd_instruction *instruction,
                           const struct sdd_environment *env, int32_t *time_coefficient) {
    sdd_wide sum = 0;
    *time_coefficient = 0;
    for (unsigned i = 0; i < instruction->terms; i++) {
        const struct sdd_term *term = &instruction->term[i];
        if (term->variable == SDD_CURRENT_TIME)
            *time_coefficient = term->coefficient;
        else
            sum += (sdd_wide)term->coefficient * value_of(term, env);
    }
    return sum;
}

bool sdd_evaluate_comparison(enum sdd_comparison comparison, sdd_wide left, sdd_wide right) {
    switch (comparison) {
    case SDD_LT:
        return left < right;
    case SDD_GT:
        return left > right;
    case SDD_LE:
        return left <= right;
    case SDD_GE:
        return left >= right;
    case SDD_EQ:
        return left == right;
    default:
        return left != right;
    }
}

bool sdd_program_evaluate(const struct sdd_program *program, const struct sdd_environment *env) {
    uint64_t stack =
        0; /* a bit per value, the top of the stack lowest; at most SDD_MAX_LEAVES deep */
    struct sdd_instruction instruction;
    for (unsigned at = 0; (at = sdd_code_read(program, at, &instruction)) != 0;) {
        uint64_t top = stack & 1, rest = stack >> 1;
        if (instruction.opcode == SDD_OP_AND) {
            stack = (rest & ~UINT64_C(1)) | (rest & top);
        } else if (instruction.opcode == SDD_OP_OR) {
            stack = rest | top;
        } else if (instruction.opcode == SDD_OP_COMPARE) {
            int32_t time_coefficient;
            sdd_wide sum = sdd_evaluate_rest(&instruction, env, &time_coefficient);
            sum += (sdd_wide)time_coefficient * env->now_ns;
            stack = stack << 1 |
                    sdd_evaluate_comparison(instruction.comparison, sum, instruction.constant);
        } else {
            stack = stack << 1 | (instruction.opcode == SDD_OP_TRUE);
        }
    }
    return stack & 1;
}
