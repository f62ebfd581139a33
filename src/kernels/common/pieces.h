/* SPDX-License-Identifier: Apache-2.0
 * pieces.h - memcpy and memset that look at a pace between pieces, on any thread. */
#ifndef OC_KERNELS_COMMON_PIECES_H
#define OC_KERNELS_COMMON_PIECES_H

#include "kernels/common/rounds.h"

#include <stddef.h>

/* false: the pace ended it. */
bool oc_pace_copy(oc_pace *pace, void *dst, const void *src, size_t size);
bool oc_pace_zero(oc_pace *pace, void *dst, size_t size);

#endif
