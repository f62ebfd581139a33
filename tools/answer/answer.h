/* SPDX-License-Identifier: Apache-2.0
 * answer.h - what a network says of one photograph: objects, maps and text, in its pixels.
 *
 * The photograph is the picture as the user sees it, the input is what the network was given of
 * it. Pixel (x, y) of the photograph has its centre at (x + 0.5, y + 0.5), which is
 * u = (x + 0.5) * fit[0] + fit[2], v = (y + 0.5) * fit[1] + fit[3] in the input, and the cell
 * (u * grid_width / input_width - 0.5, v * grid_height / input_height - 0.5) of the grid. */
#pragma once

#include "common/tool.h"

/* The arrays are borrowed. What a network does not give is NULL. */
typedef struct answer {
    int width, height;             /* of the photograph, in pixels */
    int input_width, input_height; /* of the network's input */
    double fit[4];                 /* scale x, scale y, left, top: see image_fit */
    int n;                         /* objects */
    const float *box;              /* n x 4: left, top, right, bottom; NULL: none */
    const float *score;            /* n */
    const int64_t *label;          /* n */
    int n_points;                  /* points of each object */
    const float *point;            /* n x n_points x 3: x, y, confidence; NULL: none */
    const float *corner;           /* n x 4 x 2; NULL: none */
    int grid_width, grid_height;   /* of mask, cls, flow and depth, over the network's input */
    const float *mask;             /* n x grid_height x grid_width, probabilities; NULL: none */
    const int64_t *cls; /* grid_height x grid_width, below 0 without a class; NULL: none */
    const float *flow;  /* 2 x grid_height x grid_width, in pixels of the photograph */
    const float *depth; /* grid_height x grid_width */
    const char *text;   /* what was read, UTF-8; NULL: none */
} answer;

/* Finds the confidence of the text, the mean of its letters'. Returns false when there is none. */
static inline bool answer_text_score(const answer *a, float *score)
{
    double sum = 0;
    for (int i = 0; a->score && i < a->n; i++)
        sum += a->score[i];
    *score = a->n ? (float)(sum / a->n) : 0;
    return a->score && a->n;
}
