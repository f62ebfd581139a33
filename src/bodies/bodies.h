/* SPDX-License-Identifier: Apache-2.0
 * bodies.h - makes copies of models in which the bodies of functions replace their calls.
 *
 * A function is one of the model's own, or an ONNX operator that has a body (library.h), or an
 * operator that the host gives a body for. The executor never sees a call. */
#pragma once

#include "graph/graph.h"

/* *out becomes a new model without the calls that the choice replaces, checked and with its
 * operators counted. It borrows from m, and its nodes keep the opset of the body that they come
 * from. *out is NULL if m has no such call. host_ops: the host's own operators, or NULL. watch
 * may be NULL. */
oc_status oc_bodies_inline(const oc_model *m, const oc_body_options *choice, const oc_op *host_ops,
                           oc_watch *watch, oc_model **out, oc_error *e);

/* Like oc_bodies_inline, but makes a model that other programs can read: all nodes of a domain run
 * under one opset version. *out is never NULL where the status is OC_OK. */
oc_status oc_bodies_expand(const oc_model *m, const oc_body_options *choice, oc_watch *watch,
                           oc_model **out, oc_error *e);
