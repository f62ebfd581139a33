/* SPDX-License-Identifier: Apache-2.0
 * stft.c - STFT: the Fourier transforms of frames of a signal, each multiplied by a window.
 *
 * Frame f begins at sample f * frame_step; all frames lie within the signal. A product of signal
 * and window, like everything else, is computed in double. */
#include "kernels/common/element.h"
#include "ops/signal/transforms.h"

enum { SIGNAL, STEP, WINDOW, LENGTH };

typedef struct geometry {
    int64_t batch, samples, parts; /* sizes of the signal; parts is 1 if it is real, 2 if complex */
    int64_t step, length, frames, bins;
    const void *x, *window; /* set by run; window NULL: all ones */
    void *y;
} geometry;

static oc_status read_length(oc_call *c, geometry *g)
{
    const oc_value *window = oc_in_or_null(c, WINDOW);
    g->length = window ? window->dims.n[0] : g->samples;
    if (oc_in_or_null(c, LENGTH))
        OC_TRY(oc_in_int(c, LENGTH, &g->length));
    if (window && window->dims.n[0] != g->length)
        return oc_fail_dims(c, WINDOW, "expected [%" PRId64 "], the frame_length", g->length);
    if (g->length < 1)
        return oc_fail(c, OC_VALUE, "frame_length is %" PRId64 ", expected 1 or more", g->length);
    if (g->length > g->samples)
        return oc_fail_dims(c, SIGNAL, "expected at least %" PRId64 " samples, a frame's",
                            g->length);
    return OC_OK;
}

static oc_status read_geometry(oc_call *c, geometry *g)
{
    const oc_dims *d = &oc_in(c, SIGNAL)->dims;
    const bool onesided = oc_attr_int(c, "onesided") != 0;
    OC_TRY(oc_expect_rank(c, SIGNAL, 2, 3));
    if (oc_in_or_null(c, WINDOW))
        OC_TRY(oc_expect_rank(c, WINDOW, 1, 1));
    *g = (geometry){d->n[0], d->n[1], d->rank == 3 ? d->n[2] : 1};
    if (g->parts != 1 && g->parts != 2)
        return oc_fail_dims(c, SIGNAL, "expected 1 (real) or 2 (complex) as the last dimension");
    if (onesided && g->parts == 2)
        return oc_fail_dims(c, SIGNAL,
                            "expected 1 (real) as the last dimension: the transform is one-sided");
    OC_TRY(oc_in_int(c, STEP, &g->step));
    if (g->step < 1)
        return oc_fail(c, OC_VALUE, "frame_step is %" PRId64 ", expected 1 or more", g->step);
    OC_TRY(read_length(c, g));
    g->frames = (g->samples - g->length) / g->step + 1;
    g->bins = onesided ? g->length / 2 + 1 : g->length;
    return OC_OK;
}

static oc_status stft_shape(oc_call *c)
{
    geometry g;
    OC_TRY(read_geometry(c, &g));
    return oc_set_out(c, 0, oc_in(c, SIGNAL)->type, &(oc_dims){4, {g.batch, g.frames, g.bins, 2}});
}

#define TEMPLATE "ops/signal/stft.inc"
#include "kernels/common/floats.inc"

static oc_status stft_run(oc_call *c)
{
    geometry g;
    OC_TRY(read_geometry(c, &g));
    const oc_type real = oc_type_real(oc_in(c, SIGNAL)->type);
    OC_TRY(oc_in_as(c, SIGNAL, real, &g.x));
    OC_TRY(oc_in_as(c, WINDOW, real, &g.window));
    OC_TRY(oc_out_as(c, 0, real, oc_value_n(oc_out(c, 0)), &g.y));
    const oc_transforms t = {.length = g.length,
                             .count = g.batch * g.frames,
                             .read = real == OC_F64 ? read_f64 : read_f32,
                             .write = real == OC_F64 ? write_f64 : write_f32,
                             .ctx = &g};
    OC_TRY(oc_transforms_run(c, &t));
    oc_out_from(c, 0, real, g.y);
    return OC_OK;
}

/* clang-format off */
const oc_op oc_ops_stft[] = {
    {17, "STFT <int onesided = 1> (T1 signal, T2 frame_step!, T1 window?, T2 frame_length!?) "
         "=> (T1 output) | T1: float_ir4; T2: index", stft_shape, stft_run},
    {0}
};
