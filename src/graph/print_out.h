/* SPDX-License-Identifier: Apache-2.0
 * print_out.h - shared by the files of the printer: buffered output, and functions for small
 * pieces.
 *
 * When the writer fails, failed is set and the writer is not called again: lists end there, and
 * print.c returns the error. */
#ifndef OC_GRAPH_PRINT_OUT_H
#define OC_GRAPH_PRINT_OUT_H

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
/* Writes name as it is if it is an identifier, else quoted. */
void oc_put_id(oc_print *p, const char *name);
/* As oc_put_id, but also quotes a name that a reader could take for a type or a number. */
void oc_put_name(oc_print *p, const char *name);
/* Writes separator unless i, the index in the list, is 0. */
void oc_put_separator(oc_print *p, int i, const char *separator);
bool oc_print_flush(oc_print *p); /* false: some output was not written */

/* Writes ["key": "value", ...]. */
void oc_put_pairs(oc_print *p, const oc_pairs *pairs);
/* Writes a dotted name such as ai.onnx.ml: without quotes if all its parts are identifiers, else as
 * one quoted string. */
void oc_put_dotted(oc_print *p, const char *name);

/* An annotation. oc_put_note writes it as "{key: value, ...} ", or writes nothing if all its fields
 * are empty. */
typedef struct oc_print_note {
    const char *doc, *denotation; /* NULL or "": none */
    const oc_pairs *metadata;     /* NULL: none */
    const oc_quantization *quantization;
    int n_quantization;
    int64_t opset; /* 0: none */
} oc_print_note;
void oc_put_note(oc_print *p, const oc_print_note *note);

/* print_type.c */
void oc_put_type(oc_print *p, const oc_type_info *type);
/* Writes "type name", with the annotation before it. */
void oc_put_value_info(oc_print *p, const oc_value_info *v);
/* Writes a tensor, such as "float[2] name = {1, 2}", with the annotation before it. equals is what
 * stands between a name and the elements. */
void oc_put_constant(oc_print *p, const oc_constant *c, const char *equals);
/* The type, name and elements of a sparse tensor. */
void oc_put_sparse(oc_print *p, const oc_sparse *s);

/* print_attr.c */
void oc_put_attr(oc_print *p, const oc_attr *a);
/* Writes " <...>". */
void oc_put_attrs(oc_print *p, const oc_attr *attr, int n);

/* print.c */
void oc_put_graph(oc_print *p, const oc_graph *g);

#endif
