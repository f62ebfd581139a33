/* SPDX-License-Identifier: Apache-2.0
 * show.h - prints the elements of a tensor as NumPy does: nested brackets, columns, and "..." in
 * place of the middle of what is large. */
#pragma once

#include "common/json.h"

enum { SHOW_MOST = 1000 }; /* elements that are shown without asking for more */

/* Prints the tensor on standard output, with a line end behind it. If it has more than `most`
 * elements, each axis longer than six shows its first three and last three. Floats have the
 * fewest digits that read back (types of 8 bits and fewer as float), at most 8 behind the point;
 * strings end after 40 bytes. OC_CANCELLED after SIGINT. */
void show_tensor(const oc_value *tensor, int64_t most, oc_error *e);

/* Writes the elements, in row-major order, as the member "values" of the object that is open in
 * j: numbers, true or false, texts, [real, imaginary]. If there are more than `most`, "values"
 * is null and "elements" says how many there are. */
void show_json(json_writer *j, const oc_value *tensor, int64_t most, oc_error *e);
/* Writes one element; key may be NULL. */
void show_json_element(json_writer *j, const char *key, const oc_value *tensor, int64_t i);
