/* SPDX-License-Identifier: Apache-2.0
 * npy_text.h - NumPy's strings of fixed width against strings in UTF-8. */
#ifndef TOOLS_FILES_NPY_TEXT_H
#define TOOLS_FILES_NPY_TEXT_H

#include "common/tool.h"

/* Sets element i from size bytes: UTF-32 with wide, else bytes as they are; zeros at the end fill
 * up and are no part of the text. swapped: the code points have the other byte order. */
void npy_set_string(oc_value *v, int64_t i, const unsigned char *src, size_t size, bool wide,
                    bool swapped, oc_error *e);

/* Code points of the longest element, at least 1. A byte that is no UTF-8 counts as one. */
size_t npy_text_width(const oc_value *v);
/* Writes the elements as UTF-32, filled up to width; a byte that is no UTF-8 becomes the code point
 * of the same number. */
bool npy_put_text(const oc_value *v, size_t width, const oc_writer *out);

#endif
