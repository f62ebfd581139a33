/* SPDX-License-Identifier: Apache-2.0
 * stage.h - what an operator says that computes each element of output 0 from the elements of its
 * inputs at that place (stages.h tells how the kit runs it). */
#pragma once

#include "kernels/common/half.h"
#include "kernels/sample/positions.h"
#include "ops/kit/op.h"

enum {
    OC_MAX_STAGES = 12,  /* of a group */
    OC_STAGE_ROOM = 256, /* bytes of a context that a stage holds itself */
    OC_STAGE_OWN = 2     /* operands that are no inputs as they are */
};

/* Makes n pixels of a block of 16 channels, the block's number among all images given, from as
 * many; y may be x. */
typedef void oc_channels_fn(const void *ctx, float *y, const float *x, int64_t block, int64_t n);

/* What the kit makes of halves by other means than rows. */
typedef enum oc_stage_kind {
    OC_STAGE_ANY,
    OC_STAGE_Add,
    OC_STAGE_Div,
    OC_STAGE_Mul,
    OC_STAGE_Sub
} oc_stage_kind;

/* The function asks inputs for elements only if they have one element, or are marked for prepare:
 * the plan asks for a stage before there are others. */
struct oc_stage {
    oc_row_fn *row;           /* makes elements of output 0 from those of the operands, or */
    oc_channels_fn *channels; /* from those of operand 0 at known channels. NULL both: there is no
                                 stage, and the version's run function runs */
    /* That of channels, if it is (x - center) * factor + offset with numbers for each channel of an
     * image, in whole blocks; factor NULL: it is not. */
    const float *center, *factor, *offset;
    oc_positions_fn *positions; /* AffineGrid: makes positions for GridSample */
    oc_type type;               /* that row computes in: operands of another one are converted */
    bool clamps;                /* row makes operand 0 limited by these two numbers, of its type: */
    float least, greatest;      /* x < least ? least : x > greatest ? greatest : x */
    /* Of float16, or NULL: makes what row makes of operand 0, of floats that are not rounded
     * before; or with `times`, the product of that with operand 0. */
    oc_narrow_limited_fn *of_floats;
    bool times;
    oc_stage_kind kind;
    const void *ctx;
    const oc_value *x[OC_MAP_OPERANDS];
    int n_x;
    oc_value own[OC_STAGE_OWN]; /* what x may point to besides the inputs of the call */
    _Alignas(16) char room[OC_STAGE_ROOM];
};

/* For stage functions: a context of size bytes, at most OC_STAGE_ROOM, that lies in the stage. */
void *oc_stage_room(oc_stage *s, size_t size);
/* Gives the stage a copy of a context, of at most OC_STAGE_ROOM bytes. */
void oc_stage_context(oc_stage *s, const void *ctx, size_t size);
