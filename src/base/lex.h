/* SPDX-License-Identifier: Apache-2.0
 * lex.h - the one lexer: operator signatures, function bodies, text models, test data.
 *
 * Tokens are identifiers, numbers, quoted strings and punctuation; blanks and "#" comments to the
 * end of the line separate them. "//" is no comment.
 *
 * A quoted string may hold any bytes, line ends too. A backslash before n, t, r is a control
 * character, before x and two hexadecimal digits that byte, before anything else nothing. */
#ifndef OC_BASE_LEX_H
#define OC_BASE_LEX_H

#include "base/arena.h"
#include "base/status.h"

typedef enum oc_token {
    OC_TOK_END,
    OC_TOK_NAME,   /* identifier: letters, digits (not first), '_', and any byte >= 0x80 */
    OC_TOK_INT,    /* decimal digits, with or without sign */
    OC_TOK_FLOAT,  /* as strtod reads it: has '.', an exponent or 0x, or is a signed inf or nan */
    OC_TOK_STRING, /* text holds the unescaped bytes */
    OC_TOK_PUNCT,  /* one character, except "=>", "::" and "..." */
    OC_TOK_BAD     /* text says what it is */
} oc_token;

typedef struct oc_lex {
    const char *start, *next, *end; /* the whole text, what is unread, its end */
    oc_arena *arena;                /* for strings with escapes */
    oc_token token;                 /* the current one, its bytes and place */
    const char *text;
    size_t size;
    const char *at;
    int line, column; /* of the current token, from 1; columns count bytes */
    const char *line_start;
} oc_lex;

/* Begins, with the first token current. A copy of an oc_lex is a place to come back to. */
oc_lex oc_lex_new(const char *text, size_t size, oc_arena *arena);
void oc_lex_next(oc_lex *l);

/* Is the current token this punctuation (or this identifier)? */
bool oc_lex_is(const oc_lex *l, const char *text);
/* If so, goes on to the next token. */
bool oc_lex_take(oc_lex *l, const char *text);
/* As take, but else an error: "line 3, column 7: found 'x', expected ')'". */
oc_status oc_lex_want(oc_lex *l, const char *text, oc_error *e);
/* The current identifier's bytes, going on; an error when it is none. what names it in the error.
 */
oc_status oc_lex_name(oc_lex *l, const char *what, const char **text, size_t *size, oc_error *e);
oc_status oc_lex_int(oc_lex *l, const char *what, int64_t *value, oc_error *e);
/* An integer is a float too; "inf", "infinity" and "nan", in any case, are. Digits that round to
 * infinity are an error. */
oc_status oc_lex_float(oc_lex *l, const char *what, double *value, oc_error *e);
oc_status oc_lex_f32(oc_lex *l, const char *what, float *value, oc_error *e); /* rounds once */
oc_status oc_lex_string(oc_lex *l, const char *what, const char **text, size_t *size, oc_error *e);
/* The current integer token as sign and magnitude; false when it is none or passes 64 bits. */
bool oc_lex_magnitude(const oc_lex *l, bool *negative, uint64_t *value);
/* The OC_FORMAT error "line, column: found '...', " followed by the formatted rest. */
oc_status oc_lex_fail(const oc_lex *l, oc_error *e, const char *format, ...) OC_PRINTF(3, 4);

/* Is it an identifier of ASCII letters, digits and '_' alone, which needs no quotes anywhere? */
bool oc_is_identifier(const char *bytes, size_t size);
/* Writes bytes as a quoted string that the lexer reads back to the same bytes. */
bool oc_quote(const oc_writer *out, const char *bytes, size_t size);

#endif
