/* SPDX-License-Identifier: Apache-2.0
 * nchw16c_bytes.h - how are channels of one byte brought side by side, and back into NCHW?
 *
 * A pixel of a block has 16 bytes, one for each channel, which stay what they are. All else is as
 * nchw16c.h has it for floats. */
#ifndef OC_KERNELS_LAYOUT_NCHW16C_BYTES_H
#define OC_KERNELS_LAYOUT_NCHW16C_BYTES_H

#include "kernels/layout/nchw16c.h"

/* One per instruction set. */
typedef struct oc_nchw16c_bytes_variant {
    const char *isa;
    unsigned need;
    /* Fills a block with n pixels of 1 to 16 channels, whose planes are `stride` bytes apart;
     * places without a channel are 0. */
    oc_nchw16c_in_fn *in;
    /* The way back: the first n bytes of each plane. */
    oc_nchw16c_out_fn *out;
} oc_nchw16c_bytes_variant;

extern const oc_nchw16c_bytes_variant
    *const oc_nchw16c_bytes_variants[]; /* best first, last is scalar */

const oc_nchw16c_bytes_variant *oc_nchw16c_bytes_pick(unsigned cpu);

#endif
