/* SPDX-License-Identifier: Apache-2.0
 * view.h - the views of a model that ocellus inspect prints. */
#pragma once

#include "common/json.h"
#include "common/tool.h"

#include <ocellus_model.h>

/* What a view shows. j NULL: it prints text on standard output; else it writes members of the
 * object that is open in j. */
typedef struct view {
    const oc_model *model;
    const oc_port *inputs; /* as oc_model_visit takes them */
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
/* Writes a graph for Graphviz's dot, only as text. */
void view_dot(const view *v, oc_error *e);

/* Returns "native", "body", "function" or "unsupported". */
const char *view_support(oc_support support);
/* Returns "com.me::Twist" and the like. Free it with free. */
char *view_operator(const oc_node_info *node);
/* Returns the node's name, or "of " and the name of its first output. Free it with free. */
char *view_node_name(const oc_node_info *node);
/* Returns the attribute as ONNX text writes it, cut off after `most` characters; graphs are only
 * mentioned. Free it with free. */
char *view_attribute(const oc_node_info *node, int i, size_t most);
/* Are the type and all dims of a tensor known? */
bool view_is_known(const oc_port *port);
/* Adds the members kind, type and shape, as far as they are known, to the object open in j. */
void view_json_type(json_writer *j, const oc_port *port);
