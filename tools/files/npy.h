/* SPDX-License-Identifier: Apache-2.0
 * npy.h - NumPy's .npy files as tensors.
 *
 * NumPy has no bfloat16, no 8-bit floats and nothing below 8 bits. These are written as their codes
 * in uint16 or uint8, int4 and int2 as int8; whoever reads such a file says what it holds
 * (tensor_as). The raw types V1 and V2, under which other programs write bfloat16 and 8-bit floats,
 * are read as uint8 and uint16. */
#ifndef TOOLS_FILES_NPY_H
#define TOOLS_FILES_NPY_H

#include "common/tool.h"

/* Reads a whole file of size bytes: versions 1 to 3, both byte orders, both element orders. Free
 * the tensor with oc_value_free. where begins the error's text. */
oc_value *npy_read(const void *bytes, size_t size, const char *where, oc_error *e);

/* Writes a tensor, little-endian in row-major order. */
void npy_write(const oc_value *tensor, const oc_writer *out, oc_error *e);

/* What type a file gets for elements of this one: the same, or the one that holds its codes. */
oc_type npy_stored_type(oc_type type);

#endif
