/* SPDX-License-Identifier: Apache-2.0
 * stages.h - operators that work element by element, and how several of them run as one step.
 *
 *     Conv ---> BatchNormalization ---> Add ---> Relu       a producer and three stages
 *                                        ^
 *                              another value, complete before
 *
 * An operator whose output 0 has, at each place, a function of the elements that its inputs have
 * there (repeated where they are smaller) gives a stage: the row function, its context and its
 * operands, made by the function oc_traits.stage of its version. The kit runs it: by itself, as the
 * epilogue of a producer, or in a chain of stages.
 *
 *     own run    oc_run_stage, the run function of versions that need no other
 *     epilogue   the producer has made a tile, which a cache still holds, and the stages compute
 *                on it what they would compute on the whole. Conv's tile is some positions of 16
 *                channels in NCHW16c, MatMul's and Gemm's some rows of the product
 *     chain      the same without a producer, strip by strip of the result
 *     source     the operator that reads the value takes it tile by tile: GridSample the positions
 *                that AffineGrid makes
 *
 * The same row functions compute in each case, so the bits are the same. Values between the steps
 * of a group are never stored.
 *
 * To fuse an operator, change its file alone: a stage function, OC_STAGE in its versions, and "*"
 * at the inputs through which it may follow others (src/ops/README.md has the steps). Stages of a
 * group compute floats: where row's type is another, or an operand that no step of the group makes
 * is, the steps run one by one. Results of a group may be halves, all of one type: then each value
 * is rounded to it before a stage reads it, as if it had been stored. A version that has no stage
 * for some floats, or operands of other types than float in it, says in a function `layouts` when
 * it runs in NCHW16c (pow.c does).
 *
 * The plan finds groups (plan/groups.c) by marks of signatures: "*" at an output, whose tiles
 * stages may take or which a stage makes for a reader of tiles, and "*" at the inputs of an
 * operator with a stage and at one that is read tile by tile. The nodes stay steps of the plan: at
 * each but the last its checks and its shape rule run, at the last one all is computed. Errors are
 * those of operators by themselves. */
#pragma once

#include "kernels/conv/conv_types.h"
#include "ops/kit/stage.h"

/* Output 0 by the stage alone. */
oc_op_fn oc_run_stage;
/* In a version: the run function and the stage function of an operator that has no other. */
#define OC_STAGE(function) oc_run_stage, OC_TRAITS(.stage = function)

/* The stages that follow the tiles of a producer. */
typedef struct oc_epilogue oc_epilogue;
/* For the run function of a producer: the epilogue of its call, NULL if there is none. */
const oc_epilogue *oc_call_epilogue(const oc_call *c);
/* Runs an oc_epilogue on positions first .. first+n-1 of a block of 16 channels, which are at y. Of
 * a group of halves y has the sums before any rounding, and then floats that the producer rounds to
 * its output within the bounds of oc_epilogue_bounds. */
void oc_epilogue_run_tile(const void *epilogue, float *y, int64_t block, int64_t first, int64_t n);
/* What tiles may do themselves, and the same as above of what is left then; NULL: nothing. */
const oc_tile_finish *oc_epilogue_finish(const oc_epilogue *t);
oc_tile_epilogue_fn *oc_epilogue_rest(const oc_epilogue *t);
/* Of halves: the bounds for narrow_limited (kernels/common/half.h), by which last stages that
 * limit, HardSwish and x * Sigmoid(x) are left to the rounding; NULL: there are none. *only:
 * nothing else is to be run. */
const oc_half_bounds *oc_epilogue_bounds(const oc_epilogue *t, bool *only);
/* All stages on elements first .. first+n-1 of a result in NCHW. */
void oc_epilogue_run_elements(const void *epilogue, float *y, int64_t first, int64_t n);

/* For the run function of an operator that reads an input tile by tile ("*"): the stage that makes
 * it, NULL if it is complete. */
const oc_stage *oc_call_source(const oc_call *c);

/* Runs n calls whose shape rules have run, the producer first if there is one: fills output 0 of
 * the last. *done: false, they cannot run as one, and nothing has run. For the kit. */
oc_status oc_group_run(oc_call *const call[], int n, bool *done);

/* Decides how the stages of such calls run, the one call of an operator with a stage among them,
 * from types and dims. *plan is in memory of the arena, or has no stages: the calls do not run
 * together. Results of the calls before the last are inputs by their addresses; other inputs may
 * have no elements, as stage.h allows. For the plan. */
oc_status oc_stages_plan(oc_call *const call[], int n, oc_arena *arena, const oc_stage_plan **plan);
