/* SPDX-License-Identifier: Apache-2.0
 * smallfloat.h - conversions of the small floating-point formats of ONNX, held as bit codes.
 *
 * Each conversion to a smaller format rounds once, to nearest, ties to even. A code of fewer than 8
 * bits is in the low bits of a byte. Sources: IEEE 754 (float16), ONNX "Float stored in 8 bits" and
 * "Float stored in 4 bits" technical notes, OCP Microscaling Formats v1.0 (e8m0, e2m1). */
#pragma once

#include <ocellus.h>

float oc_f16_to_f32(uint16_t code);
uint16_t oc_f16_from_f32(float x);
uint16_t oc_f16_from_f64(double x); /* does not convert by way of float, which would round twice */

float oc_bf16_to_f32(uint16_t code);
uint16_t oc_bf16_from_f32(float x);
uint16_t oc_bf16_from_f64(double x);

/* Conversions of the types in OC_SET_TINY_FLOAT. With saturate, a number beyond the largest
 * value becomes the largest value (ONNX Cast's saturate = 1); without it, the number becomes Inf
 * if the format has Inf, else NaN. A format without NaN (OC_F4E2M1) always saturates and turns
 * NaN into -0. OC_F8E8M0 rounds as oc_e8m0_from_f64 does with OC_ROUND_NEAREST. */
float oc_f8_to_f32(oc_type type, uint8_t code);
uint8_t oc_f8_from_f64(oc_type type, double x, bool saturate);
/* Does x, which is finite, round to a number of the format, without saturation? */
bool oc_f8_has(oc_type type, double x);

/* float8e8m0 holds 2^-127, 2^-126 .. 2^127 and NaN. A number between two powers of two becomes the
 * greater one (OC_ROUND_UP), the lesser one (OC_ROUND_DOWN) or the nearer one (OC_ROUND_NEAREST;
 * half way: the greater one). A result outside the range, also that of 0 and Inf, becomes the
 * nearest value in it with saturate, else NaN. A negative number becomes NaN. */
typedef enum oc_round { OC_ROUND_UP, OC_ROUND_DOWN, OC_ROUND_NEAREST } oc_round;
uint8_t oc_e8m0_from_f64(double x, oc_round round, bool saturate);
