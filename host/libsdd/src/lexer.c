#include <string.h>

#include "parse.h"

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static char peek(const struct sdd_lexer *lexer) {
    if (lexer->position >= lexer->length)
        return '\0';
    return lexer->text[lexer->position];
}

static bool fail(struct sdd_lexer *lexer, const char *message) {
    *lexer->error = (struct sdd_parse_error){lexer->start, message};
    return false;
}

static bool append_digit(int64_t *number, char digit) {
    return !__builtin_mul_overflow(*number, 10, number) &&
           !__builtin_add_overflow(*number, digit - '0', number);
}

/* Returns the unit after a number as a power of ten of nanoseconds; -1 if there is none. */
static int unit_exponent(struct sdd_lexer *lexer) {
    static const struct {
        const char *name;
        int exponent;
    } units[] = {{"ns", 0}, {"us", 3}, {"ms", 6}, {"s", 9}};
    size_t end = lexer->position;
    while (end < lexer->length && (is_letter(lexer->text[end]) || is_digit(lexer->text[end])))
        end++;
    for (unsigned i = 0; i < sizeof units / sizeof *units; i++) {
        size_t length = strlen(units[i].name);
        if (length == end - lexer->position &&
            memcmp(lexer->text + lexer->position, units[i].name, length) == 0) {
            lexer->position = end;
            return units[i].exponent;
        }
    }
    return -1;
}

/* Reads digits [. digits] [unit]. A fraction must be a whole number of nanoseconds. */
static bool number(struct sdd_lexer *lexer) {
    static const char *const too_large = "the number is larger than 9223372036854775807";
    int fraction_digits = 0;
    lexer->token = SDD_TOKEN_NUMBER;
    lexer->number = 0;
    while (is_digit(peek(lexer)))
        if (!append_digit(&lexer->number, lexer->text[lexer->position++]))
            return fail(lexer, too_large);
    if (peek(lexer) == '.') {
        lexer->position++;
        if (!is_digit(peek(lexer)))
            return fail(lexer, "a digit must follow the decimal point");
        for (; is_digit(peek(lexer)); fraction_digits++)
            if (!append_digit(&lexer->number, lexer->text[lexer->position++]))
                return fail(lexer, too_large);
    }
    int exponent = unit_exponent(lexer);
    if (exponent < 0 && is_letter(peek(lexer)))
        return fail(lexer, "the unit of a number is ns, us, ms or s");
    if (fraction_digits > (exponent < 0 ? 0 : exponent))
        return fail(lexer, "a number is whole, or with a unit a whole number of nanoseconds");
    for (int i = fraction_digits; i < exponent; i++)
        if (!append_digit(&lexer->number, '0'))
            return fail(lexer, too_large);
    return true;
}

static bool name(struct sdd_lexer *lexer) {
    while (is_letter(peek(lexer)) || is_digit(peek(lexer)))
        lexer->position++;
    lexer->token = SDD_TOKEN_NAME;
    if (sdd_lexer_is(lexer, "AND"))
        lexer->token = SDD_TOKEN_AND;
    else if (sdd_lexer_is(lexer, "OR"))
        lexer->token = SDD_TOKEN_OR;
    else if (sdd_lexer_is(lexer, "TRUE"))
        lexer->token = SDD_TOKEN_TRUE;
    else if (sdd_lexer_is(lexer, "FALSE"))
        lexer->token = SDD_TOKEN_FALSE;
    return true;
}

static bool punctuation(struct sdd_lexer *lexer) {
    static const struct {
        const char *text;
        enum sdd_token token;
        enum sdd_comparison comparison;
    } tokens[] = {
        /* operators of two characters first: the first match is used */
        {"<=", SDD_TOKEN_COMPARISON, SDD_LE}, {">=", SDD_TOKEN_COMPARISON, SDD_GE},
        {"!=", SDD_TOKEN_COMPARISON, SDD_NE}, {"==", SDD_TOKEN_COMPARISON, SDD_EQ},
        {"&&", SDD_TOKEN_AND, SDD_EQ},        {"||", SDD_TOKEN_OR, SDD_EQ},
        {"<", SDD_TOKEN_COMPARISON, SDD_LT},  {">", SDD_TOKEN_COMPARISON, SDD_GT},
        {"=", SDD_TOKEN_COMPARISON, SDD_EQ},
    };
    for (unsigned i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        size_t length = strlen(tokens[i].text);
        if (length <= lexer->length - lexer->position &&
            memcmp(lexer->text + lexer->position, tokens[i].text, length) == 0) {
            lexer->token = tokens[i].token;
            lexer->comparison = tokens[i].comparison;
            lexer->position += length;
            return true;
        }
    }
    if (!memchr("+-*()[].", peek(lexer), 8))
        return fail(lexer, "no token of a condition begins with this character");
    lexer->token = SDD_TOKEN_SYMBOL;
    lexer->symbol = lexer->text[lexer->position++];
    return true;
}

bool sdd_lexer_next(struct sdd_lexer *lexer) {
    while (lexer->position < lexer->length && memchr(" \t\r\n", peek(lexer), 4))
        lexer->position++;
    lexer->start = lexer->position;
    if (lexer->position == lexer->length) {
        lexer->token = SDD_TOKEN_END;
        return true;
    }
    if (is_digit(peek(lexer)))
        return number(lexer);
    if (is_letter(peek(lexer)))
        return name(lexer);
    return punctuation(lexer);
}

bool sdd_lexer_is(const struct sdd_lexer *lexer, const char *name) {
    size_t length = strlen(name);
    return length == lexer->position - lexer->start &&
           memcmp(lexer->text + lexer->start, name, length) == 0;
}
