/* SPDX-License-Identifier: Apache-2.0
 * regex.h - does a whole text match a regular expression?
 *
 * The syntax is RE2's, without \p, \C and repetitions of flags as in (?i)*. A pattern becomes a
 * program of nodes; a text is matched by the set of nodes that its characters may have led to, so
 * that the time is at most proportional to the text times the program. The sets that occur are
 * remembered with what follows them (a deterministic automaton, made as it is needed), so that most
 * characters cost one look-up. */
#pragma once

#include "ops/kit/op.h"
#include "ops/text/unicode.h"

enum { OC_REGEX_RANGES = 1 << 15 };

typedef enum oc_regex_op {
    OC_REGEX_PASS,   /* goes on at `next` */
    OC_REGEX_FORK,   /* goes on at `next` and at `other` */
    OC_REGEX_CHAR,   /* a character of a class, then `next` */
    OC_REGEX_ASSERT, /* `next`, if what is around this place fits the assertion */
    OC_REGEX_MATCH
} oc_regex_op;

typedef enum oc_assertion {
    OC_AT_BEGIN,
    OC_AT_END,
    OC_AT_LINE_BEGIN,
    OC_AT_LINE_END,
    OC_AT_WORD_EDGE,
    OC_NOT_AT_WORD_EDGE
} oc_assertion;

typedef struct oc_regex_node {
    oc_regex_op op;
    int32_t next, other; /* nodes */
    int32_t first, n;    /* OC_REGEX_CHAR: the class's ranges */
    bool outside, fold;  /* outside: all characters but these; fold: upper and lower case alike */
    oc_assertion assertion;
} oc_regex_node;

typedef struct oc_char_range {
    int32_t first, last;
} oc_char_range;

typedef struct oc_regex {
    oc_regex_node *node;
    oc_char_range *range;
    int32_t n_nodes, n_ranges, begin;
} oc_regex;

/* Reads the pattern; memory is the call's. An error tells what is wrong at which byte. */
oc_status oc_regex_read(oc_call *c, oc_string pattern, oc_regex *r);

/* A matcher of many texts; memory is the call's. */
typedef struct oc_matcher oc_matcher;
oc_status oc_matcher_new(oc_call *c, const oc_regex *r, oc_matcher **m);
/* Does the pattern match all of the text? */
bool oc_matcher_run(oc_matcher *m, oc_string text);

/* ---- while a pattern is read ---- */

typedef struct oc_regex_parser {
    oc_regex *r;
    const char *at, *end;
    bool fold, lines, dot_all; /* the flags i, m, s */
    bool quoted;               /* the text is between \Q and \E */
    int depth;                 /* depth of nested groups */
    int64_t steps;             /* atoms read; repetitions read an atom again */
    const char *error;         /* the first; NULL: none */
    const char *error_at;
    oc_status code;
} oc_regex_parser;

/* Notes an error at this place unless there is one. Returns 0. */
static inline int32_t oc_regex_fail(oc_regex_parser *p, oc_status code, const char *error)
{
    if (!p->error) {
        p->error = error;
        p->error_at = p->at;
        p->code = code;
    }
    return 0;
}

/* Characters and classes: escapes, and what is in brackets (regex_class.c). */

/* Adds a range to the class that is being read. */
void oc_regex_add(oc_regex_parser *p, int32_t first, int32_t last);
/* Reads \d, \W and so on, and adds it to the class; false: it is none. */
bool oc_regex_class_escape(oc_regex_parser *p);
/* Reads one character, which is itself; or one that is perhaps escaped. The pattern must not be at
 * its end. */
int32_t oc_regex_itself(oc_regex_parser *p);
int32_t oc_regex_char(oc_regex_parser *p);
/* Reads a class from behind its opening bracket on. */
void oc_regex_brackets(oc_regex_parser *p, bool *outside);
