/* SPDX-License-Identifier: Apache-2.0
 * fusion.h - pairs of operators that run as one, so that what passes between them is never stored.
 *
 *     make --- value ---> use          a row says: use can do without the elements of this input
 *                                      when make makes it, for run fills use's outputs by itself
 *
 * The plan applies a row where nobody else looks at the value. Both nodes stay steps of the plan:
 * in make's place its checks and shape rule run, so the value has type and dims but no data; in
 * use's place its checks and shape rule run, then run in place of use's own run function, with
 * both calls. Errors are therefore those of the two nodes by themselves. A fused run gives the
 * same bits as the two; it may ask make's call for inputs, attributes and the dims of its output.
 */
#ifndef OC_OPS_KIT_FUSION_H
#define OC_OPS_KIT_FUSION_H

#include "ops/kit/op.h"

typedef oc_status oc_fused_fn(oc_call *use, const oc_call *make);

typedef struct oc_fusion {
    const oc_op *make, *use; /* whole tables: any row of one with any of the other */
    int input;               /* of use; make has one output */
    oc_fused_fn *run;
} oc_fusion;

/* The fusion of two rows over an input of use; NULL: there is none. A host's rows have none. */
const oc_fusion *oc_fusion_find(const oc_op *make, const oc_op *use, int input);

#endif
