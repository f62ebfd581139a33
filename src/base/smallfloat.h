/* SPDX-License-Identifier: Apache-2.0
 * smallfloat.h - the small floating-point formats of ONNX as bit codes.
 *
 * Every narrowing rounds to nearest, ties to even, once. Codes of formats below 8 bits stand in the
 * low bits of a byte. Sources: IEEE 754 (float16), ONNX "Float stored in 8 bits" and "Float stored
 * in 4 bits" technical notes, OCP Microscaling Formats v1.0 (e8m0, e2m1). */
#ifndef OC_BASE_SMALLFLOAT_H
#define OC_BASE_SMALLFLOAT_H

#include <ocellus.h>

float oc_f16_to_f32(uint16_t code);
uint16_t oc_f16_from_f32(float x);
uint16_t oc_f16_from_f64(double x); /* one rounding, not two */

float oc_bf16_to_f32(uint16_t code);
uint16_t oc_bf16_from_f32(float x);
uint16_t oc_bf16_from_f64(double x);

/* type: OC_F8E4M3FN, OC_F8E4M3FNUZ, OC_F8E5M2, OC_F8E5M2FNUZ, OC_F8E8M0 or OC_F4E2M1. With
 * saturate, values past the largest become the largest (ONNX Cast's saturate = 1); without, NaN or
 * Inf as the format has it. OC_F4E2M1 always saturates, and has -0 for NaN. OC_F8E8M0 takes the
 * nearest, as oc_e8m0_from_f64 does. */
float oc_f8_to_f32(oc_type type, uint8_t code);
uint8_t oc_f8_from_f64(oc_type type, double x, bool saturate);

/* float8e8m0 holds 2^-127, 2^-126 .. 2^127 and NaN. A number between two powers of two becomes the
 * greater, the lesser or the nearer one (half way: the greater). One that is then past the ends, 0
 * and Inf included, becomes the nearer end with saturate, else NaN; a negative one is NaN. */
typedef enum oc_round { OC_ROUND_UP, OC_ROUND_DOWN, OC_ROUND_NEAREST } oc_round;
uint8_t oc_e8m0_from_f64(double x, oc_round round, bool saturate);

#endif
