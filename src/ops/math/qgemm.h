/* SPDX-License-Identifier: Apache-2.0
 * qgemm.h - Gemm on codes, for Gemm. */
#pragma once

#include "ops/kit/op.h"

extern const oc_op oc_qgemm[];
