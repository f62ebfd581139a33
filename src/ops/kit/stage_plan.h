/* SPDX-License-Identifier: Apache-2.0
 * stage_plan.h - decides how the stages of a group run: where each value waits for its readers,
 * which stages a tile of the producer does itself, and which the rounding to halves does.
 *
 * The decision follows from the stages and the kinds of their operands, and reads no element. */
#ifndef OC_OPS_KIT_STAGE_PLAN_H
#define OC_OPS_KIT_STAGE_PLAN_H

#include "kernels/matmul/tile_nchw16c.h"
#include "ops/kit/stage.h"
#include "ops/kit/stage_operand.h"

/* Values that wait beside the tile. */
enum { OC_STAGE_SPARE = 3 };

/* A stage with the elements that it computes from. */
typedef struct oc_placed_stage {
    oc_stage stage;
    oc_stage_operand x[OC_MAP_OPERANDS];
} oc_placed_stage;

/* The stages of a group whose results are all of one type. */
typedef struct oc_stage_list {
    int n;
    bool has_producer; /* value 0 is the producer's tile, and stage s makes value s + 1; else stage
                          s makes value s */
    bool nchw16c;      /* the layout of the result */
    oc_type type;      /* of the result: OC_F32 or a half */
    unsigned cpu;
    oc_placed_stage at[OC_MAX_STAGES];
} oc_stage_list;

typedef struct oc_stage_plan {
    /* Of each value: 0, it takes the tile's own memory, or i, spare buffer i - 1. */
    int place[OC_MAX_STAGES + 1];
    int finished; /* first stages that `finish` does in the tile of a producer of floats */
    oc_tile_finish finish;
    /* Results that are halves. Each value is rounded to them as if it had been stored, but for
     * those which the only reader limits, or rounds by itself. */
    const oc_half_variant *half; /* NULL: results are floats, and nothing below is set */
    bool unrounded[OC_MAX_STAGES + 1];
    bool limits[OC_MAX_STAGES]; /* the stage limits its operand 0, which is not rounded, by: */
    oc_half_bounds limit[OC_MAX_STAGES];
    int left; /* last stages that are left to the rounding of the result, by `bounds` */
    oc_half_bounds bounds;         /* set where left > 0; first and other are the run's to set: */
    const oc_stage_operand *added; /* what the rounding adds to its floats; NULL: nothing */
    /* The only stage multiplies halves with a factor for each channel: that is all. Else NULL. */
    const oc_stage_operand *scaled, *factors;
} oc_stage_plan;

/* false: too many values wait, and the stages cannot run together. */
bool oc_stages_plan(const oc_stage_list *l, oc_stage_plan *c);

#endif
