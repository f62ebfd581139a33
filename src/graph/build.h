/* SPDX-License-Identifier: Apache-2.0
 * build.h - the only way to make a model: both loaders and the inliner call it. */
#ifndef OC_GRAPH_BUILD_H
#define OC_GRAPH_BUILD_H

#include "graph/graph.h"

/* An empty model that owns its memory. Freed by oc_model_free (graph/build.c defines it). */
oc_status oc_model_new(const oc_model_options *options, oc_model **model, oc_error *e);

/* Runs close(ctx, size) when the model is freed, newest first. */
oc_status oc_model_on_free(oc_model *m, void (*close)(void *ctx, size_t size), void *ctx,
                           size_t size, oc_error *e);

/* Interns text in the model; "" for NULL. On failure NULL (the arena remembers). */
oc_name oc_model_name(oc_model *m, const char *text);
oc_name oc_model_name_n(oc_model *m, const char *bytes, size_t size);

/* A tensor of zeros in the model's arena, aligned to OC_ALIGN, for the caller to fill. */
oc_status oc_model_tensor(oc_model *m, oc_type type, const oc_dims *dims, oc_value *v, oc_error *e);

/* Are the parts of the shapes they must have, the indices in range and ascending? */
oc_status oc_sparse_check(const oc_sparse *s, oc_error *e);

/* A sparse tensor as the dense tensor it stands for, in arena memory. Checked first. */
oc_status oc_sparse_densify(oc_arena *arena, const oc_sparse *s, oc_value *v, oc_error *e);

/* Appends one attribute and returns it for the caller to fill; NULL when memory runs out. Likewise
 * for nodes and the other lists: use OC_PUSH on the list's pointer and count. */

/* The attribute called name; NULL when the node has none. */
const oc_attr *oc_node_attr(const oc_node *n, const char *name);

#endif
