/* SPDX-License-Identifier: Apache-2.0
 * convert.h - converts any numeric element type to any other, by ONNX Cast's rules (Cast-25's
 * table).
 *
 * Floats to integers truncate toward zero. For numbers out of range, NaN and Inf, the comment at
 * the top of convert.c gives the results, which do not depend on the machine. A float of a
 * smaller format is rounded once, to nearest even; float8e8m0 takes the nearest power of two. */
#pragma once

#include "base/smallfloat.h"
#include "base/element_type.h"

/* Converts n elements of src to dst. Neither type is string or complex. saturate is Cast's
 * attribute; it matters only when dst_type is an 8-bit float. */
void oc_convert(void *dst, oc_type dst_type, const void *src, oc_type src_type, int64_t n,
                bool saturate);

/* As oc_convert to float8e8m0, but with a rounding mode; oc_convert takes the nearest. */
void oc_convert_e8m0(uint8_t *dst, const void *src, oc_type src_type, int64_t n, oc_round round,
                     bool saturate);

/* oc_widen converts float16 or bfloat16 to float; oc_narrow converts back with one rounding. */
void oc_widen(float *dst, const uint16_t *src, oc_type src_type, int64_t n);
void oc_narrow(uint16_t *dst, oc_type dst_type, const float *src, int64_t n);

/* Returns element i as a double, for statistics. It is exact except for 64-bit integers beyond
 * 2^53. */
double oc_element_f64(oc_type type, const void *data, int64_t i);
