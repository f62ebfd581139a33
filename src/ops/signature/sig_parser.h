/* SPDX-License-Identifier: Apache-2.0
 * sig_parser.h - the inside of the parser of signatures, for its files and op_options.c. */
#pragma once

#include "base/lex.h"
#include "ops/signature/sig.h"

typedef struct oc_sig_parser {
    oc_lex lex;
    oc_arena *arena;
    oc_error *e;
    oc_sig *sig;
} oc_sig_parser;

/* sig_parse.c: reads an identifier and copies it to the arena. what names it in an error. */
oc_status oc_sig_name(oc_sig_parser *p, const char *what, const char **name);

/* Returns the bits of the set or type of this name; 0: there is none (sig_sets.c). */
oc_type_mask oc_sig_find_set(const char *text, size_t size);

/* sig_attrs.c: parses one attribute between "<" and ">". */
oc_status oc_sig_parse_attr(oc_sig_parser *p);
/* Finds the ports and type variables that attributes name. Called after all of them are parsed. */
oc_status oc_sig_link_attrs(oc_sig_parser *p);

/* sig_changes.c: parses what follows the word "change". */
oc_status oc_sig_parse_change(oc_sig_parser *p);
