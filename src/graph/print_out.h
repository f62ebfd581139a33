/* SPDX-License-Identifier: Apache-2.0
 * print_out.h - buffered output and functions for small pieces, shared by the printer's files.
 *
 * When the writer fails, `failed` is set and the writer is not called again. Lists end early
 * then, and print.c returns the error. */
#pragma once

#include "graph/graph.h"

#include <ocellus_model.h>

typedef struct oc_print {
    const oc_writer *out;
    int indent; /* levels of indentation of the next line */
    bool failed;
    size_t n;
    char buffer[4096];
} oc_print;

void oc_put_bytes(oc_print *p, const void *bytes, size_t size);
void oc_put(oc_print *p, const char *text);
void oc_put_int(oc_print *p, int64_t n);
void oc_put_line(oc_print *p); /* ends the line and indents the next */
void oc_put_quoted(oc_print *p, const char *text);
void oc_put_quoted_bytes(oc_print *p, const char *bytes, size_t size);
/* Writes name without quotes if it is an identifier, else quoted. */
void oc_put_id(oc_print *p, const char *name);
/* As oc_put_id, but also quotes a name that a reader may take for a type or a number. */
void oc_put_name(oc_print *p, const char *name);
/* Writes separator unless i, the index in the list, is 0. */
void oc_put_separator(oc_print *p, int i, const char *separator);
bool oc_print_flush(oc_print *p); /* returns false when some output was not written */

/* Writes ["key": "value", ...]. */
void oc_put_pairs(oc_print *p, const oc_pairs *pairs);
/* Writes a dotted name such as ai.onnx.ml: without quotes if all its parts are identifiers, else as
 * one quoted string. */
void oc_put_dotted(oc_print *p, const char *name);

/* What an annotation says. oc_put_note writes "{key: value, ...} ", or nothing if all fields are
 * empty. */
typedef struct oc_print_note {
    const char *doc, *denotation; /* NULL or "": the annotation has none */
    const oc_pairs *metadata;     /* NULL: the annotation has none */
    const oc_quantization *quantization;
    int n_quantization;
    int64_t opset; /* 0: the annotation has none */
} oc_print_note;
void oc_put_note(oc_print *p, const oc_print_note *note);

/* defined in print_type.c */
void oc_put_type(oc_print *p, const oc_type_info *type);
/* Writes "type name", with the annotation before it. */
void oc_put_value_info(oc_print *p, const oc_value_info *v);
/* Writes a tensor, such as "float[2] name = {1, 2}", with the annotation before it. equals
 * stands between the name and the elements. */
void oc_put_constant(oc_print *p, const oc_constant *c, const char *equals);
/* Writes the type, name and elements of a sparse tensor. */
void oc_put_sparse(oc_print *p, const oc_sparse *s);

/* defined in print_attr.c */
void oc_put_attr(oc_print *p, const oc_attr *a);
/* Writes " <...>". */
void oc_put_attrs(oc_print *p, const oc_attr *attr, int n);

/* defined in print.c */
void oc_put_graph(oc_print *p, const oc_graph *g);
