/* SPDX-License-Identifier: Apache-2.0
 * resize_geometry.c - lengths and scales of Resize and Upsample, and the call of the kernel. */
#include "ops/vision/resize_geometry.h"

#include "kernels/resize/resize_sum.h"

#include <math.h>

/* Lengths up to this one are exact as floats. */
enum { EXACT = 1 << 24 };

static const double LARGEST = 0x1p62;

void oc_resize_list_all(oc_call *c, oc_resize_geometry *g)
{
    const oc_dims *x = &oc_in(c, 0)->dims;
    g->n = x->rank;
    for (int a = 0; a < x->rank; a++) {
        g->listed[a] = true;
        g->entry[a] = a;
    }
}

/* floor(n * scale) is computed in float, as shape inference of ONNX does. The scale is n_out / n_in
 * where that ratio, as a float, is the one given: 1/3 as a float is a little more than 1/3. */
static void set_scale(oc_resize_axis *a, float scale)
{
    const double length = a->n_in <= EXACT ? floor((double)((float)a->n_in * scale))
                                           : floor((double)a->n_in * (double)scale);
    a->n_out = (int64_t)length;
    const bool ratio =
        a->n_out > 0 && a->n_in > 0 && (float)((double)a->n_out / (double)a->n_in) == scale;
    a->num = ratio ? (double)a->n_out : (double)scale;
    a->den = ratio ? (double)a->n_in : 1;
}

oc_status oc_resize_by_scales(oc_call *c, oc_resize_geometry *g, const char *what,
                              const float *scales, int64_t n, float smallest)
{
    const oc_dims *x = &oc_in(c, 0)->dims;
    if (n != g->n)
        return oc_fail(c, OC_SHAPE, "%s has %" PRId64 " elements, expected %d", what, n, g->n);
    g->y = *x;
    for (int a = 0; a < x->rank; a++) {
        if (!g->listed[a])
            continue;
        const float s = scales[g->entry[a]];
        if (!(s > 0 && s >= smallest && s < INFINITY))
            return oc_fail(c, OC_VALUE, "%s[%d] is %g, expected a finite number%s", what,
                           g->entry[a], (double)s, smallest > 0 ? " of at least 1" : " above 0");
        if (!((double)x->n[a] * (double)s < LARGEST))
            return oc_fail(c, OC_LIMIT, "%s[%d] is %g, too large for axis %d of length %" PRId64,
                           what, g->entry[a], (double)s, a, x->n[a]);
        g->axis[a].n_in = x->n[a];
        set_scale(&g->axis[a], s);
        g->y.n[a] = g->axis[a].n_out;
    }
    return OC_OK;
}

oc_status oc_resize_check(oc_call *c, const oc_resize_geometry *g)
{
    const oc_value *x = oc_in(c, 0);
    if (g->mode != OC_RESIZE_NEAREST && !oc_resize_has(x->type))
        return oc_fail(c, OC_UNSUPPORTED,
                       "elements of type %s cannot be averaged, expected mode nearest",
                       oc_type_name(x->type));
    bool fills = true;
    for (int a = 0; a < g->y.rank; a++)
        fills = fills && g->y.n[a] > 0;
    if (fills && oc_value_n(x) == 0)
        return oc_fail_dims(c, 0, "expected elements to sample");
    return OC_OK;
}

/* A scale of 1 moves nothing, except in a crop. */
static bool stays(const oc_resize_axis *a)
{
    return a->n_in == a->n_out && a->num == a->den &&
           a->coordinates != OC_RESIZE_TF_CROP_AND_RESIZE;
}

static oc_status make_taps(oc_call *c, const oc_resize_axis *a, bool f64, oc_resize_taps **taps)
{
    const double bytes = oc_resize_taps_bytes(a, f64);
    void *memory;
    OC_TRY(OC_SCRATCH(c, *taps, 1));
    OC_TRY(OC_SCRATCH_OF(c, memory, bytes < LARGEST ? (uint64_t)bytes : UINT64_MAX, 1));
    const oc_work w = oc_call_work(c, 0);
    **taps = oc_resize_taps_new(a, f64, &w, memory);
    return oc_check_limits(c);
}

/* Makes an element of a number: converted like sums, for bool true unless it is 0, for strings the
 * empty one. */
typedef union element {
    float f32[2];
    double f64[2];
    uint16_t half;
    bool b;
    oc_string string;
    uint64_t words[2];
} element;

static element element_of(oc_type type, float value)
{
    element e = {.words = {0}};
    const double wide = (double)value;
    const oc_resize_variant *v;
    OC_VARIANT_PICK(v, oc_resize_variants, finish[type], OC_CPU_SCALAR);
    if (type == OC_F32 || type == OC_C64)
        e.f32[0] = value;
    else if (type == OC_F64 || type == OC_C128)
        e.f64[0] = wide;
    else if (oc_type_is_half(type))
        oc_convert(&e.half, type, &value, OC_F32, 1, false);
    else if (type == OC_BOOL)
        e.b = value != 0;
    else if (type == OC_STRING)
        e.string = (oc_string){"", 0};
    else if (v->finish[type])
        v->finish[type](&e, oc_resize_is_f64(type) ? (const void *)&wide : &value, 1);
    return e;
}

oc_status oc_resize_make(oc_call *c, const oc_resize_geometry *g, float outside)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    if (oc_value_n(y) == 0)
        return OC_OK;
    const element e = element_of(x->type, outside);
    oc_resize r = {.type = x->type,
                   .nearest = g->mode == OC_RESIZE_NEAREST,
                   .rank = y->dims.rank,
                   .x = x->data,
                   .y = y->data,
                   .outside = &e,
                   .cpu = oc_call_cpu(c)};
    for (int a = 0; a < r.rank; a++) {
        r.n_in[a] = x->dims.n[a];
        r.n_out[a] = y->dims.n[a];
        oc_resize_taps *taps = NULL;
        if (g->listed[a] && !stays(&g->axis[a]))
            OC_TRY(make_taps(c, &g->axis[a], !r.nearest && oc_resize_is_f64(x->type), &taps));
        r.taps[a] = taps;
    }
    r.work = oc_call_work(c, ((double)oc_value_n(x) + (double)oc_value_n(y)) * OC_ELEMENT);
    const double bytes = oc_resize_scratch(&r, r.work.threads);
    OC_TRY(OC_SCRATCH_OF(c, r.scratch, bytes < LARGEST ? (uint64_t)bytes : UINT64_MAX, 1));
    oc_resize_run(&r);
    return OC_OK;
}
