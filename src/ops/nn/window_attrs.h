/* SPDX-License-Identifier: Apache-2.0
 * window_attrs.h - what convolutions and pools share: the attributes that say how a window slides
 * over the spatial axes of X [N,C,...]. Axis a of the window is axis a + 2 of X. */
#pragma once

#include "kernels/common/sliding_window.h"
#include "ops/kit/op.h"

/* Sets axes and in from the dims of X, of rank 2 or more. */
oc_status oc_window_image(oc_call *c, const oc_dims *x, oc_window *w);

/* Reads an attribute with one number for each of n axes, of `least` to INT32_MAX; without the
 * attribute, every number is `missing`. */
oc_status oc_attr_per_axis(oc_call *c, const char *name, int n, int64_t missing, int64_t least,
                           int64_t v[]);

/* Reads strides, dilations and pads. */
oc_status oc_window_steps(oc_call *c, oc_window *w);

typedef enum oc_auto_pad {
    OC_PAD_NOTSET,
    OC_PAD_SAME_UPPER,
    OC_PAD_SAME_LOWER,
    OC_PAD_VALID
} oc_auto_pad;

/* Reads strides, dilations, pads and auto_pad; an empty auto_pad is NOTSET. pad and pad_end are
 * those of pads. */
oc_status oc_window_attrs(oc_call *c, oc_window *w, oc_auto_pad *auto_pad);

/* Remarks that auto_pad is empty, or that both pads and an auto_pad other than NOTSET are given.
 * For run functions. */
void oc_window_remark(const oc_call *c);

/* Sets out, and pad and pad_end where auto_pad decides them; all else is set. round_up: with
 * explicit padding a last window may reach past the padding, and no window begins behind X. */
oc_status oc_window_slide(oc_call *c, oc_window *w, oc_auto_pad auto_pad, bool round_up);
