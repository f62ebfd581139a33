/* SPDX-License-Identifier: Apache-2.0
 * literal.h - elements as text: the "{1, 2, 3}" of ONNX textual syntax. */
#pragma once

#include "base/lex.h"
#include "tensor/value.h"

/* Reads "{ e, e, ... }" into the elements of the tensor v, whose dims are set and whose data are
 * allocated. Integers are decimal. Floats are decimal, hexadecimal, nan or inf, with or without
 * sign; a NaN other than the default one is written "nan(0x7fc00001)", with all bits of the
 * element. For floats of 16, 8 and 4 bits an integer without point and exponent, decimal or
 * hexadecimal, is the bits of the element, as in ONNX's own text. Bools are 0, 1, true or false.
 * Strings are quoted and copied to arena. A complex number is two floats, separated by a comma.
 * Returns OC_FORMAT when an element is out of range or when there are too few or too many
 * elements. */
oc_status oc_literal_read(oc_lex *l, oc_value *v, oc_arena *arena, oc_error *e);

/* Reads one element, of any type but string, into *element. */
oc_status oc_literal_element(oc_lex *l, oc_type type, void *element, oc_error *e);

/* Writes element i as text from which oc_literal_element reads the same bits. Returns text. The
 * type is not string, because strings have no maximal length: see oc_quote in lex.h. */
enum { OC_ELEMENT_TEXT = 96 };
const char *oc_element_text(oc_type type, const void *data, int64_t i, char text[OC_ELEMENT_TEXT]);
