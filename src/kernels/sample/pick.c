/* SPDX-License-Identifier: Apache-2.0
 * pick.c - moves elements of any type, by their size, for GridSample's nearest mode. */
#include "kernels/sample/pick.h"

#include <string.h>

#include "kernels/common/element.h"
#include "kernels/common/precondition.h"

static inline bool four_are_there(const int32_t *absent)
{
    return (absent[0] | absent[1] | absent[2] | absent[3]) == 0;
}

#define TEMPLATE "kernels/sample/pick.inc"
#include "kernels/common/sizes.inc"

oc_pick_fn *oc_pick_of(size_t size)
{
    static oc_pick_fn *const pick[] = {pick_u8, pick_u16, pick_u32, pick_u64, pick_words};
    int log2 = 0;
    while ((size_t)1 << log2 < size)
        log2++;
    assert((size_t)1 << log2 == size && log2 < 5);
    return pick[log2];
}
