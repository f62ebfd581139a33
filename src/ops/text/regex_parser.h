/* SPDX-License-Identifier: Apache-2.0
 * regex_parser.h - what is known while a pattern is read. */
#pragma once

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
static inline int32_t oc_regex_fail(oc_regex_parser *p, oc_status code, const char *error)
{
    if (!p->error) {
        p->error = error;
        p->error_at = p->at;
        p->code = code;
    }
    return 0;
}
