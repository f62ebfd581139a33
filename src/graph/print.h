/* SPDX-License-Identifier: Apache-2.0
 * print.h - a model in ONNX textual syntax. */
#pragma once

#include "graph/graph.h"

#include <ocellus_model.h>

/* Prints m. The text loader reads the text back to an equal model, and printing that model gives
 * the same text. */
oc_status oc_print_model(const oc_model *m, const oc_writer *out, oc_error *e);
/* Prints one attribute, as in a node. */
oc_status oc_print_attr(const oc_attr *a, const oc_writer *out, oc_error *e);
