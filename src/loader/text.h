/* SPDX-License-Identifier: Apache-2.0
 * text.h - shared by the files of the text parser; the syntax is in docs/text-format.md.
 *
 * Everything read is copied to the arena. Each function begins at the current token and leaves the
 * token after what it read; with an error the state is of no more use. */
#ifndef OC_LOADER_TEXT_H
#define OC_LOADER_TEXT_H

#include "base/lex.h"
#include "graph/graph.h"

typedef struct oc_text {
    oc_lex lex;
    oc_arena *arena;
    oc_names *names;
    oc_model *m; /* NULL when a tensor stands alone */
    oc_error *e;
    oc_name none; /* the interned "" */
    int depth;    /* of graphs and types around this place, in all */
} oc_text;

/* Refuses text too long for line and column numbers. */
oc_status oc_text_new(oc_text *t, const char *text, size_t size, oc_arena *arena, oc_names *names,
                      oc_model *m, oc_error *e);

/* ---- text_type.c: names, strings, pairs, annotations, types, declared values ---- */

/* An identifier or a quoted name. what names it in an error. */
oc_status oc_text_name(oc_text *t, const char *what, oc_name *name);
/* A quoted string as C text. */
oc_status oc_text_string(oc_text *t, const char *what, const char **text);
/* Name parts joined by "." up to the last, which comes separately: a domain and a name. */
oc_status oc_text_qualified(oc_text *t, const char *what, oc_name *domain, oc_name *name);
/* ["key": "value", ...] */
oc_status oc_text_pairs(oc_text *t, oc_pairs *pairs);
/* A node, value, tensor, graph or attribute may carry { key: value, ... } in front. */
typedef enum oc_text_key {
    OC_TEXT_DOC = 1,
    OC_TEXT_METADATA = 2,
    OC_TEXT_DENOTATION = 4,
    OC_TEXT_QUANTIZATION = 8,
    OC_TEXT_OPSET = 16
} oc_text_key;

typedef struct oc_text_note {
    const char *doc;
    oc_name denotation;
    oc_pairs metadata;
    oc_quantization *quantization;
    int n_quantization;
    int64_t opset;
} oc_text_note;

/* allowed: which keys may stand here, as a mask. */
oc_status oc_text_note_read(oc_text *t, unsigned allowed, oc_text_note *note);

/* Does the current token begin a type, as ONNX's parser would say? */
bool oc_text_at_type(const oc_text *t);
/* The same where names stand too: "float x" begins with a type, "float," with a name. */
bool oc_text_at_typed_name(const oc_text *t);
oc_status oc_text_type(oc_text *t, oc_type_info *type);
oc_type_info oc_text_no_type(const oc_text *t); /* of a value whose type is not declared */

/* One deeper; an error past OC_MAX_NESTING. The caller counts down again. */
oc_status oc_text_enter(oc_text *t);

/* ---- text_tensor.c ---- */

/* The elements of a tensor of the declared type: { ... }, or [ ... ] for external data. */
oc_status oc_text_elements(oc_text *t, const oc_type_info *type, oc_value *v);
/* The rest of a sparse tensor, after its name and "=": values at indices. */
oc_status oc_text_sparse(oc_text *t, const oc_type_info *type, oc_sparse *s);

/* ---- text_attr.c ---- */

/* < attribute, ... > */
oc_status oc_text_attrs(oc_text *t, const oc_attr **attr, int *n);
/* An attribute whose name has been read, from ":" or "=" on. */
oc_status oc_text_attr_rest(oc_text *t, oc_attr *a);

/* ---- text_graph.c ---- */

/* A graph from its name on; note stood before it. */
oc_status oc_text_graph(oc_text *t, const oc_text_note *note, oc_graph *g);
/* The parts that graphs and functions share: < declared values, initializers > { nodes }. */
oc_status oc_text_body(oc_text *t, oc_graph *g);

#endif
