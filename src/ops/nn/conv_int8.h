/* SPDX-License-Identifier: Apache-2.0
 * conv_int8.h - convolutions of 8-bit integers in NCHW16c: what is made of constant operands, and
 * the run. */
#pragma once

#include "ops/nn/conv_geometry.h"

/* Numbers of the inputs of an operator; scales and y's zero point are -1 if it has none. */
typedef struct oc_conv_ports {
    int x, w, x_zero, w_zero, bias;
    int x_scale, w_scale, y_scale, y_zero;
} oc_conv_ports;

/* Returns the 8-bit element i of v, which may have one element for all; 0 if v is NULL. */
int oc_element_int8(const oc_value *v, int64_t i);

/* Prepare of an operator whose inputs but x are constant: packs the weights, but of several groups
 * where one does not fit 8 bits less its zero point. What is wrong with the operands, the shape
 * rule will tell. */
oc_status oc_conv_prepare_int8(oc_call *c, const oc_conv_ports *p);
/* The layouts of an operator with this prepare function. */
void oc_conv_layouts_int8(oc_call *c, const oc_conv_ports *p, oc_layouts *l);
/* Runs an operator whose result is in NCHW16c. */
oc_status oc_conv_run_int8(oc_call *c, const oc_conv_ports *p, const oc_conv *g);
/* For an operator without scales: can its sums be made from prepared data with x in its layout? The
 * second function makes them. */
bool oc_conv_runs_int8(const oc_call *c, const oc_conv_ports *p, const oc_conv *g);
oc_status oc_conv_sum_int8(oc_call *c, const oc_conv_ports *p, const oc_conv *g);
