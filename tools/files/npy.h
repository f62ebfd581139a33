/* SPDX-License-Identifier: Apache-2.0
 * npy.h - reads and writes NumPy's .npy files.
 *
 * NumPy has no bfloat16, no 8-bit floats and nothing below 8 bits. These are written as their codes
 * in uint16 or uint8, int4 and int2 as int8; tensor_as turns codes that were read back into the
 * model's type. The raw types V1 and V2, which other programs write for 8-bit floats and bfloat16,
 * are read as uint8 and uint16. */
#pragma once

#include "common/tool.h"

#include <ocellus_model.h>

/* Reads a whole file of size bytes: versions 1 to 3, both byte orders, both element orders. Free
 * the tensor with oc_value_free. The error's text begins with where. */
oc_value *npy_read(const void *bytes, size_t size, const char *where, oc_error *e);

/* Writes a tensor in row-major order. A write that fails is OC_IO. */
void npy_write(const oc_value *tensor, const oc_writer *out, oc_error *e);

/* Returns the type under which a file stores elements of this type: the type itself, or the
 * integer type of its codes. */
oc_type npy_stored_type(oc_type type);

/* ---- NumPy's strings of fixed width (npy_text.c) ---- */

/* Sets element i of the string tensor v from size bytes at src, which are UTF-32 if wide, else
 * copied. Zeros at the end are padding and not part of the text. swapped: the code points have
 * the other byte order. OC_FORMAT for a number that is not a code point. */
void npy_set_string(oc_value *v, int64_t i, const unsigned char *src, size_t size, bool wide,
                    bool swapped, oc_error *e);

/* Returns the number of code points of the longest element, at least 1. A byte that is not UTF-8
 * counts as one code point. After SIGINT the result is meaningless. */
size_t npy_text_width(const oc_value *v);
/* Writes the elements as UTF-32, each padded with zeros to width code points; a byte that is not
 * UTF-8 becomes the code point of that number. Returns false when a write fails. */
bool npy_put_text(const oc_value *v, size_t width, const oc_writer *out);
