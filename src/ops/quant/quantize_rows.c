/* SPDX-License-Identifier: Apache-2.0
 * quantize_rows.c - rows of elements, quantised or not, strip by strip.
 *
 * Codes of at most 16 bits are computed in float (kernels/elementwise/quantize.h) wherever that
 * gives the bits of dividing or multiplying in double and rounding once: a quotient of floats is
 * rounded once, and one of float16 or bfloat16 has less than half of float's digits; a product has
 * few enough digits to be exact, or the result is float. int32 without zero points is multiplied in
 * double by a loop of its own. All else is widened to double. Products of integers of up to 16 bits
 * are exact there. */
#include "ops/quant/quantize_rows.h"

#include "kernels/elementwise/cast.h"
#include "kernels/elementwise/quantize.h"

#include <math.h>

/* Elements that are computed at a time, in float and in double. */
enum { STRIP = 2048, WIDE_STRIP = 512 };

struct rows;
/* Computes n elements from `at` on, of at most as many as its strips have; their scales begin at s,
 * step by step. */
typedef void strip_fn(const struct rows *w, int64_t at, int64_t s, int64_t step, int64_t n);

typedef struct rows {
    const oc_quantize_job *j;
    const oc_quantize_variant *kernel;
    unsigned cpu;
    double low, high; /* the range of y's type; high 0: a float type */
    strip_fn *strip;
    int64_t most; /* elements of a strip */
    oc_work work;
} rows;

static const void *element(const oc_value *v, int64_t i)
{
    return (const char *)v->data + oc_type_size(v->type) * (size_t)i;
}

/* Integers of fewer than 8 bits lie in bytes, as 8-bit ones. */
static oc_type held(oc_type type)
{
    return !oc_type_in(type, OC_SET_TINY_INT) ? type : oc_type_is_signed(type) ? OC_I8 : OC_U8;
}

static void convert(const rows *w, void *to, oc_type to_type, const void *from, oc_type from_type,
                    int64_t n)
{
    if (!oc_cast(w->cpu, to, to_type, from, held(from_type), n))
        oc_convert(to, to_type, from, from_type, n, w->j->saturate);
}

/* Rounds n <= WIDE_STRIP numbers of type `real` to values of `type`. */
static void round_to(const rows *w, oc_type type, oc_type real, void *x, int64_t n)
{
    double narrow[WIDE_STRIP]; /* large enough for elements of any type */
    if (type == real)
        return;
    convert(w, narrow, type, x, real, n);
    convert(w, x, real, narrow, type, n);
}

/* ---- in float */

/* x / scale as the precision has it; the scales become 1. */
static void divide(const rows *w, float *x, float *scale, int64_t step, int64_t n)
{
    const oc_type precision = w->j->precision;
    const int64_t scales = step ? n : 1;
    if (w->j->x->type != precision)
        round_to(w, precision, OC_F32, x, n);
    if (w->j->scale->type != precision)
        round_to(w, precision, OC_F32, scale, scales);
    for (int64_t k = 0; k < n; k++)
        x[k] /= scale[k * step];
    round_to(w, precision, OC_F32, x, n);
    for (int64_t k = 0; k < scales; k++)
        scale[k] = 1;
}

/* Returns n <= STRIP elements of v as floats: its own, or converted in `room`. */
static const float *floats(const rows *w, float *room, const oc_value *v, int64_t at, int64_t n)
{
    if (v->type == OC_F32)
        return element(v, at);
    convert(w, room, OC_F32, element(v, at), v->type, n);
    return room;
}

static void float_strip(const rows *w, int64_t at, int64_t s, int64_t step, int64_t n)
{
    const oc_quantize_job *j = w->j;
    _Alignas(64) float x[STRIP], scale[STRIP], zero[STRIP];
    const int64_t scales = step ? n : 1;
    char *y = (char *)j->y->data + oc_type_size(j->y->type) * (size_t)at;
    oc_codes c = {.scale = scale, .zero = zero, .step = step};
    const float *from = floats(w, x, j->x, at, n);
    convert(w, scale, OC_F32, element(j->scale, s), j->scale->type, scales);
    if (j->zero)
        convert(w, zero, OC_F32, element(j->zero, s), j->zero->type, scales);
    else
        memset(zero, 0, (size_t)scales * sizeof *zero);
    if (!j->precision) {
        const bool own = j->y->type == OC_F32;
        w->kernel->from(own ? (float *)(void *)y : x, from, &c, n);
        if (!own)
            convert(w, y, j->y->type, x, OC_F32, n);
        return;
    }
    if (j->precision != OC_F32) {
        if (from != x)
            memcpy(x, from, (size_t)n * sizeof *x);
        divide(w, x, scale, step, n);
        from = x;
    }
    c.low = (float)w->low;
    c.high = (float)w->high;
    if (oc_type_size(j->y->type) == 1)
        w->kernel->to_8((uint8_t *)y, from, &c, n);
    else
        w->kernel->to_16((uint16_t *)(void *)y, from, &c, n);
}

/* ---- in double */

/* x = round(x / scale) + zero, limited. A zero point of 0 is not added, so that -0 stays -0. */
static void quantize_row(const rows *w, double *x, const double *scale, const double *zero,
                         int64_t step, int64_t n)
{
    const oc_type precision = w->j->precision;
    if (w->j->x->type != precision)
        round_to(w, precision, OC_F64, x, n);
    for (int64_t k = 0; k < n; k++)
        x[k] /= scale[k * step];
    round_to(w, precision, OC_F64, x, n);
    if (w->high == 0) {
        for (int64_t k = 0; k < n; k++)
            x[k] = zero[k * step] == 0 ? x[k] : x[k] + zero[k * step];
        return;
    }
    for (int64_t k = 0; k < n; k++) {
        const double z = zero[k * step], code = isnan(x[k]) ? z : rint(x[k]) + z;
        x[k] = code < w->low ? w->low : code > w->high ? w->high : code;
    }
}

static void dequantize_row(double *x, const double *scale, const double *zero, int64_t step,
                           int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        x[k] = (zero[k * step] == 0 ? x[k] : x[k] - zero[k * step]) * scale[k * step];
}

static void double_strip(const rows *w, int64_t at, int64_t s, int64_t step, int64_t n)
{
    const oc_quantize_job *j = w->j;
    double x[WIDE_STRIP], scale[WIDE_STRIP], zero[WIDE_STRIP] = {0};
    const int64_t scales = step ? n : 1;
    convert(w, x, OC_F64, element(j->x, at), j->x->type, n);
    convert(w, scale, OC_F64, element(j->scale, s), j->scale->type, scales);
    if (j->zero)
        convert(w, zero, OC_F64, element(j->zero, s), j->zero->type, scales);
    if (j->precision) {
        if (j->scale->type != j->precision)
            round_to(w, j->precision, OC_F64, scale, scales);
        quantize_row(w, x, scale, zero, step, n);
    } else {
        dequantize_row(x, scale, zero, step, n);
    }
    convert(w, (char *)j->y->data + oc_type_size(j->y->type) * (size_t)at, j->y->type, x, OC_F64,
            n);
}

/* ---- int32 without zero points */

static void whole_strip(const rows *w, int64_t at, int64_t s, int64_t step, int64_t n)
{
    const oc_quantize_job *j = w->j;
    w->kernel->from_whole((float *)j->y->data + at, element(j->x, at), element(j->scale, s), step,
                          n);
}

/* ---- all elements */

/* Computes elements first .. end - 1. */
static void quantize_span(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const rows *w = arg;
    const oc_scales *g = &w->j->scales;
    const bool last = g->inner == 1; /* neighbours along the axis then make a row */
    const int64_t run = !last ? 1 : g->block > 1 ? g->block : g->size;
    const int64_t step = last && g->block == 1 ? g->i_step : g->k_step * !last;
    for (int64_t at = first; at < end;) {
        const int64_t o = at / (g->size * g->inner), rest = at % (g->size * g->inner);
        const int64_t i = rest / (run * g->inner) * run, k = rest - i * g->inner;
        const int64_t left = (g->size - i < run ? g->size - i : run) * g->inner - k;
        const int64_t n = left < end - at ? left : end - at;
        const int64_t s = o * g->o_step + i / g->block * g->i_step + k * step;
        for (int64_t done = 0; done < n; done += w->most)
            w->strip(w, at + done, s + done * step, step, n - done < w->most ? n - done : w->most);
        at += n;
    }
}

/* Does computing in float give the bits of computing in double? */
static bool is_float(const oc_quantize_job *j)
{
    const oc_type_mask bytes = OC_SET_(I8) | OC_SET_(U8) | OC_SET_TINY_INT;
    const oc_type_mask words = OC_SET_(I16) | OC_SET_(U16), real = OC_SET_HALF | OC_SET_(F32);
    const oc_type x = j->x->type, y = j->y->type;
    if (!oc_type_in(j->scale->type, real))
        return false;
    if (j->precision)
        return oc_type_in(j->precision, real) && oc_type_in(y, bytes | words);
    return (y == OC_F32 && oc_type_in(x, bytes | words)) ||
           (j->scale->type != OC_F32 && oc_type_in(x, bytes));
}

/* Is this y = x * scale, x whole numbers of 32 bits? */
static bool is_whole(oc_call *c, const oc_quantize_job *j)
{
    const oc_value *zero = j->zero;
    const int64_t n = zero && zero->type == OC_I32 ? oc_value_n(zero) : 0;
    OC_CALL_LOOP (c, i, n, 1024)
        if (((const int32_t *)zero->data)[i])
            return false;
    return !j->precision && j->x->type == OC_I32 && j->scale->type == OC_F32 &&
           j->y->type == OC_F32;
}

void oc_quantize_run(oc_call *c, const oc_quantize_job *job)
{
    rows w = {.j = job, .cpu = oc_call_cpu(c), .strip = double_strip, .most = WIDE_STRIP};
    if (is_whole(c, job))
        w.strip = whole_strip;
    else if (is_float(job))
        w.strip = float_strip;
    if (w.strip != double_strip &&
        !oc_type_is_half(job->precision)) /* these quotients are rounded */
        w.most = STRIP;
    const oc_type type = job->y->type;
    const bool is_signed = oc_type_is_signed(type);
    const int64_t n = oc_value_n(job->y);
    if (n == 0)
        return;
    w.kernel = oc_quantize_pick(w.cpu);
    if (oc_type_is_integer(type)) {
        w.high = ldexp(1, oc_type_bits(type) - is_signed) - 1;
        w.low = is_signed ? -w.high - 1 : 0;
    }
    w.work = oc_call_work(c, (double)n * OC_ELEMENT);
    oc_work_run(&w.work, n, quantize_span, &w);
}
