/* SPDX-License-Identifier: Apache-2.0
 * epilogue.h - element-by-element operators that run on the tiles of the operator before them.
 *
 *     Conv ---> BatchNormalization ---> Add ---> Relu         one step: Conv with an epilogue of
 * three
 *                                        ^
 *                              another value, complete before
 *
 * While a tile of the head's result is in the first cache, the operators of the epilogue compute on
 * it what they would compute on the whole, by the same row kernels: an epilogue changes no bit.
 * Values between head and last operator are never stored.
 *
 * The plan finds epilogues by marks in signatures: "*" at an output, whose tiles an epilogue may
 * take, and
 * "*" at inputs of an operator whose output 0 has, at each place, a function of the elements that
 * its inputs have there (repeated where they are smaller). The nodes stay steps of the plan. At the
 * steps before the last their checks and shape rules run; at the last step all is computed.
 *
 * A row of such operators without a head runs likewise, strip by strip of the result, also where
 * values are in NCHW.
 *
 * The calls of an epilogue are gathered by running them: a run function that meets oc_run_rows, or
 * says itself what it does by oc_epilogue_add, is answered by the run function of the next
 * operator, and the last one by the head's. So what a run function keeps on its stack lives until
 * all is computed. One that does neither makes no epilogue, and nor do operands of other forms;
 * then all operators run one after the other. */
#ifndef OC_OPS_KIT_EPILOGUE_H
#define OC_OPS_KIT_EPILOGUE_H

#include "ops/kit/op.h"

enum { OC_EPILOGUE_STAGES = 12 }; /* the most operators of an epilogue */

typedef struct oc_epilogue oc_epilogue;

/* Makes n pixels of 16 nchw16c of a block of 16 channels, the block's number among all images
 * given, from as many; y may be x. */
typedef void oc_epilogue_fn(const void *ctx, float *y, const float *x, int64_t block, int64_t n);

/* Is this call being gathered? */
bool oc_epilogue_gathers(const oc_call *c);
/* For run functions of a gathered call, y being its output 0: the row kernel that makes it. */
oc_status oc_epilogue_add_rows(oc_call *c, oc_row_fn *row, const void *ctx,
                               const oc_value *const x[], int n_x);
/* The same by a function of input 0 alone, at known channels. */
oc_status oc_epilogue_add(oc_call *c, oc_epilogue_fn *fn, const void *ctx);

/* For the run function of a head: the epilogue of its call, NULL if there is none. */
const oc_epilogue *oc_call_epilogue(const oc_call *c);
/* Computes the epilogue on positions first .. first+n-1 of a block of 16 channels, which are at y.
 */
void oc_epilogue_run_tile(const void *epilogue, float *y, int64_t block, int64_t first, int64_t n);

/* Makes output 0 of a call by a row kernel, strip by strip, unless an operand has another form than
 * an epilogue can read; *done tells. For the kit. */
oc_status oc_epilogue_run_alone(oc_call *c, oc_row_fn *row, const void *ctx,
                                const oc_value *const x[], int n_x, bool *done);
/* Runs n calls whose shape rules have run, the head first if there is one: fills output 0 of the
 * last. For the kit. */
oc_status oc_epilogue_run(oc_call *call[], int n);

#endif
