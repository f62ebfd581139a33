/* SPDX-License-Identifier: Apache-2.0
 * qgemm.h - the operator that computes Gemm on 8-bit codes. */
#pragma once

#include "ops/kit/op.h"

extern const oc_op oc_qgemm[];
