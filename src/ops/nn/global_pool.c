/* SPDX-License-Identifier: Apache-2.0
 * global_pool.c - GlobalAveragePool, GlobalMaxPool and GlobalLpPool: one value for each channel.
 *
 * kernels/reduce/reduce.h states the order in which pixels are combined. Norms are computed in
 * double, whatever the type, and float16 and bfloat16 otherwise in float. Each result is rounded
 * once. A channel without pixels has the average NaN, the maximum -Inf and the norm 0. */
#include "kernels/elementwise/quantize.h"
#include "kernels/reduce/reduce.h"

#include "ops/kit/layout.h"
#include "ops/nn/lp.h"

enum { PART = OC_REDUCE_WIDTH };

/* What the codes of x and y mean, for QLinearGlobalAveragePool. flip turns signed codes into codes
 * from 0 on. */
typedef struct coded {
    uint8_t flip;
    float x_zero, x_scale, y_zero, y_scale;
    oc_codes to;
    const oc_quantize_variant *kernel;
} coded;

typedef enum pool_kind { AVERAGE, MAX, LP } pool_kind;

/* What all pieces of work share. */
typedef struct job {
    pool_kind kind;
    oc_type type, wide; /* type of the elements, and type in which they are combined */
    double p;           /* the exponent of LP */
    int64_t n;          /* pixels of a channel */
    oc_value *y;
    const coded *codes; /* how codes become numbers; NULL: elements are numbers */
    unsigned cpu;
} job;

static oc_status global_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    OC_TRY(oc_expect_rank(c, 0, 2, OC_MAX_RANK));
    oc_dims y = x->dims;
    for (int a = 2; a < y.rank; a++)
        y.n[a] = 1;
    return oc_set_out(c, 0, x->type, &y);
}

static oc_status lp_shape(oc_call *c)
{
    double p;
    OC_TRY(oc_lp_read(c, &p));
    return global_shape(c);
}

static void load(const void *ctx, void *to, const void *from, int64_t n)
{
    const job *t = ctx;
    if (t->codes) {
        const coded *k = t->codes;
        k->kernel->from_8(to, from, k->flip, k->x_zero, k->x_scale, n);
        return;
    }
    oc_convert_fast(t->cpu, to, t->wide, from, t->type, n);
    double *x = to;
    for (int64_t i = 0; i < n && t->kind == LP; i++)
        x[i] = oc_lp_power(x[i], t->p);
}

static void store(const void *ctx, const void *result, int64_t first, int64_t n)
{
    const job *t = ctx;
    double x[PART];
    oc_convert(x, OC_F64, result, t->wide, n, false);
    for (int64_t i = 0; i < n && t->kind != MAX; i++)
        x[i] = t->kind == AVERAGE ? x[i] / (double)t->n : oc_lp_root(x[i], t->p);
    char *y = (char *)t->y->data + (size_t)first * oc_type_size(t->type);
    if (t->codes) {
        float mean[PART];
        oc_convert(mean, OC_F32, x, OC_F64, n, false);
        t->codes->kernel->to_8((uint8_t *)y, mean, &t->codes->to, n);
        return;
    }
    oc_convert_fast(t->cpu, y, t->type, x, OC_F64, n);
}

/* Fills the result of channels without pixels. */
static void fill_empty(oc_call *c, oc_value *y, pool_kind kind)
{
    const double value = kind == AVERAGE ? NAN : kind == MAX ? -INFINITY : 0;
    uint64_t bits;
    oc_convert(&bits, y->type, &value, OC_F64, 1, false);
    oc_call_fill(c, y->data, oc_value_n(y), &bits, oc_type_size(y->type));
}

/* ---- halves in NCHW16c: the pixels of a block of channels are widened as one ---- */

typedef struct widening {
    const job *t;
    const uint16_t *x;
    float *scratch; /* room of the first task */
    const oc_fold *fold;
} widening;

static void widen_blocks(void *arg, int task, int64_t first, int64_t end)
{
    const widening *w = arg;
    const int64_t n = w->t->n * OC_VALUE_BLOCK;
    float *x = w->scratch + task * n, result[OC_VALUE_BLOCK];
    for (int64_t i = first; i < end; i++) {
        oc_convert_fast(w->t->cpu, x, OC_F32, w->x + i * n, w->t->type, n);
        w->fold->beside(result, x, w->t->n);
        store(w->t, result, i * OC_VALUE_BLOCK, OC_VALUE_BLOCK);
    }
}

static oc_status reduce_halves(oc_call *c, const job *t, const oc_value *x, const oc_fold *fold)
{
    const int64_t n = oc_value_n(x), each = t->n * OC_VALUE_BLOCK;
    const oc_work work = oc_call_work(c, (double)n * OC_ELEMENT / 2);
    widening w = {.t = t, .x = x->data, .fold = fold};
    OC_TRY(OC_SCRATCH(c, w.scratch, oc_work_most_tasks(&work) * each));
    oc_work_run(&work, n / each, widen_blocks, &w);
    return OC_OK;
}

/* block: channels that lie side by side; x and y are [.., pixels, block]. */
static oc_status reduce(oc_call *c, job *t, const oc_value *x, int64_t channels, int64_t block)
{
    const oc_folds *folds = oc_folds_pick(t->wide, t->cpu);
    oc_reduce r = {.x = x->data,
                   .x_size = oc_type_size(x->type),
                   .n_kept = block > 1 ? 2 : 1,
                   .n_reduced = 1,
                   .kept = {{channels / block, t->n * block}, {block, 1}},
                   .reduced = {{t->n, block}},
                   .fold = t->kind == MAX ? &folds->max : &folds->sum,
                   .load = t->kind == LP || t->wide != t->type ? load : NULL,
                   .store = store,
                   .ctx = t,
                   .work = oc_call_all(c)};
    r.lines = r.load ? NULL : r.fold->lines;
    if (block == OC_VALUE_BLOCK && t->kind != LP && oc_type_is_half(t->type) && r.fold->beside &&
        t->n <= OC_REDUCE_BLOCK)
        return reduce_halves(c, t, x, r.fold);
    oc_reduce_run(&r);
    return OC_OK;
}

static oc_status global_run(oc_call *c, pool_kind kind)
{
    oc_value from = *oc_in(c, 0), to = *oc_out(c, 0);
    const oc_value *x = &from;
    if (to.nchw16c) { /* the 16 channels side by side are an axis */
        from = oc_value_in_memory(oc_in(c, 0));
        to = oc_value_in_memory(&to);
    }
    job t = {.kind = kind, .type = x->type, .y = &to, .cpu = oc_call_cpu(c)};
    const int64_t block = oc_out(c, 0)->nchw16c ? OC_VALUE_BLOCK : 1;
    const int64_t channels = oc_value_n(t.y);
    if (kind == LP)
        OC_TRY(oc_lp_read(c, &t.p));
    t.wide = kind == LP ? OC_F64 : oc_type_real(x->type);
    t.n = oc_dims_product(&x->dims, 2, x->dims.rank) / block;
    if (channels == 0)
        return OC_OK;
    if (t.n == 0) {
        fill_empty(c, t.y, kind);
        return OC_OK;
    }
    return reduce(c, &t, x, channels, block);
}

OC_CALL_FN(average_run, global_run(c, AVERAGE))
OC_CALL_FN(max_run, global_run(c, MAX))
OC_CALL_FN(lp_run, global_run(c, LP))

/* ---- QLinearGlobalAveragePool of com.microsoft: the mean of dequantised numbers, quantised */

enum { X, X_SCALE, X_ZERO, Y_SCALE, Y_ZERO };

static oc_status coded_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, X);
    const int last = oc_attr_int(c, "channels_last") != 0;
    OC_TRY(oc_expect_rank(c, X, 2, OC_MAX_RANK));
    for (int i = X_SCALE; i <= Y_ZERO; i++)
        OC_TRY(oc_expect_one(c, i));
    oc_dims y = x->dims;
    for (int a = 2 - last; a < y.rank - last; a++)
        y.n[a] = 1;
    return oc_set_out(c, 0, x->type, &y);
}

static coded read_codes(const oc_call *c)
{
    const uint8_t flip = oc_in(c, X)->type == OC_I8 ? 128 : 0;
    return (coded){.flip = flip,
                   .x_zero = oc_in_zero(c, X_ZERO) + (float)flip,
                   .x_scale = *(const float *)oc_in(c, X_SCALE)->data,
                   .y_zero = oc_in_zero(c, Y_ZERO),
                   .y_scale = *(const float *)oc_in(c, Y_SCALE)->data,
                   .kernel = oc_quantize_pick(oc_call_cpu(c))};
}

static oc_status coded_run(oc_call *c)
{
    const bool last = oc_attr_int(c, "channels_last") != 0;
    oc_value x = *oc_in(c, X), y = *oc_out(c, 0);
    coded codes = read_codes(c);
    if (y.nchw16c) {
        x = oc_value_in_memory(oc_in(c, X));
        y = oc_value_in_memory(&y);
    }
    job t = {.kind = AVERAGE, .type = x.type, .wide = OC_F32, .y = &y, .codes = &codes};
    const int64_t channels = oc_value_n(&y);
    const int64_t block = oc_out(c, 0)->nchw16c ? OC_VALUE_BLOCK
                          : last                ? y.dims.n[y.dims.rank - 1]
                                                : 1;
    t.cpu = oc_call_cpu(c);
    codes.to = (oc_codes){.scale = &codes.y_scale, .zero = &codes.y_zero};
    oc_call_code_limits(c, x.type, &codes.to.low, &codes.to.high);
    if (channels == 0)
        return OC_OK;
    t.n = oc_value_n(&x) / channels;
    if (t.n > 0)
        return reduce(c, &t, &x, channels, block);
    const uint8_t none = (uint8_t)(int)codes.y_zero; /* the code of NaN */
    oc_call_fill(c, y.data, channels, &none, 1);
    return OC_OK;
}

static void coded_layouts(oc_call *c, oc_layouts *l)
{
    const oc_value *x = oc_in(c, X), *y = oc_out(c, 0);
    l->out = !oc_attr_int(c, "channels_last") && oc_nchw16c_fits(x->type, &x->dims) &&
             oc_nchw16c_fits(y->type, &y->dims);
    l->blocked = l->out;
}

static const oc_on_codes average_on_codes = {"com.microsoft", "QLinearGlobalAveragePool",
                                             "0x0s0zysyz", .exact = true};

/* clang-format off */
#define RUN(run) run, OC_TRAITS(.layouts = oc_same_layouts)
#define AVERAGE_RUN average_run, OC_TRAITS(.layouts = oc_same_layouts, .on_codes = &average_on_codes)
#define SIG(op, attrs, set) op attrs " (T X) => (T Y) | T: " set
const oc_op oc_ops_global_pool[] = {
    {22, SIG("GlobalAveragePool", "", "float_ir4"), global_shape, AVERAGE_RUN},
    { 1, SIG("GlobalAveragePool", "", "ieee"),      global_shape, AVERAGE_RUN},
    {22, SIG("GlobalLpPool", " <int p = 2>", "float_ir4"), lp_shape, RUN(lp_run)},
    { 2, SIG("GlobalLpPool", " <int p = 2>", "ieee"),      lp_shape, RUN(lp_run)},
    { 1, SIG("GlobalLpPool", " <float p = 2.0>", "ieee"),  lp_shape, RUN(lp_run)},
    {22, SIG("GlobalMaxPool", "", "float_ir4"), global_shape, RUN(max_run)},
    { 1, SIG("GlobalMaxPool", "", "ieee"),      global_shape, RUN(max_run)},
    { 1, "com.microsoft::QLinearGlobalAveragePool <int channels_last = 0> (T X, float x_scale, "
         "T x_zero_point?, float y_scale, T y_zero_point?) => (T Y) | T: int8 uint8",
     coded_shape, coded_run, OC_TRAITS(.layouts = coded_layouts)},
    {0}
};
