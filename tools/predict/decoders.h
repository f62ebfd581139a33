/* SPDX-License-Identifier: Apache-2.0
 * decoders.h - the decoders: functions that make answers of the outputs of networks, and which
 * outputs each of them takes. */
#pragma once

#include "predict/outline.h"

#define JOIN_PREFIX "decoder" /* of names that a network and its decoder both have */

enum { DECODER_PARTS = 12 };

/* One of the network's outputs that a decoder takes. */
typedef struct decoder_part {
    /* The dims that the output has, with commas between; '|' stands between alternatives. A size
     * that the model does not declare fits 1 and the letters. 7: this size. 7+: at least this size.
     * ?: any size. R: rows, at most 1000; N: rows, not declared as one. M2: a multiple of 2, above
     * it. A: places of a detector, one for each cell of its grids, whose strides are 8, 16, 32 and
     * perhaps 4 or 64; A3: three for each cell. C8: cells of the stride 8; S8: two for each of
     * them. X: cells of the strides 8, 16, 32; P: of 8, 16, 32, 64. H, W: at least a sixteenth of
     * the input's height, width, in its proportions. */
    const char *dims;
    const char *names; /* names that the output has, with '|' between; NULL: any */
    char type;         /* 'i': whole numbers, 'f': floats, 0: any */
} decoder_part;

typedef struct decoder {
    const char *name;         /* of --as: "yolov8" */
    const char *function;     /* of domain ocellus.vision: "Yolov8" */
    const char *about;        /* whose networks it is for, and what they give */
    const char *preset;       /* how these were given pictures: a name of --preset */
    const decoder_part *part; /* in the order of the function's inputs, at most DECODER_PARTS; the
                                 one behind the last has no dims */
    const char *unless;       /* dims that no output may have; NULL: any may be */
    const char *sure; /* the dims of the first part with which shapes alone choose it; NULL: those
                         of the part */
    int classes; /* the axis of classes, where things that are no classes have such shapes too: a
                    sign of classes must choose it (signs.h); 0: none need be */
    const char *attributes; /* of the function, as ONNX text has them; NULL: its defaults */
    bool two;               /* true: shapes alone choose it for a network of two photographs only */
    const char *op, *no_op; /* an operator that the network has, and one that it has not; NULL: no
                               matter. It tells apart what names and dims do not */
    const char *labels; /* what these networks find, by label from 0 on, with '|' between; NULL: it
                           is not one thing for all of them */
    bool only_named;    /* true: shapes alone do not choose it; --as or the exporter does */
    bool last; /* true: several outputs that fit are steps of one estimate, which the last one
                  ends; it is taken */
    /* Part, axis, number: the part has the number of classes on this axis, and the number more; an
     * axis below 0 is counted from the end. Axis 0: no shape tells it. */
    signed char counts[3];
} decoder;

/* The i-th decoder; NULL past the last. */
const decoder *decoder_at(int i);
/* The decoder of that name; NULL: there is none. */
const decoder *decoder_find(const char *name);

int decoder_n_parts(const decoder *d);
/* May shapes alone choose the decoder, whose outputs are found? */
bool decoder_is_sure(const decoder *d, const outline *o, const int out[DECODER_PARTS]);
/* Finds the outputs that the decoder takes, one for each part; false: the network does not have
 * them, or has several that fit one part. */
bool decoder_fits(const decoder *d, const outline *o, int out[DECODER_PARTS]);
/* The number of classes, of outputs that fit; -1: their shapes do not tell. */
int64_t decoder_n_classes(const decoder *d, const outline *o, const int out[DECODER_PARTS]);
