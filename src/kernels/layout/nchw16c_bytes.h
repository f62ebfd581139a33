/* SPDX-License-Identifier: Apache-2.0
 * nchw16c_bytes.h - how are channels of one or two bytes brought side by side, and back into NCHW?
 *
 * A pixel of a block has 16 elements, one for each channel, which stay what they are. All else is
 * as nchw16c.h has it for floats. */
#ifndef OC_KERNELS_LAYOUT_NCHW16C_BYTES_H
#define OC_KERNELS_LAYOUT_NCHW16C_BYTES_H

#include "kernels/layout/nchw16c.h"

/* Best first, the last is scalar: for elements of one byte, and for halves of floats, of two.
 * channels: 1 to 16. stride: in elements. A block needs the alignment of its elements alone. */
extern const oc_nchw16c_variant *const oc_nchw16c_bytes[];
extern const oc_nchw16c_variant *const oc_nchw16c_halves[];

#endif
