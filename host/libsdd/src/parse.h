/* Splits a condition's text into tokens. */
#ifndef SDD_PARSE_H
#define SDD_PARSE_H

#include "sdd/program.h"

enum sdd_token {
    SDD_TOKEN_END,
    SDD_TOKEN_NUMBER,
    SDD_TOKEN_NAME,
    SDD_TOKEN_COMPARISON,
    SDD_TOKEN_AND,
    SDD_TOKEN_OR,
    SDD_TOKEN_TRUE,
    SDD_TOKEN_FALSE,
    SDD_TOKEN_SYMBOL /* one of + - * ( ) [ ] . */
};

struct sdd_lexer {
    const char *text;
    size_t length;
    size_t position; /* after the current token */

    /* The current token. */
    enum sdd_token token;
    size_t start;
    int64_t number;
    enum sdd_comparison comparison;
    char symbol;
    struct sdd_parse_error *error;
};

/* Advances to the next token. If there is none, returns false and sets the error. */
bool sdd_lexer_next(struct sdd_lexer *lexer);

/* Whether the current token is this name. */
bool sdd_lexer_is(const struct sdd_lexer *lexer, const char *name);

#endif
