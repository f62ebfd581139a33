/* SPDX-License-Identifier: Apache-2.0
 * pool_planes.h - how is each window of floats in NCHW folded, 16 planes at a time?
 *
 * Rows of 16 planes are brought into NCHW16c, as many as a cache holds, folded there
 * (pool_nchw16c.h), and their results brought back. That takes less time than to fold along rows,
 * where each register must be shifted, and than to begin with each of many small planes. */
#ifndef OC_KERNELS_POOL_POOL_PLANES_H
#define OC_KERNELS_POOL_POOL_PLANES_H

#include "kernels/pool/pool_nchw16c.h"

/* Are there enough planes, and do rows fit into a cache? g is as pool_nchw16c.h has it, but x and y
 * are dense planes, not aligned, and blocks is not read. */
bool oc_pool_planes_suits(const oc_pool_nchw16c *g, int64_t planes);
/* Bytes of scratch memory, aligned to a cache line, for this number of threads. */
size_t oc_pool_planes_scratch(const oc_pool_nchw16c *g, int threads);
void oc_pool_planes_run(const oc_pool_nchw16c *g, int64_t planes, void *scratch);

#endif
