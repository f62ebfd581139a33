/* SPDX-License-Identifier: Apache-2.0
 * npy_text.h - converts NumPy's strings of fixed width to strings in UTF-8 and back. */
#pragma once

#include "common/tool.h"

#include <ocellus_model.h>

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
