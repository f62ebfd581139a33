/* SPDX-License-Identifier: Apache-2.0
 * pool_planes.h - folds each window of floats in NCHW, 16 planes at a time.
 *
 * As many rows of 16 planes as a cache holds are brought into NCHW16c and folded there
 * (pool_nchw16c.h), and the results are brought back. That is faster than folding along rows,
 * where each register must be shifted, and than handling many small planes one by one. */
#pragma once

#include "kernels/pool/pool_nchw16c.h"

/* Are there enough planes, and do their rows fit into a cache? g is as in pool_nchw16c.h, except
 * that x and y are dense planes, not aligned, and blocks is not read. */
bool oc_pool_planes_suits(const oc_pool_nchw16c *g, int64_t planes);
/* Returns the bytes of scratch memory, aligned to a cache line, for this number of threads. */
uint64_t oc_pool_planes_scratch(const oc_pool_nchw16c *g, int threads);
void oc_pool_planes_run(const oc_pool_nchw16c *g, int64_t planes, void *scratch);
