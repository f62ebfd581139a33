/* SPDX-License-Identifier: Apache-2.0
 * cases.h - what operators are checked on: cases, and the tables they are made of.
 *
 * An operator that has kernel and body brings a family of cases: most of them a row of
 * table.c, of which spec.c makes the cases; or a file of its own. */
#ifndef TOOLS_CHECK_CASES_H
#define TOOLS_CHECK_CASES_H

#include "values/compare.h"

/* Bounds; CHECK_ITEM: of the text of an input, with the type's name and a zero at the end. */
enum { CHECK_INPUTS = 8, CHECK_NAME = 400, CHECK_OPSETS = 16, CHECK_RANK = 6, CHECK_ITEM = 192 };

typedef struct check_case {
    char group[CHECK_NAME]; /* cases with the same group, which are adjacent, are one line */
    char name[CHECK_NAME];  /* no other case of the family has it */
    char *model;            /* ONNX text with one node */
    oc_value *in[CHECK_INPUTS];
    int n_in, n_out;
    compare_bound bound;
    bool refused; /* the operator does not allow it */
    int defect;   /* which of the family's defects the standard's text shows here; -1: none */
} check_case;

/* A place where the standard's own text is wrong, as functions/KNOWN.md has it. */
typedef struct check_defect {
    const char *text;
    bool fails; /* the body does not run; otherwise its output differs */
} check_defect;

/* Cases made of lists: for every version, every type with every set of attributes and every set of
 * inputs, in every manner of numbers (numbers.c) where the version is new and the attributes
 * are the first, else in one or two. A text that begins with "@21 " is for opset 21 and on, with
 * "@-20 " for opset 20 and before. */
typedef struct check_spec {
    const char *domain; /* NULL: ONNX's own */
    int opset;          /* the only one, of the domain; 0: all of check_versions */
    const char *types;  /* that T stands for, with blanks between; NULL: of check_versions */
    const char *attributes[20]; /* as they stand between < and > */
    /* Inputs with ";" between: "T[2,3]" of any numbers, "n T[2]" of plain ones, "+ T[3]" above
     * 0, "p T[4]" in [0, 1), "i5 int64[2]" in 0 .. 4, "= int64[2] {4, 5}" just these; nothing is a
     * missing input. Behind them " -> 2" asks for two outputs only. Before them "! " is for what
     * the operator does not allow, and "<axis = 2> " for attributes of their own; both are tried
     * once, not with every set of attributes. */
    const char *inputs[32];
    int n_out;
    bool mild; /* only plain and mild numbers: sums of products of others depend on their order */
    /* By how much kernel and body may part: units in the last place of a result, units in the last
     * place of 1 where the result is what is left of terms of that size, and least numbers of the
     * type where terms lose digits below those. */
    double slack, near, under;
    int stashed; /* from this opset on it is computed in stash_type, by default float; 0: in T */
} check_spec;

typedef struct check_family check_family;

typedef struct check_version {
    int opset;
    uint32_t types; /* as bits, that the first input may have */
    bool repeated;  /* kernel and body are those of the version before */
} check_version;

/* What the cases of a family are made from: ask for the first with all but these two NULL or 0. */
typedef struct check_maker {
    const check_family *family;
    uint64_t seed;
    int n_opsets; /* this and what follows is kept by check_spec_make */
    check_version version[CHECK_OPSETS];
    int at, type, before; /* where the last case was: version, type, cases before these */
} check_maker;

struct check_family {
    const char *op;
    /* Fills the i-th case; false past the last. The caller frees model and inputs. */
    bool (*make)(check_maker *maker, int i, check_case *out, oc_error *e);
    const check_defect *defects; /* ends with a row without text; NULL: the text has none */
    const check_spec *spec;      /* of check_spec_make, where the first defect is every case's */
};

bool check_spec_make(check_maker *maker, int i, check_case *out, oc_error *e);
bool check_affine_grid_make(check_maker *maker, int i, check_case *out, oc_error *e);
bool check_sequence_map_make(check_maker *maker, int i, check_case *out, oc_error *e);
extern const check_defect check_affine_grid_defects[];

/* table.c: sorted by operator, ends with a row without a name. */
extern const check_family check_families[];

/* versions.c: the opsets that the operator's bodies are to be checked with, in order: the
 * first of each version of operator and body from the first body on, and the newest of all. Returns
 * how many. */
int check_versions(const char *op, check_version version[CHECK_OPSETS]);

#endif
