/* SPDX-License-Identifier: Apache-2.0
 * literal.h - elements as text: the "{1, 2, 3}" of ONNX textual syntax. */
#ifndef OC_TENSOR_LITERAL_H
#define OC_TENSOR_LITERAL_H

#include "base/arena.h"
#include "base/lex.h"
#include "tensor/value.h"

/* Reads "{ e, e, ... }" into the v->dims-many elements of the tensor v, whose data is allocated.
 * Integers are decimal; floats decimal, hexadecimal, nan, inf, with sign; bools 0, 1, true, false;
 * strings quoted; complex numbers are two floats in a row. A NaN other than the default one is
 * written "nan(0x7fc00001)", with all bits of the element. Strings are copied to arena. Out of
 * range or too few or many elements: OC_FORMAT. */
oc_status oc_literal_read(oc_lex *l, oc_value *v, oc_arena *arena, oc_error *e);

/* Reads one element, of any type but string, to *element. */
oc_status oc_literal_element(oc_lex *l, oc_type type, void *element, oc_error *e);

/* Writes one element so that the above read the same bits. Returns text. Strings are not elements
 * here (they have no bound): see oc_quote in lex.h. */
enum { OC_ELEMENT_TEXT = 96 };
const char *oc_element_text(oc_type type, const void *data, int64_t i, char text[OC_ELEMENT_TEXT]);

#endif
