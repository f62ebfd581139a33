/* SPDX-License-Identifier: Apache-2.0
 * signs.h - what says, besides its shape, that an output of a network has scores of classes. */
#pragma once

#include "predict/decoders.h"
#include "metadata/metadata.h"

enum { SIGN_TEXT = 120 };

/* Looks for a sign that the output has a score for each class along the axis: as many names as
 * classes, a number of classes that a well-known data set has, a Softmax, the output's name, or, of
 * a grid, sides that are the input's. Returns false when there is none; else text is a phrase that
 * ends a sentence on the output, ", as many as ImageNet has classes". */
bool sign_of_classes(const outline *o, const metadata *m, const oc_port *output, int axis,
                     char text[SIGN_TEXT]);
