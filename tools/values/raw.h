/* SPDX-License-Identifier: Apache-2.0
 * raw.h - the elements of a value as bytes, as ONNX's raw_data has them, and their SHA-256. */
#pragma once

#include "common/sha256.h"
#include "common/tool.h"

#include <ocellus_model.h>

/* Writes the elements of a tensor: little-endian, a bool as one byte, elements of 4 and 2 bits
 * packed, the first ones in the low bits. Of strings, which raw_data cannot have, it writes each as
 * its size in 8 bytes and its bytes. same_nan: every NaN is written as one of its type, that which
 * is quiet, without a sign and without a payload, because processors differ in these. Fails where
 * the writer does, with OC_IO, and after SIGINT. */
void raw_write(const oc_value *tensor, bool same_nan, const oc_writer *to, oc_error *e);

/* The SHA-256 of a value as text, ended by NUL; "" after an error. Of a tensor it is that of
 * raw_write with same_nan. Of any other value it is that of its parts: first a line, as
 * "seq(float)[2]" (stats_shape), then each item, a line and, of a tensor, its bytes; of a map the
 * keys and the values. */
typedef struct raw_digest {
    char text[SHA256_TEXT];
} raw_digest;
raw_digest raw_sha256(const oc_value *value, oc_error *e);

/* Returns a new tensor of these elements, whose text is the base64 of what raw_write writes, not of
 * strings. OC_FORMAT for a character that is wrong, OC_SHAPE when there are more or fewer bytes
 * than the dims take, OC_VALUE for a bool that is neither 0 nor 1. Errors begin with where. */
oc_value *raw_read(oc_type type, int rank, const int64_t *dim, const char *text, size_t size,
                   const char *where, oc_error *e);
