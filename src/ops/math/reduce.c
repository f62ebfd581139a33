/* SPDX-License-Identifier: Apache-2.0
 * reduce.c - the Reduce operators: many elements to one along some axes.
 *
 * kernels/reduce/reduce.h states the order in which elements are combined. Roots and logarithms are
 * computed in double from the first element on, whatever the type. Otherwise float16 and bfloat16
 * are combined in float, and integers in int64 that wraps. Each result is then rounded, or cut as
 * Cast does, once. An integer mean is cut toward zero.
 *
 * The results for no elements are those of ONNX: 0, 1, -Inf or the least number, Inf or the
 * greatest; a mean of none is NaN, 0 for integers. With no axis to reduce (noop_with_empty_axes)
 * each element is a set of its own: ReduceLogSum is Log, and ReduceSumSquare is the square. */
#include "kernels/reduce/reduce.h"

#include "ops/kit/layout.h"

#include <math.h>

/* What distinguishes the operators of the family. */
typedef struct family {
    enum { SUM, PROD, MAX, MIN, LOG_SUM_EXP } fold;
    enum { AS_IS, ABS, SQUARE } map;
    enum { NOTHING, MEAN, ROOT, LOG } finish;
    double empty;
} family;

/* ---- axes */

typedef struct geometry {
    bool reduced[OC_MAX_RANK]; /* the axes to reduce */
} geometry;

static oc_status read_geometry(oc_call *c, geometry *g)
{
    oc_ints axes = {0};
    const int rank = oc_in(c, 0)->dims.rank;
    if (oc_in_or_null(c, 1))
        OC_TRY(oc_in_ints(c, 1, &axes));
    else if (oc_attr_has(c, "axes"))
        axes = oc_attr_ints(c, "axes");
    OC_TRY(oc_axes_set(c, "axes", axes, rank, g->reduced));
    const bool all = axes.n == 0 && !(oc_attr_has(c, "noop_with_empty_axes") &&
                                      oc_attr_int(c, "noop_with_empty_axes"));
    for (int a = 0; a < rank; a++)
        g->reduced[a] = g->reduced[a] || all;
    return OC_OK;
}

static oc_status reduce_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    geometry g;
    OC_TRY(read_geometry(c, &g));
    oc_dims y = {.rank = 0};
    const bool keep = oc_attr_int(c, "keepdims") != 0;
    for (int a = 0; a < x->dims.rank; a++)
        if (!g.reduced[a] || keep)
            y.n[y.rank++] = g.reduced[a] ? 1 : x->dims.n[a];
    return oc_set_out(c, 0, x->type, &y);
}

/* Blocks of channels stay where neither images nor channels are reduced. */
static void reduce_layouts(oc_call *c, oc_layouts *l)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    geometry g = {{false}};
    if (!oc_nchw16c_fits_real(x->type, &x->dims) || read_geometry(c, &g) != OC_OK || g.reduced[0] ||
        g.reduced[1])
        return;
    l->blocked = 1;
    l->out = oc_attr_int(c, "keepdims") != 0 && oc_nchw16c_fits_real(y->type, &y->dims);
}

/* Drops axes of size 1, and merges neighbours that are both reduced or both kept. */
static void group_axes(oc_reduce *r, const oc_dims *x, const bool reduced[OC_MAX_RANK])
{
    oc_reduce_axis group[OC_MAX_RANK];
    bool kind[OC_MAX_RANK];
    int n = 0;
    int64_t step = 1;
    for (int a = x->rank - 1; a >= 0; a--) {
        if (x->n[a] == 1)
            continue;
        if (n == 0 || kind[n - 1] != reduced[a]) {
            kind[n] = reduced[a];
            group[n++] = (oc_reduce_axis){1, step};
        }
        group[n - 1].n *= x->n[a];
        step *= x->n[a];
    }
    while (n-- > 0)
        if (kind[n])
            r->reduced[r->n_reduced++] = group[n];
        else
            r->kept[r->n_kept++] = group[n];
}

/* ---- elements to partial results, and partial results to results */

typedef struct job {
    oc_type type, wide; /* type of the elements, and type in which they are combined */
    bool is_narrow;     /* finds the extreme of integers in their own type */
    bool flip;          /* uint64 in the order of int64: the top bit inverted */
    void (*map)(void *x, int64_t n);
    unsigned cpu;
    const oc_elementary *functions;
    const family *f;
    oc_value *y;
    int64_t n; /* number of elements that one result combines */
} job;

enum { PART = OC_REDUCE_WIDTH };

static void flip(void *x_, int64_t n)
{
    uint64_t *x = x_;
    for (int64_t k = 0; k < n; k++)
        x[k] ^= UINT64_C(1) << 63;
}

static void load(const void *ctx, void *to, const void *from, int64_t n)
{
    const job *t = ctx;
    oc_convert_fast(t->cpu, to, t->wide, from, t->type, n);
    if (t->map)
        t->map(to, n);
}

/* Turns sums into integer means. */
static void divide(int64_t *sum, bool is_signed, int64_t n, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        sum[k] = is_signed ? sum[k] / n : (int64_t)((uint64_t)sum[k] / (uint64_t)n);
}

static void store(const void *ctx, const void *result, int64_t first, int64_t count)
{
    const job *t = ctx;
    const oc_type type = t->type;
    const int finish = (int)t->f->finish;
    char *y = (char *)t->y->data + (size_t)first * oc_type_size(type);
    if (t->is_narrow) {
        memcpy(y, result, (size_t)count * oc_type_size(type));
        return;
    }
    if (t->wide == OC_I64) {
        int64_t x[PART];
        memcpy(x, result, (size_t)count * sizeof *x);
        if (t->flip)
            flip(x, count);
        if (finish == MEAN)
            divide(x, oc_type_in(type, OC_SET_SIGNED), t->n, count);
        oc_convert(y, type, x, OC_I64, count, false);
        return;
    }
    double x[PART];
    oc_convert(x, OC_F64, result, t->wide, count, false);
    for (int64_t k = 0; (finish == MEAN || finish == ROOT) && k < count; k++)
        x[k] = finish == MEAN ? x[k] / (double)t->n : sqrt(x[k]);
    if (finish == LOG)
        oc_elementary_apply(t->functions->log, x, count);
    oc_convert_fast(t->cpu, y, type, x, OC_F64, count);
}

static void fill_empty(oc_call *c, oc_value *y, double empty)
{
    double x[PART];
    const double truth = empty > 0; /* false is the least bool */
    for (int k = 0; k < PART; k++)
        x[k] = y->type == OC_BOOL ? truth : empty;
    char *to = y->data;
    OC_CALL_PIECES (c, p, oc_value_n(y), PART)
        for (int64_t k = p.first; k < p.end; k += PART)
            oc_convert(to + (size_t)k * oc_type_size(y->type), y->type, x, OC_F64,
                       p.end - k < PART ? p.end - k : PART, false);
}

/* ---- running */

/* Integers whose maximum and minimum are found in their own type; those of others in int64. */
#define NARROW                                                                                     \
    (OC_SET_(I8) | OC_SET_(U8) | OC_SET_(I16) | OC_SET_(U16) | OC_SET_(I32) | OC_SET_(U32))

/* Input and output as arrays of elements in memory. *made: the output in NCHW16c that output 0 is
 * to be copied from, if it is in NCHW. */
static oc_status elements(oc_call *c, const geometry *g, oc_value *x, oc_value *y, oc_value *made)
{
    const oc_value *in = oc_in(c, 0), *out = oc_out(c, 0);
    *made = (oc_value){0};
    *x = *in;
    *y = *out;
    if (!in->nchw16c)
        return OC_OK;
    *x = oc_value_in_memory(in);
    *made = *in;
    for (int a = 2; a < in->dims.rank; a++)
        made->dims.n[a] = g->reduced[a] ? 1 : in->dims.n[a];
    made->data = out->data;
    const oc_dims in_memory = oc_value_block_dims(&made->dims);
    if (!out->nchw16c)
        OC_TRY(OC_SCRATCH_OF(c, made->data, oc_dims_count(&in_memory), oc_type_size(in->type)));
    *y = oc_value_in_memory(made);
    return OC_OK;
}

static oc_status reduce(oc_call *c, const family *f)
{
    geometry g;
    oc_value from, to, made;
    const oc_value *x = &from;
    oc_value *y = &to;
    OC_TRY(read_geometry(c, &g));
    if (oc_value_n(oc_out(c, 0)) == 0)
        return OC_OK;
    if (oc_value_n(oc_in(c, 0)) == 0) {
        fill_empty(c, oc_out(c, 0), f->empty);
        return OC_OK;
    }
    OC_TRY(elements(c, &g, &from, &to, &made));
    const bool half = oc_type_is_half(x->type);
    const bool order = f->fold == MAX || f->fold == MIN;
    job t = {.type = x->type, .f = f, .y = y, .n = oc_value_n(x) / oc_value_n(y)};
    const bool smooth = f->fold == LOG_SUM_EXP || f->finish == ROOT || f->finish == LOG;
    t.wide = smooth || x->type == OC_F64 ? OC_F64 : half || x->type == OC_F32 ? OC_F32 : OC_I64;
    t.is_narrow = order && oc_type_in(x->type, NARROW);
    if (t.is_narrow)
        t.wide = x->type;
    t.cpu = oc_call_cpu(c);
    const oc_folds *folds = oc_folds_pick(t.wide, t.cpu);
    const oc_fold *fold[] = {&folds->sum, &folds->prod, &folds->max, &folds->min, &folds->sum};
    const bool is_unsigned = oc_type_in(x->type, OC_SET_UNSIGNED);
    t.flip = order && x->type == OC_U64;
    t.functions = oc_elementary_pick(t.cpu);
    t.map = t.flip                          ? flip
            : f->map == ABS && !is_unsigned ? folds->abs
            : f->map == SQUARE              ? folds->square
                                            : NULL;
    oc_reduce r = {.x = x->data,
                   .x_size = oc_type_size(x->type),
                   .store = store,
                   .ctx = &t,
                   .work = oc_call_all(c)};
    group_axes(&r, &x->dims, g.reduced);
    r.fold = fold[f->fold];
    r.log_sum_exp = f->fold == LOG_SUM_EXP ? t.functions : NULL;
    r.folds = folds;
    const bool as_is = t.wide == t.type || (t.wide == OC_I64 && t.type == OC_U64);
    r.load = t.map || !as_is ? load : NULL;
    r.lines = r.load || r.log_sum_exp ? NULL : r.fold->lines;
    if (t.type == OC_F32 && t.wide == OC_F64 && f->map == SQUARE) {
        r.load = folds->load_squares;
        r.lines = folds->square_lines;
    }
    oc_reduce_run(&r);
    if (made.nchw16c && !oc_out(c, 0)->nchw16c) {
        oc_value nchw = *oc_out(c, 0);
        nchw.dims = made.dims;
        oc_call_copy_layout(c, &nchw, &made);
    }
    return OC_OK;
}

#define RUN(op, ...)                                                                               \
    static oc_status op##_run(oc_call *c)                                                          \
    {                                                                                              \
        static const family f = {__VA_ARGS__};                                                     \
        return reduce(c, &f);                                                                      \
    }

/* clang-format off */
RUN(ReduceL1,        SUM,         ABS,    NOTHING, 0)
RUN(ReduceL2,        SUM,         SQUARE, ROOT,    0)
RUN(ReduceLogSum,    SUM,         AS_IS,  LOG,     -INFINITY)
RUN(ReduceLogSumExp, LOG_SUM_EXP, AS_IS,  NOTHING, -INFINITY)
RUN(ReduceMax,       MAX,         AS_IS,  NOTHING, -INFINITY)
RUN(ReduceMean,      SUM,         AS_IS,  MEAN,    NAN)
RUN(ReduceMin,       MIN,         AS_IS,  NOTHING, INFINITY)
RUN(ReduceProd,      PROD,        AS_IS,  NOTHING, 1)
RUN(ReduceSum,       SUM,         AS_IS,  NOTHING, 0)
RUN(ReduceSumSquare, SUM,         SQUARE, NOTHING, 0)

#define BY_INPUT(since, op, set)                                                                   \
    {since, #op " <int keepdims = 1, int noop_with_empty_axes = 0> (T data, int64 axes!?)"         \
     " => (T reduced) | T: " set, reduce_shape, op##_run, OC_TRAITS(.layouts = reduce_layouts)}
#define BY_ATTR(since, op, set)                                                                    \
    {since, #op " <ints axes?, int keepdims = 1> (T data) => (T reduced) | T: " set,               \
     reduce_shape, op##_run, OC_TRAITS(.layouts = reduce_layouts)}
#define CHANGE "; change input 1 from axes"
#define ROWS(op)                                                                                   \
    BY_INPUT(18, op, "high_precision_ir4" CHANGE), BY_ATTR(13, op, "high_precision_ir4"),                 \
    BY_ATTR(11, op, "high_precision"), BY_ATTR(1, op, "high_precision") /* 11: negative axes */
#define EXTREME(op)                                                                                \
    BY_INPUT(20, op, "high_precision_ir4 int8 uint8 bool"),                                        \
    BY_INPUT(18, op, "high_precision_ir4 int8 uint8" CHANGE),                                      \
    BY_ATTR(13, op, "high_precision_ir4 int8 uint8"),                                              \
    BY_ATTR(12, op, "high_precision int8 uint8"),                                                  \
    BY_ATTR(11, op, "high_precision"), BY_ATTR(1, op, "high_precision")

const oc_op oc_ops_reduce[] = {
    ROWS(ReduceL1),
    ROWS(ReduceL2),
    ROWS(ReduceLogSum),
    ROWS(ReduceLogSumExp),
    EXTREME(ReduceMax),
    ROWS(ReduceMean),
    EXTREME(ReduceMin),
    ROWS(ReduceProd),
    BY_INPUT(13, ReduceSum, "high_precision_ir4" CHANGE),
    BY_ATTR(11, ReduceSum, "high_precision"),
    BY_ATTR(1, ReduceSum, "high_precision"),
    ROWS(ReduceSumSquare),
    {0}
};
