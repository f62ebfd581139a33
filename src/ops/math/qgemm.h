/* SPDX-License-Identifier: Apache-2.0
 * qgemm.h - the operator that computes Gemm on 8-bit codes. */
#ifndef OC_OPS_MATH_QGEMM_H
#define OC_OPS_MATH_QGEMM_H

#include "ops/kit/op.h"

extern const oc_op oc_qgemm[];

#endif
