/* SPDX-License-Identifier: Apache-2.0
 * view.h - the views of a model that ocellus inspect prints. */
#ifndef TOOLS_INSPECT_VIEW_H
#define TOOLS_INSPECT_VIEW_H

#include "common/json.h"
#include "common/tool.h"

#include <ocellus_model.h>

/* What a view shows. j NULL: as text, on standard output; else as members of the object that is
 * open in j. */
typedef struct view {
    const oc_model *model;
    const oc_port *inputs; /* of oc_model_visit */
    const oc_session_options *options;
    json_writer *j;
} view;

void view_nodes(const view *v, oc_error *e);
void view_plan(const view *v, oc_error *e);
void view_passes(const view *v, oc_error *e);
void view_shapes(const view *v, oc_error *e);
void view_weights(const view *v, oc_error *e);
void view_macs(const view *v, oc_error *e);
void view_metadata(const view *v, oc_error *e);
/* A graph for dot, of Graphviz; text alone. */
void view_dot(const view *v, oc_error *e);

/* "native", "body", "function", "unsupported". */
const char *view_support(oc_support support);
/* "com.me::Twist". Free with free. */
char *view_operator(const oc_node_info *node);
/* The node's name, or that of its first output after "of ". Free with free. */
char *view_node_name(const oc_node_info *node);
/* The attribute as ONNX text writes it, cut off after most characters; of graphs only that they
 * are. Free with free. */
char *view_attribute(const oc_node_info *node, int i, size_t most);
/* Are type and all dims of a tensor known? */
bool view_is_known(const oc_port *port);
/* Adds the members kind, type and shape, as far as they are known, to the object open in j. */
void view_json_type(json_writer *j, const oc_port *port);

#endif
