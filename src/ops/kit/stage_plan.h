/* SPDX-License-Identifier: Apache-2.0
 * stage_plan.h - decides how the stages of a group run: where each value waits for its readers,
 * which stages a tile of the producer does itself, and which the rounding to halves does.
 *
 * The decision follows from the stages and the kinds of their operands. It is made with the plan of
 * the model where their dims are known, else in the call. */
#pragma once

#include "kernels/matmul/tile_nchw16c.h"
#include "ops/kit/stage.h"
#include "ops/kit/stage_operand.h"

/* Values that wait beside the tile. */
enum { OC_STAGE_SPARE = 3 };

/* A stage of a call, with the elements that it computes from. */
typedef struct oc_placed_stage {
    oc_stage stage;
    oc_stage_operand x[OC_MAP_OPERANDS];
    oc_half_bounds limit; /* set where the stage limits halves (oc_stage_plan.limits) */
} oc_placed_stage;

/* The calls of a group whose results are all of one type, and their stages. */
typedef struct oc_stage_list {
    oc_call *const *call; /* in order: the producer first, if there is one */
    int n;                /* stages */
    bool has_producer; /* value 0 is the producer's tile, and stage s makes value s + 1; else stage
                          s makes value s */
    const oc_placed_stage *at;
} oc_stage_list;

struct oc_stage_plan {
    int n;        /* stages; 0: none run together, and nothing but the next member is set */
    bool nchw16c; /* the layout of the result */
    bool has_producer;
    /* Of each value: 0, it takes the tile's own memory, or i, spare buffer i - 1. */
    int place[OC_MAX_STAGES + 1];
    int buffers; /* operands that are repeated, or converted strip by strip */
    /* First stages that a producer's tile of floats does itself: one that scales, one that clamps.
     */
    int finished;
    bool scales, clamps;
    /* Results that are halves. Each value is rounded to them as if it had been stored, but for
     * those which the only reader limits, or rounds by itself. */
    const oc_half_variant *half; /* NULL: results are floats, and nothing below is set */
    bool unrounded[OC_MAX_STAGES + 1];
    bool limits[OC_MAX_STAGES]; /* the stage limits its operand 0, which is not rounded */
    /* Last stages that are left to the rounding of the result: to its limits, those of the last
     * stage if that limits, and to the function `instead`, if it is not NULL. */
    int left;
    oc_narrow_limited_fn *instead;
    /* Numbers of operands, s * OC_MAP_OPERANDS + i for operand i of stage s, or -1: what the
     * rounding adds to its floats; and the two that the only stage multiplies, halves and a factor
     * for each channel, which is all that there is to do. */
    int added, scaled, factors;
    oc_stage_operand x[][OC_MAP_OPERANDS]; /* of each stage, without elements */
};

/* The memory that a plan of n stages takes. */
static inline size_t oc_stage_plan_size(int n)
{
    return sizeof(oc_stage_plan) + (size_t)n * OC_MAP_OPERANDS * sizeof(oc_stage_operand);
}

/* false: the stages cannot run together, since too many values wait, or an operand has no form. */
bool oc_stages_decide(const oc_stage_list *l, oc_stage_plan *c);
