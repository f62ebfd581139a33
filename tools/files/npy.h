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
