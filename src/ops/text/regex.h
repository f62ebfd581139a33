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
    bool outside, fold;  /* all characters but these; in either case */
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
