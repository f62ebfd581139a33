/* SPDX-License-Identifier: Apache-2.0
 * fusion.h - pairs of operators that run as one, so that the value between them is never stored.
 *
 *     producer --- value ---> consumer
 *
 * A row of the list says that the consumer can work without the elements of an input that the
 * producer makes: the row's run function fills the consumer's outputs by itself.
 *
 * The plan applies a row if no other step reads the value. Both nodes stay steps of the plan. At
 * the producer's step its checks and its shape rule run, so the value has type and dims but no
 * data. At the consumer's step its checks and its shape rule run; then the row's run function runs
 * instead of the consumer's own, with both calls. Errors are therefore the same as without fusion.
 * A fused run gives the same bits as the two separate runs. It may ask the producer's call for
 * inputs, attributes and the dims of its output. */
#ifndef OC_OPS_KIT_FUSION_H
#define OC_OPS_KIT_FUSION_H

#include "ops/kit/op.h"

typedef oc_status oc_fused_fn(oc_call *consumer, const oc_call *producer);

typedef struct oc_fusion {
    const oc_op *producer, *consumer; /* whole tables: any row of one with any of the other */
    int input; /* index of the consumer's input; the producer has one output */
    oc_fused_fn *run;
} oc_fusion;

/* The fusion of two rows over an input of the consumer; NULL if there is none. The host's own rows
 * have no fusions. */
const oc_fusion *oc_fusion_find(const oc_op *producer, const oc_op *consumer, int input);

#endif
