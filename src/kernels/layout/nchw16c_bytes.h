/* SPDX-License-Identifier: Apache-2.0
 * nchw16c_bytes.h - lays channels of one or two bytes side by side, and back into NCHW.
 *
 * A pixel of a block has 16 elements, one for each channel, which are not converted. All else is
 * as nchw16c.h says for floats. */
#pragma once

#include "kernels/layout/nchw16c.h"

/* The variants, best first, the last is scalar: for elements of one byte, and for halves of
 * floats, which have two. channels is 1 to 16; stride is in elements. A block needs only the
 * alignment of its elements. */
extern const oc_nchw16c_variant *const oc_nchw16c_bytes[];
extern const oc_nchw16c_variant *const oc_nchw16c_halves[];
