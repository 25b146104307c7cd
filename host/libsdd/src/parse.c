/*
 * A recursive-descent parser for the grammar of section 5.3.4 that emits byte code.
 *
 * A parenthesis may enclose a condition or a sum, and only its content determines which. Every
 * level therefore returns a value with its kind: a condition, whose code is already emitted, or a
 * sum, which is emitted when a comparison completes it. One token of look-ahead suffices, without
 * backtracking. A comparison is always emitted in the same form: all variables on the left, in
 * order, each once, the first with a positive coefficient, and the constant on the right.
 */
#include "parse.h"

#include <string.h>

#include "code.h"

struct value {
    bool is_condition;
    size_t start; /* position in the text, for errors */
    int64_t constant;
    unsigned terms;
    struct {
        int64_t coefficient;
        uint8_t variable;
        uint16_t queue;
    } term[SDD_MAX_TERMS];
};

struct parser {
    struct sdd_lexer lexer;
    struct sdd_program program;
    unsigned nesting;
    unsigned leaves;
};

static bool fail_at(struct parser *parser, size_t position, const char *message) {
    *parser->lexer.error = (struct sdd_parse_error){position, message};
    return false;
}

static bool fail(struct parser *parser, const char *message) {
    return fail_at(parser, parser->lexer.start, message);
}

static bool at_symbol(const struct parser *parser, char symbol) {
    return parser->lexer.token == SDD_TOKEN_SYMBOL && parser->lexer.symbol == symbol;
}

static bool expect(struct parser *parser, char symbol, const char *message) {
    return at_symbol(parser, symbol) ? sdd_lexer_next(&parser->lexer) : fail(parser, message);
}

static bool need_sum(struct parser *parser, const struct value *value) {
    return !value->is_condition || fail_at(parser, value->start, "a sum must stand here");
}

static bool need_condition(struct parser *parser, const struct value *value) {
    return value->is_condition ||
           fail_at(parser, value->start, "a comparison, TRUE or FALSE must stand here");
}

static bool write(struct parser *parser, size_t position, const struct sdd_instruction *code) {
    bool leaf = code->opcode != SDD_OP_AND && code->opcode != SDD_OP_OR;
    if ((leaf && ++parser->leaves > SDD_MAX_LEAVES) || !sdd_code_append(&parser->program, code))
        return fail_at(parser, position, "the condition is too long from here");
    return true;
}

/* sum += factor * other */
static bool add_to(struct parser *parser, size_t position, struct value *sum, int64_t factor,
                   const struct value *other) {
    static const char *const overflow = "a number in this sum does not fit 64 bits";
    int64_t product;
    if (__builtin_mul_overflow(factor, other->constant, &product) ||
        __builtin_add_overflow(sum->constant, product, &sum->constant))
        return fail_at(parser, position, overflow);
    for (unsigned i = 0; i < other->terms; i++) {
        unsigned j = 0;
        while (j < sum->terms && (sum->term[j].variable != other->term[i].variable ||
                                  sum->term[j].queue != other->term[i].queue))
            j++;
        if (j == SDD_MAX_TERMS)
            return fail_at(parser, position, "a comparison has at most 8 variables");
        if (j == sum->terms) {
            sum->term[sum->terms++] = other->term[i];
            sum->term[j].coefficient = 0;
        }
        if (__builtin_mul_overflow(factor, other->term[i].coefficient, &product) ||
            __builtin_add_overflow(sum->term[j].coefficient, product, &sum->term[j].coefficient))
            return fail_at(parser, position, overflow);
    }
    return true;
}

/* Emits "difference OP 0" in its canonical form. */
static bool write_comparison(struct parser *parser, size_t position, struct value *difference,
                             enum sdd_comparison comparison) {
    static const enum sdd_comparison mirrored[] = {SDD_GT, SDD_LT, SDD_GE, SDD_LE, SDD_EQ, SDD_NE};
    struct sdd_instruction code = {.opcode = SDD_OP_COMPARE, .comparison = (uint8_t)comparison};
    if (__builtin_sub_overflow(0, difference->constant, &code.constant))
        return fail_at(parser, position, "the constant of this comparison does not fit 64 bits");
    for (unsigned i = 0; i < difference->terms; i++) {
        struct sdd_term term = {.variable = difference->term[i].variable,
                                .queue = difference->term[i].queue};
        int64_t coefficient = difference->term[i].coefficient;
        if (coefficient == 0)
            continue;
        if (coefficient > INT32_MAX || coefficient < -INT32_MAX)
            return fail_at(parser, position, "a coefficient is larger than 2147483647");
        term.coefficient = (int32_t)coefficient;
        unsigned j = code.terms++;
        for (; j > 0 && sdd_term_rank(&code.term[j - 1]) > sdd_term_rank(&term); j--)
            code.term[j] = code.term[j - 1];
        code.term[j] = term;
    }
    if (code.terms == 0) {
        static const bool zero_is[][3] = {
            /* result of comparing zero with a constant that is less, equal, greater */
            [SDD_LT] = {false, false, true}, [SDD_GT] = {true, false, false},
            [SDD_LE] = {false, true, true},  [SDD_GE] = {true, true, false},
            [SDD_EQ] = {false, true, false}, [SDD_NE] = {true, false, true}};
        int order = (code.constant > 0) - (code.constant < 0) + 1;
        code.opcode = zero_is[comparison][order] ? SDD_OP_TRUE : SDD_OP_FALSE;
    } else if (code.term[0].coefficient < 0) {
        code.constant = -code.constant;
        for (unsigned i = 0; i < code.terms; i++)
            code.term[i].coefficient = -code.term[i].coefficient;
        code.comparison = (uint8_t)mirrored[comparison];
    }
    return write(parser, position, &code);
}

static bool disjunction(struct parser *parser, struct value *value);

/* Parses a statistic's name; section 5.4 writes "lastXmit" and "lastRecv" for two of them. */
static bool statistic(struct parser *parser, struct value *value, uint16_t queue) {
    static const struct {
        const char *name;
        enum sdd_variable variable;
    } names[] = {
        {"packets", SDD_PACKETS},
        {"bytes", SDD_BYTES},
        {"flows", SDD_FLOWS},
        {"lastXmitTime", SDD_LAST_XMIT_TIME},
        {"lastRecvTime", SDD_LAST_RECV_TIME},
        {"sentPackets", SDD_SENT_PACKETS},
        {"sentBytes", SDD_SENT_BYTES},
        {"receivedPackets", SDD_RECEIVED_PACKETS},
        {"receivedBytes", SDD_RECEIVED_BYTES},
        {"droppedPackets", SDD_DROPPED_PACKETS},
        {"currTime", SDD_CURRENT_TIME},
        {"lastXmit", SDD_LAST_XMIT_TIME},
        {"lastRecv", SDD_LAST_RECV_TIME},
    };
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (!sdd_lexer_is(&parser->lexer, names[i].name))
            continue;
        if (names[i].variable == SDD_CURRENT_TIME && queue != SDD_OWN_QUEUE)
            return fail(parser, "currTime belongs to no queue");
        value->terms = 1;
        value->term[0].coefficient = 1;
        value->term[0].variable = (uint8_t)names[i].variable;
        value->term[0].queue = queue;
        if (!sdd_lexer_next(&parser->lexer))
            return false;
        if (names[i].variable != SDD_CURRENT_TIME || !at_symbol(parser, '('))
            return true;
        return sdd_lexer_next(&parser->lexer) &&
               expect(parser, ')', "\")\" must follow \"currTime(\"");
    }
    return fail(parser, "no variable has this name");
}

/* [ "Q[" number "]." ] [ "stats." ] statistic */
static bool variable(struct parser *parser, struct value *value) {
    struct sdd_lexer *lexer = &parser->lexer;
    uint16_t queue = SDD_OWN_QUEUE;
    bool qualified = sdd_lexer_is(lexer, "Q");
    if (qualified) {
        if (!sdd_lexer_next(lexer) || !expect(parser, '[', "\"[\" must follow \"Q\""))
            return false;
        if (lexer->token != SDD_TOKEN_NUMBER || lexer->number >= SDD_OWN_QUEUE)
            return fail(parser, "a queue's number, 0 to 65534, must stand here");
        queue = (uint16_t)lexer->number;
        if (!sdd_lexer_next(lexer) ||
            !expect(parser, ']', "\"]\" must follow the queue's number") ||
            !expect(parser, '.', "\".\" must follow \"]\""))
            return false;
    }
    if (sdd_lexer_is(lexer, "stats"))
        if (!sdd_lexer_next(lexer) || !expect(parser, '.', "\".\" must follow \"stats\""))
            return false;
    return statistic(parser, value, queue);
}

static bool primary(struct parser *parser, struct value *value) {
    struct sdd_lexer *lexer = &parser->lexer;
    struct sdd_instruction truth = {0};
    const size_t start = lexer->start;
    *value = (struct value){.start = start};
    switch (lexer->token) {
    case SDD_TOKEN_NUMBER:
        value->constant = lexer->number;
        return sdd_lexer_next(lexer);
    case SDD_TOKEN_NAME:
        return variable(parser, value);
    case SDD_TOKEN_FALSE:
    case SDD_TOKEN_TRUE:
        truth.opcode = lexer->token == SDD_TOKEN_TRUE ? SDD_OP_TRUE : SDD_OP_FALSE;
        value->is_condition = true;
        return write(parser, lexer->start, &truth) && sdd_lexer_next(lexer);
    default:
        break;
    }
    if (!at_symbol(parser, '('))
        return fail(parser, "a number, a variable, TRUE, FALSE or \"(\" must stand here");
    if (parser->nesting == SDD_MAX_NESTING)
        return fail(parser, "parentheses nest more than 32 deep");
    parser->nesting++;
    if (!sdd_lexer_next(lexer) || !disjunction(parser, value))
        return false;
    value->start = start;
    parser->nesting--;
    return expect(parser, ')', "\")\" or an operator must stand here");
}

static bool product(struct parser *parser, struct value *value) {
    if (!primary(parser, value))
        return false;
    while (at_symbol(parser, '*')) {
        size_t position = parser->lexer.start;
        struct value right, result = {.start = value->start};
        if (!need_sum(parser, value) || !sdd_lexer_next(&parser->lexer) ||
            !primary(parser, &right) || !need_sum(parser, &right))
            return false;
        if (value->terms > 0 && right.terms > 0)
            return fail_at(parser, position, "one side of \"*\" must be a number");
        if (right.terms > 0 ? !add_to(parser, position, &result, value->constant, &right)
                            : !add_to(parser, position, &result, right.constant, value))
            return false;
        *value = result;
    }
    return true;
}

static bool sum(struct parser *parser, struct value *value) {
    bool sign = at_symbol(parser, '+') || at_symbol(parser, '-');
    if (!sign && !product(parser, value))
        return false;
    if (sign)
        *value = (struct value){.start = parser->lexer.start};
    while (at_symbol(parser, '+') || at_symbol(parser, '-')) {
        int64_t factor = at_symbol(parser, '+') ? 1 : -1;
        size_t position = parser->lexer.start;
        struct value right;
        if (!need_sum(parser, value) || !sdd_lexer_next(&parser->lexer) ||
            !product(parser, &right) || !need_sum(parser, &right) ||
            !add_to(parser, position, value, factor, &right))
            return false;
    }
    return true;
}

static bool comparison(struct parser *parser, struct value *value) {
    if (!sum(parser, value))
        return false;
    while (parser->lexer.token == SDD_TOKEN_COMPARISON) {
        enum sdd_comparison relation = parser->lexer.comparison;
        size_t position = parser->lexer.start;
        struct value right;
        if (!need_sum(parser, value) || !sdd_lexer_next(&parser->lexer) || !sum(parser, &right) ||
            !need_sum(parser, &right) || !add_to(parser, position, value, -1, &right) ||
            !write_comparison(parser, position, value, relation))
            return false;
        value->is_condition = true;
    }
    return true;
}

static bool chain(struct parser *parser, struct value *value, enum sdd_token token, uint8_t opcode,
                  bool (*operand)(struct parser *, struct value *)) {
    struct sdd_instruction code = {.opcode = opcode};
    if (!operand(parser, value))
        return false;
    while (parser->lexer.token == token) {
        size_t position = parser->lexer.start;
        struct value right;
        if (!need_condition(parser, value) || !sdd_lexer_next(&parser->lexer) ||
            !operand(parser, &right) || !need_condition(parser, &right) ||
            !write(parser, position, &code))
            return false;
    }
    return true;
}

static bool conjunction(struct parser *parser, struct value *value) {
    return chain(parser, value, SDD_TOKEN_AND, SDD_OP_AND, comparison);
}

static bool disjunction(struct parser *parser, struct value *value) {
    return chain(parser, value, SDD_TOKEN_OR, SDD_OP_OR, conjunction);
}

bool sdd_program_parse(const char *text, size_t length, struct sdd_program *program,
                       struct sdd_parse_error *error) {
    struct parser parser = {.lexer = {.text = text, .length = length, .error = error}};
    struct value value;
    if (!sdd_lexer_next(&parser.lexer) || !disjunction(&parser, &value) ||
        !need_condition(&parser, &value))
        return false;
    if (parser.lexer.token != SDD_TOKEN_END)
        return fail(&parser, "an operator or the end must stand here");
    *program = parser.program;
    return true;
}
