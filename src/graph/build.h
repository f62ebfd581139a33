/* SPDX-License-Identifier: Apache-2.0
 * build.h - the only way to make and fill models; both loaders and the inliner use it. */
#pragma once

#include "graph/graph.h"

/* Makes an empty model, which owns its memory, and begins its watch. The caller frees it with
 * oc_model_free, which graph/build.c defines. */
oc_status oc_model_new(const oc_model_options *options, oc_model **model, oc_error *e);
/* As oc_model_new, with the hook, the budget and the watch of a memory, and with default
 * options. */
oc_status oc_model_new_beside(const oc_memory *memory, oc_model **model, oc_error *e);
/* Gives m the options, versions, producer, domain, description and metadata of another model, whose
 * texts it borrows. */
void oc_model_describe_as(oc_model *m, const oc_model *other);
/* A model lives until the host has freed it and all its holders have dropped it. Holders are
 * sessions, models that borrow from it, and calls that call the host back. Any thread may hold
 * and drop. */
const oc_model *oc_model_hold(const oc_model *model); /* returns model */
void oc_model_drop(const oc_model *model);
/* Ends the watch of the call that made the model. model may be NULL. */
void oc_model_end_watch(oc_model *model);

/* Makes oc_model_free call close(ctx, size). It calls the functions in reverse order of
 * registration. */
oc_status oc_model_on_free(oc_model *m, void (*close)(void *ctx, size_t size), void *ctx,
                           size_t size, oc_error *e);

/* Makes oc_model_free free another model too, which m borrows from. */
oc_status oc_model_own(oc_model *m, oc_model *other, oc_error *e);

/* Makes oc_model_leave call leave(bytes, n) for parts of these bytes. */
oc_status oc_model_may_leave(oc_model *m, const void *bytes, size_t size,
                             void (*leave)(const void *bytes, size_t n), oc_error *e);
/* For a model that borrows from another and does not outlive it: oc_model_leave on m does what
 * it does on other. */
void oc_model_leave_as(oc_model *m, const oc_model *other);
/* For a model that borrows from another one too. */
oc_status oc_model_leave_also(oc_model *m, const oc_model *other, oc_error *e);
/* Tells the system that n bytes will hardly be read soon; they stay readable. The bytes need not
 * belong to the model. */
void oc_model_leave(const oc_model *m, const void *bytes, size_t n);

/* Interns text in the model's name table. In oc_model_name text may be NULL, for "". Returns
 * NULL on failure, which the arena records. */
oc_name oc_model_name(oc_model *m, const char *text);
oc_name oc_model_name_n(oc_model *m, const char *bytes, size_t size);
/* Returns a node of an ONNX operator with one input, ports[0] ("": none), and one output. */
oc_node oc_model_node(oc_model *m, const char *op, oc_name *ports, int64_t opset);

/* Makes a tensor in the model's arena for the caller to fill; its strings are empty. It is
 * aligned to OC_ALIGN, or to 16 when it is smaller. */
oc_status oc_model_tensor(oc_model *m, oc_type type, const oc_dims *dims, oc_value *v, oc_error *e);

/* Makes inputs of the initializers of the main graph that were left without their elements: they
 * become the last inputs, or the inputs of their names lose their defaults. A remark tells how many
 * they are. The graphs are not checked yet. */
oc_status oc_model_weights_as_inputs(oc_model *m, oc_error *e);

/* Adds a remark to the model: what in the file the standard does not allow, and how it was read. */
oc_status oc_model_remark(oc_model *m, oc_error *e, const char *format, ...) OC_PRINTF(3, 4);

/* To append a node, an attribute or an item of another list, use OC_PUSH on the list's pointer and
 * count. */

/* Returns the attribute called name; NULL when the node has none. */
const oc_attr *oc_node_attr(const oc_node *n, const char *name);
