/* SPDX-License-Identifier: Apache-2.0
 * transforms.h - what DFT and STFT share: many Fourier transforms of one length, shared by the
 * threads. */
#pragma once

#include "kernels/signal/fft.h"
#include "ops/kit/op.h"

/* Some signals side by side: element k of the i-th is at [k * signals + i] of both arrays, and the
 * i-th is signal first + i of all. */
typedef struct oc_signals {
    double *re, *im;
    int64_t signals, first, n; /* n of the signals hold signals */
    const oc_work *work;       /* for read and write */
} oc_signals;

typedef struct oc_transforms {
    int64_t length, count; /* length: at least 1 */
    bool inverse;
    void (*read)(const void *ctx, const oc_signals *to);    /* `to` is zeroed before */
    void (*write)(const void *ctx, const oc_signals *from); /* inverse: already divided by length */
    const void *ctx;
} oc_transforms;

/* Transforms signals 0 .. count - 1. */
oc_status oc_transforms_run(oc_call *c, const oc_transforms *t);
