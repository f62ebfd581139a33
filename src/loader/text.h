/* SPDX-License-Identifier: Apache-2.0
 * text.h - declares the parts of the text parser; docs/text-format.md describes the syntax.
 *
 * Everything that is read is copied to the arena. Each function begins at the current token and
 * moves past what it reads, to the next token. After an error the state must not be used any
 * more. */
#pragma once

#include "base/lex.h"
#include "graph/graph.h"

typedef struct oc_text {
    oc_lex lex;
    oc_arena *arena;
    oc_names *names;
    oc_model *m; /* NULL: the text is a tensor outside of a model */
    oc_error *e;
    oc_name none;  /* the name "" */
    int depth;     /* number of graphs and types around the current place */
    bool may_lack; /* true: external data that cannot be read leave the tensor without elements */
} oc_text;

/* Begins to read text. Refuses a text that is too long for line and column numbers. */
oc_status oc_text_new(oc_text *t, const char *text, size_t size, oc_arena *arena, oc_names *names,
                      oc_model *m, oc_error *e);

/* ---- text_type.c: names, strings, pairs, annotations, types, declared values ---- */

/* Reads an identifier or a quoted name. what describes the expected name in an error. */
oc_status oc_text_name(oc_text *t, const char *what, oc_name *name);
/* Reads a quoted string as C text. */
oc_status oc_text_string(oc_text *t, const char *what, const char **text);
/* Reads names joined by ".": the last one is *name, those before it are *domain. */
oc_status oc_text_qualified(oc_text *t, const char *what, oc_name *domain, oc_name *name);
/* Reads ["key": "value", ...]. */
oc_status oc_text_pairs(oc_text *t, oc_pairs *pairs);
/* Reads the quoted bytes of pairs->rest. */
oc_status oc_text_rest(oc_text *t, oc_pairs *pairs);
/* The keys of an annotation { key: value, ... }, which may precede a node, value, tensor, graph or
 * attribute. */
typedef enum oc_text_key {
    OC_TEXT_DOC = 1,
    OC_TEXT_METADATA = 2,
    OC_TEXT_DENOTATION = 4,
    OC_TEXT_QUANTIZATION = 8,
    OC_TEXT_OPSET = 16,
    OC_TEXT_FIELDS = 32
} oc_text_key;
enum { OC_TEXT_OF_MESSAGE = OC_TEXT_DOC | OC_TEXT_METADATA | OC_TEXT_FIELDS };

typedef struct oc_text_note {
    const char *doc;
    oc_name denotation;
    oc_pairs metadata;
    oc_quantization *quantization;
    int n_quantization;
    int64_t opset;
} oc_text_note;

/* Reads an annotation if there is one. allowed is the mask of the keys that are allowed here. */
oc_status oc_text_note_read(oc_text *t, unsigned allowed, oc_text_note *note);

/* Does the current token begin a type, by the rules of ONNX's parser? */
bool oc_text_at_type(const oc_text *t);
/* As oc_text_at_type, where a name may come instead: "float x" begins with a type, "float," with a
 * name. */
bool oc_text_at_typed_name(const oc_text *t);
oc_status oc_text_type(oc_text *t, oc_type_info *type);
oc_type_info oc_text_no_type(const oc_text *t); /* returns the type of an undeclared value */

/* Adds 1 to depth; an error when it exceeds OC_MAX_NESTING. The caller subtracts 1 afterwards. */
oc_status oc_text_enter(oc_text *t);

/* ---- text_tensor.c ---- */

/* Reads the elements of a tensor of the declared type: { ... }, or [ ... ] for external data. */
oc_status oc_text_elements(oc_text *t, const oc_type_info *type, oc_value *v);
/* Reads a sparse tensor from behind its name and "=": values at indices. */
oc_status oc_text_sparse(oc_text *t, const oc_type_info *type, oc_sparse *s);

/* ---- text_attr.c ---- */

/* Reads < attribute, ... >. */
oc_status oc_text_attrs(oc_text *t, const oc_attr **attr, int *n);
/* Reads an attribute from behind its name: from ":" or "=" on. */
oc_status oc_text_attr_rest(oc_text *t, oc_attr *a);

/* ---- text_graph.c ---- */

/* Reads a graph, from its name on. note is the annotation before it. */
oc_status oc_text_graph(oc_text *t, const oc_text_note *note, oc_graph *g);
/* Reads what graphs and functions share: < declared values, initializers > { nodes }. */
oc_status oc_text_body(oc_text *t, oc_graph *g);
