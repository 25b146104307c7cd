/* Prints byte code as text: postfix to infix, with the fewest parentheses that parse to the same
 * code. */
#include <assert.h>
#include <stdio.h>

#include "code.h"

static const char *const variable_names[] = {
    [SDD_PACKETS] = "packets",
    [SDD_BYTES] = "bytes",
    [SDD_FLOWS] = "flows",
    [SDD_LAST_XMIT_TIME] = "lastXmitTime",
    [SDD_LAST_RECV_TIME] = "lastRecvTime",
    [SDD_SENT_PACKETS] = "sentPackets",
    [SDD_SENT_BYTES] = "sentBytes",
    [SDD_RECEIVED_PACKETS] = "receivedPackets",
    [SDD_RECEIVED_BYTES] = "receivedBytes",
    [SDD_DROPPED_PACKETS] = "droppedPackets",
    [SDD_CURRENT_TIME] = "currTime",
};

struct node {
    struct sdd_instruction code;
    unsigned left, right; /* operands of AND and OR: indices of nodes */
};

struct printer {
    struct node nodes[2 * SDD_MAX_LEAVES - 1];
    char *text;
    size_t size;
    size_t length;
};

static void put(struct printer *printer, const char *text) {
    for (; *text; text++, printer->length++)
        if (printer->length + 1 < printer->size)
            printer->text[printer->length] = *text;
}

static void put_number(struct printer *printer, int64_t number) {
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", (long long)number);
    put(printer, digits);
}

static void print_comparison(struct printer *printer, const struct sdd_instruction *code) {
    static const char *const operators[] = {" < ", " > ", " <= ", " >= ", " = ", " != "};
    for (unsigned i = 0; i < code->terms; i++) {
        int64_t coefficient = code->term[i].coefficient;
        if (i > 0)
            put(printer, coefficient < 0 ? " - " : " + ");
        else if (coefficient < 0)
            put(printer, "-");
        if (coefficient != 1 && coefficient != -1) {
            put_number(printer, coefficient < 0 ? -coefficient : coefficient);
            put(printer, "*");
        }
        if (code->term[i].queue != SDD_OWN_QUEUE) {
            put(printer, "Q[");
            put_number(printer, code->term[i].queue);
            put(printer, "].");
        }
        put(printer, variable_names[code->term[i].variable]);
    }
    put(printer, operators[code->comparison]);
    put_number(printer, code->constant);
}

/* A right operand with the same operator needs parentheses too: operators associate to the left. */
/* NOLINTNEXTLINE(misc-no-recursion): parentheses nest SDD_MAX_NESTING deep at most */
static void print_node(struct printer *printer, const struct node *node, bool parentheses) {
    const struct sdd_instruction *code = &node->code;
    if (code->opcode == SDD_OP_COMPARE) {
        print_comparison(printer, code);
    } else if (code->opcode == SDD_OP_TRUE || code->opcode == SDD_OP_FALSE) {
        put(printer, code->opcode == SDD_OP_TRUE ? "TRUE" : "FALSE");
    } else {
        const struct node *left = &printer->nodes[node->left];
        const struct node *right = &printer->nodes[node->right];
        bool and = code->opcode == SDD_OP_AND;
        put(printer, parentheses ? "(" : "");
        print_node(printer, left, and&&left->code.opcode == SDD_OP_OR);
        put(printer, and? " AND " : " OR ");
        print_node(printer, right, and || right->code.opcode == SDD_OP_OR);
        put(printer, parentheses ? ")" : "");
    }
}

size_t sdd_program_print(const struct sdd_program *program, char *text, size_t size) {
    struct printer printer = {.text = text, .size = size};
    unsigned stack[SDD_MAX_LEAVES], depth = 0, count = 0;
    struct node *node = printer.nodes;
    for (unsigned at = 0; (at = sdd_code_read(program, at, &node->code)) != 0;) {
        if (node->code.opcode == SDD_OP_AND || node->code.opcode == SDD_OP_OR) {
            assert(depth >= 2); /* sdd_program_check accepted the program */
            node->right = stack[--depth];
            node->left = stack[--depth];
        }
        stack[depth++] = count++;
        node = &printer.nodes[count];
        if (count == sizeof printer.nodes / sizeof *printer.nodes)
            break;
    }
    assert(depth == 1);
    print_node(&printer, &printer.nodes[stack[0]], false);
    if (size > 0)
        text[printer.length < size ? printer.length : size - 1] = '\0';
    return printer.length;
}
