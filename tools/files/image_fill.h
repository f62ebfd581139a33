/* SPDX-License-Identifier: Apache-2.0
 * image_fill.h - writes the samples of a picture as the elements of a tensor. */
#pragma once

#include "files/image.h"
#include "files/image_view.h"

/* Sets all elements of t, whose view is v; order is an image_order, never IMAGE_ANY. Ends early
 * after SIGINT. */
void image_fill(oc_value *t, const image *m, const image_view *v, int order,
                const image_options *o);

/* Parts of image_fill, for the description of what it does: the number by which samples are divided
 * when the options give no scale, and the deviation of a channel. */
int image_divisor(oc_type type, int white);
double image_std(const image_options *o, int channel);
