/* SPDX-License-Identifier: Apache-2.0
 * draw_answer.h - draws what a network says of a photograph into it, and cuts its objects out.
 *
 * Arrays of an answer may hold any numbers. What cannot be drawn, such as a box with a NaN, is left
 * out. An answer gives the same samples on every system. */
#pragma once

#include "files/image.h"
#include "answer/answer.h"
#include "draw/draw_options.h"

/* At most this number of objects is drawn: those of the greatest scores. */
enum { DRAW_OBJECTS = 1000 };

/* Draws the answer into m, which is the photograph and becomes 8-bit RGB; alpha is laid over white.
 * The picture becomes larger for what is drawn beside it, and, below it, for text that was read and
 * has no box. o may be NULL. OC_SHAPE when m has not the size of the answer's photograph,
 * OC_CANCELLED after SIGINT. After an error the samples of m are undefined. */
void draw_answer(image *m, const answer *a, const draw_options *o, oc_error *e);

/* Makes a new picture of object k of the photograph m: what is inside its box or, if it has
 * corners, inside them, turned by the least angle after which its sides are upright. out keeps the
 * kind of samples; it has no samples (NULL) when nothing of the object lies on the photograph. Free
 * with image_free. */
void draw_crop(const image *m, const answer *a, int k, image *out, const char *where, oc_error *e);
