/* SPDX-License-Identifier: Apache-2.0
 * lex.h - the one lexer, for operator signatures, function bodies, text models and test data.
 *
 * Tokens are identifiers, numbers, quoted strings and punctuation. White space and comments
 * separate them; a comment is "#" and the rest of its line. "//" does not begin a comment.
 *
 * A quoted string may hold any bytes, also line ends. Escape sequences: \n, \t and \r are control
 * characters, \x and two hexadecimal digits are that byte, and a backslash before any other byte
 * means that byte. */
#pragma once

#include "base/arena.h"

typedef enum oc_token {
    OC_TOK_END,
    OC_TOK_NAME,   /* identifier: letters, digits (not first), '_', and any byte >= 0x80 */
    OC_TOK_INT,    /* decimal digits, with or without sign */
    OC_TOK_FLOAT,  /* as strtod reads it: has '.', an exponent or 0x, or is a signed inf or nan */
    OC_TOK_STRING, /* a quoted string; text holds the unescaped bytes */
    OC_TOK_PUNCT,  /* one character, or one of "=>", "::" and "..." */
    OC_TOK_BAD     /* not a token; text describes the fault */
} oc_token;

typedef struct oc_lex {
    const char *start, *next, *end; /* begin of the whole text, begin of its unread part, end */
    oc_arena *arena;                /* owns decoded strings */
    /* The current token. text and size are its bytes, at is where it starts. */
    oc_token token;
    const char *text;
    size_t size;
    const char *at;
    int line, column; /* where the current token starts, from 1; columns count bytes */
    const char *line_start;
} oc_lex;

/* Returns a lexer over text, which must outlive it; the first token is current. A caller that
 * may want to return to a position copies the struct and restores the copy. */
oc_lex oc_lex_new(const char *text, size_t size, oc_arena *arena);
void oc_lex_next(oc_lex *l);

/* Is the current token the identifier or punctuation text? */
bool oc_lex_is(const oc_lex *l, const char *text);
/* As oc_lex_is; when it is, also moves to the next token. */
bool oc_lex_take(oc_lex *l, const char *text);
/* As oc_lex_take, but an error when the current token is another one: "line 3, column 7: found 'x',
 * expected ')'". */
oc_status oc_lex_want(oc_lex *l, const char *text, oc_error *e);
/* Each of the next functions stores the value of the current token if the token is of the kind
 * in the function's name, and moves to the next token. Otherwise it returns an error; `what`
 * says in the message which value was expected. */
oc_status oc_lex_name(oc_lex *l, const char *what, const char **text, size_t *size, oc_error *e);
oc_status oc_lex_int(oc_lex *l, const char *what, int64_t *value, oc_error *e);
/* Accepts integers too, and "inf", "infinity" and "nan" in upper or lower case. A number whose
 * digits round to infinity is an error. */
oc_status oc_lex_float(oc_lex *l, const char *what, double *value, oc_error *e);
oc_status oc_lex_f32(oc_lex *l, const char *what, float *value, oc_error *e); /* rounds once */
oc_status oc_lex_string(oc_lex *l, const char *what, const char **text, size_t *size, oc_error *e);
/* Reads the sign and the magnitude of the current integer token, which stays current. Returns
 * false when the token is not an integer or its magnitude needs more than 64 bits. */
bool oc_lex_magnitude(const oc_lex *l, bool *negative, uint64_t *value);
/* Returns OC_FORMAT after setting the message "line L, column C: found '...', " followed by the
 * formatted text. L and C are those of the current token. */
oc_status oc_lex_fail(const oc_lex *l, oc_error *e, const char *format, ...) OC_PRINTF(3, 4);
