/* SPDX-License-Identifier: Apache-2.0
 * regex_parser.h - what regex_read.c and regex_class.c share. */
#ifndef OC_OPS_TEXT_REGEX_PARSER_H
#define OC_OPS_TEXT_REGEX_PARSER_H

#include "ops/text/regex.h"
#include "ops/text/unicode.h"

typedef struct oc_regex_parser {
    oc_regex *r;
    const char *at, *end;
    bool fold, lines, dot_all; /* the flags i, m, s */
    bool quoted;               /* between \Q and \E */
    int depth;                 /* of groups */
    int64_t steps;             /* atoms read; repetitions read an atom again */
    const char *error;         /* the first; NULL: none */
    const char *error_at;
    oc_status code;
} oc_regex_parser;

/* Notes an error at this place unless there is one. Returns 0. */
int32_t oc_regex_fail(oc_regex_parser *p, oc_status code, const char *error);

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

#endif
