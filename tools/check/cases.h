/* SPDX-License-Identifier: Apache-2.0
 * cases.h - the cases on which kernel and function body of an operator are compared.
 *
 * An operator that has a kernel and a body has a family of cases. Its file functions/NAME.check
 * describes them (case_file.h) and spec.c makes them; or the file names a C function that does. */
#pragma once

#include "check/place.h"
#include "values/compare.h"

#include <limits.h>
#include <ocellus_op.h>

enum { CHECK_INPUTS = 8, CHECK_NAME = 400, CHECK_OPSETS = 16, CHECK_RANK = 6, CHECK_TYPES = 32 };

struct check_inputs;

/* What a case that comes from lists is made of. */
typedef struct check_form {
    int opset;              /* 0: a C function has made the case without lists */
    oc_type type;           /* the type that T stands for */
    const char *attributes; /* "" when there are none */
    const struct check_inputs *inputs;
    /* true: inputs of CHECK_GIVEN are ordinary inputs of the model, and the list of inputs
     * belongs to the case and is freed with it */
    bool open;
} check_form;

typedef struct check_case {
    char group[CHECK_NAME]; /* cases of one group are adjacent and share a line of the report */
    char name[CHECK_NAME];  /* unique in the family */
    char *model;            /* ONNX text with one node */
    oc_value *in[CHECK_INPUTS];
    int n_in, n_out;
    compare_bound bound;
    bool refused; /* true: the operator must refuse these inputs */
    /* index of the family's defect that the standard's text shows in this case; -1: none */
    int defect;
    check_form form;
} check_case;

/* Frees the members of *c. */
void check_case_free(check_case *c);

/* A place where the standard's own text is wrong; functions/KNOWN.md describes it. */
typedef struct check_defect {
    const char *text;
    bool fails; /* true: the body does not run; false: its output differs */
} check_defect;

/* ---- what a case file or the command line describes ---- */

/* The opsets that a line is for: from `since` on, up to the one before `before`. */
typedef struct check_scope {
    int since, before;
} check_scope;

bool check_scope_has(check_scope scope, int opset);

/* A set of attributes. */
typedef struct check_attributes {
    check_place place;
    check_scope scope;
    const char *text; /* as written between < and > in a model; "" when there are none */
} check_attributes;

/* Which numbers an input holds. */
typedef enum check_kind {
    CHECK_MISSING,  /* the input is not given */
    CHECK_ANY,      /* any, as the case's fill (numbers.h) makes them */
    CHECK_MODEST,   /* ordinary ones, as CHECK_PLAIN makes them, whatever the case's fill is */
    CHECK_POSITIVE, /* in [0.25, 4.25) */
    CHECK_UNIT,     /* in [0, 1) */
    CHECK_SIGNED,   /* in [-1, 1); only C functions use it */
    CHECK_BELOW,    /* whole numbers from 0, below a bound */
    CHECK_GIVEN     /* an initializer of the model, element by element */
} check_kind;

typedef struct check_input {
    check_kind kind;
    int below;    /* the bound of CHECK_BELOW */
    oc_type type; /* OC_UNDEFINED stands for T, a type that the operator's first input may have */
    int rank;
    int64_t dim[CHECK_RANK];
    const char *elements; /* for CHECK_GIVEN: "{4, 5}", this number of characters */
    int size;
} check_input;

/* A list of inputs. */
typedef struct check_inputs {
    check_place place;
    check_scope scope;
    bool refused; /* true: the operator must refuse them */
    /* attributes for this list only; NULL: it is tried with every set of the family */
    const char *own;
    const char *text; /* as written behind the attributes */
    check_input in[CHECK_INPUTS];
    int n, n_out; /* n_out is the number of outputs to ask for; 0: the family's number */
} check_inputs;

/* Cases made of lists: for every opset, every type with every set of attributes and every list of
 * inputs. Every fill (numbers.h) is tried where the opset has a new version of kernel or body and
 * the attributes are the first; else one. Refused inputs and those with attributes of their own are
 * tried once, not with every set of attributes. Texts are borrowed from the parsed text. */
typedef struct check_spec {
    const char *domain; /* NULL: ONNX's own domain */
    int opset;          /* the only opset; 0: all of check_versions */
    /* The types that T stands for. n_types 0: those that check_versions finds. */
    oc_type types[CHECK_TYPES];
    int n_types;
    check_attributes *attributes;
    check_inputs *inputs;
    int n_attributes, n_inputs, n_out;
    bool mild; /* true: numbers are only CHECK_PLAIN and CHECK_MILD */
    /* How far apart kernel and body may be: units in the last place of a result, plus units in the
     * last place of 1, plus least numbers above 0 of the type. */
    double ulp, ulp_of_1, least;
    int stash_since; /* from this opset on the operator computes in stash_type; 0: always in T */
    check_defect defect[2]; /* at most one, which every case may show */
} check_spec;

void check_spec_add_attributes(check_spec *spec, const check_attributes *one);
void check_spec_add_inputs(check_spec *spec, const check_inputs *one);
/* Frees the lists. */
void check_spec_free(check_spec *spec);

/* ---- making cases ---- */

typedef struct check_family check_family;

typedef struct check_version {
    int opset;
    oc_type_mask types; /* types that the first input may have */
    bool repeated;      /* true: kernel and body are those of the opset before */
} check_version;

/* What the cases of a family are made from. The caller sets the first two members; the others begin
 * as 0 and belong to check_spec_make. */
typedef struct check_maker {
    const check_family *family;
    uint64_t seed;
    int n_opsets;
    check_version version[CHECK_OPSETS];
    check_inputs own; /* inputs of the last case, when a C function made it as lists do */
    /* indices of the version and type of the last case, and the number of cases before these */
    int at, type, before;
} check_maker;

struct check_family {
    const char *op; /* name without its domain */
    /* Makes the i-th case. Returns false past the last. The caller frees model and inputs. */
    bool (*make)(check_maker *maker, int i, check_case *out, oc_error *e);
    /* true: the kernel has no body to be compared with, and a search tries the kernel alone */
    bool no_body;
    /* ends with a row without text; NULL: the standard's text has no defect */
    const check_defect *defects;
    check_spec spec; /* read by check_spec_make only */
};

bool check_spec_make(check_maker *maker, int i, check_case *out, oc_error *e);
bool check_affine_grid_make(check_maker *maker, int i, check_case *out, oc_error *e);
bool check_sequence_map_make(check_maker *maker, int i, check_case *out, oc_error *e);
extern const check_defect check_affine_grid_defects[];

/* versions.c: the opsets in which an operator of ONNX's own domain is checked, in order: the first
 * of each version of kernel and body from the first body on, and the newest of all. Returns their
 * number. */
int check_versions(const char *op, check_version version[CHECK_OPSETS]);
/* As check_versions, for a family: only the opset that its spec names, if it names one. */
int check_family_versions(const check_family *family, check_version version[CHECK_OPSETS]);
