/* SPDX-License-Identifier: Apache-2.0
 * signature.h - the names of a function's attributes, inputs and outputs, read from its text. */
#pragma once

#include "common/tool.h"

enum { SIGNATURE_MOST = 24, SIGNATURE_NAME = 32 };

typedef char signature_name[SIGNATURE_NAME];

typedef struct signature {
    signature_name attribute[SIGNATURE_MOST], input[SIGNATURE_MOST], output[SIGNATURE_MOST];
    int n_attribute, n_input, n_output;
} signature;

/* Reads "NAME <score: float = 0.25> (output, fit) => (boxes, scores)", which begins a line of the
 * text. The text is one of our own (functions/vision). */
signature signature_of(const char *text, const char *name);

/* Where the name is among the n names; -1: nowhere. */
int signature_find(const signature_name *names, int n, const char *name);
