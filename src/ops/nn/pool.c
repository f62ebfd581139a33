/* SPDX-License-Identifier: Apache-2.0
 * pool.c - MaxPool, AveragePool and LpPool.
 *
 * float16 and bfloat16 are averaged in float. LpPool is computed in double, whatever the type. Each
 * result is rounded once. Padding never takes part, except that an average with count_include_pad
 * counts its pixels as zeros. A window that has no pixel gives -Inf (the least integer) and index
 * -1 as maximum, and 0 as average and norm. */
#include "kernels/elementwise/row.h"
#include "kernels/pool/pool_planes.h"
#include "kernels/pool/pool.h"

#include "ops/kit/layout.h"
#include "ops/nn/lp.h"
#include "ops/nn/window_attrs.h"

static oc_status read_geometry(oc_call *c, oc_window *w)
{
    oc_auto_pad auto_pad;
    OC_TRY(oc_expect_rank(c, 0, 3, OC_MAX_RANK));
    OC_TRY(oc_window_image(c, &oc_in(c, 0)->dims, w));
    OC_TRY(oc_window_attrs(c, w, &auto_pad));
    if (!oc_attr_has(c, "kernel_shape"))
        return oc_fail(c, OC_VALUE, "there is no attribute 'kernel_shape', expected %d entries",
                       w->axes);
    OC_TRY(oc_attr_per_axis(c, "kernel_shape", w->axes, 1, 1, w->kernel));
    return oc_window_slide(c, w, auto_pad, oc_attr_int(c, "ceil_mode") != 0);
}

static oc_status pool_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    oc_window w;
    OC_TRY(read_geometry(c, &w));
    oc_dims y = x->dims;
    for (int a = 0; a < w.axes; a++)
        y.n[a + 2] = w.out[a];
    OC_TRY(oc_set_out(c, 0, x->type, &y));
    return oc_set_out(c, 1, OC_I64, &y);
}

/* Leaves out axes of one pixel, so that rows are as long as can be. */
static void drop_axes(oc_window *w)
{
    int n = 0;
    for (int a = 0; a < w->axes; a++) {
        if (w->in[a] == 1 && w->out[a] == 1 && w->kernel[a] == 1 && w->pad[a] == 0 &&
            (n > 0 || a + 1 < w->axes))
            continue;
        w->in[n] = w->in[a], w->out[n] = w->out[a], w->kernel[n] = w->kernel[a];
        w->stride[n] = w->stride[a], w->dilation[n] = w->dilation[a];
        w->pad[n] = w->pad[a], w->pad_end[n] = w->pad_end[a];
        n++;
    }
    w->axes = n;
}

/* Pools x, of type g->type, into g->y. */
static oc_status run_pooling(oc_call *c, oc_pooling *g)
{
    const oc_dims *dims = &oc_in(c, 0)->dims;
    uint64_t bytes;
    char *scratch;
    g->loops = oc_pool_pick(oc_call_cpu(c));
    g->rows = oc_pool_rows_pick(oc_call_cpu(c));
    g->planes = dims->n[0] * dims->n[1];
    drop_axes(&g->window);
    g->work = oc_call_work(c, (double)g->planes * oc_window_taps(&g->window) * OC_ELEMENT);
    if (!oc_pooling_scratch(g, g->work.threads, &bytes))
        return oc_fail(c, OC_LIMIT, "the rows of X are too long");
    OC_TRY(OC_SCRATCH(c, scratch, bytes));
    oc_pooling_run(g, scratch);
    return OC_OK;
}

/* Returns the number of results, which all outputs have. */
static int64_t count_results(const oc_call *c, const oc_window *w)
{
    oc_dims y = oc_in(c, 0)->dims;
    for (int a = 0; a < w->axes; a++)
        y.n[a + 2] = w->out[a];
    return oc_dims_count(&y);
}

/* MaxPool and AveragePool work in NCHW16c too, but give no indices there. */
static void folding_layouts(oc_call *c, oc_layouts *l)
{
    oc_window w;
    if (oc_wants(c, 1) || read_geometry(c, &w) != OC_OK)
        return;
    drop_axes(&w);
    if (!oc_pool_nchw16c_suits(&w))
        return;
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    l->out = oc_nchw16c_fits(x->type, &x->dims) && oc_nchw16c_fits(y->type, &y->dims);
    l->blocked = l->out;
}

static oc_status run_in_nchw16c(oc_call *c, const oc_pooling *g)
{
    static const oc_pool_element elements[OC_N_TYPES] = {[OC_F16] = OC_POOL_F16,
                                                         [OC_BF16] = OC_POOL_BF16,
                                                         [OC_U8] = OC_POOL_U8,
                                                         [OC_I8] = OC_POOL_I8};
    const oc_value *x = oc_in(c, 0);
    char *scratch;
    oc_pool_nchw16c l = {.cpu = oc_call_cpu(c),
                         .element = elements[x->type],
                         .average = g->kind == OC_POOL_AVERAGE,
                         .count_pad = g->count_pad,
                         .x = x->data,
                         .y = oc_out(c, 0)->data,
                         .blocks = x->dims.n[0] * oc_value_block_dims(&x->dims).n[1],
                         .window = g->window};
    drop_axes(&l.window);
    const double taps = (double)l.blocks * OC_VALUE_BLOCK * oc_window_taps(&l.window);
    l.work = oc_call_work(c, taps * OC_ELEMENT / 2);
    OC_TRY(OC_SCRATCH(c, scratch, oc_pool_nchw16c_scratch(&l, oc_work_most_tasks(&l.work))));
    l.scratch = scratch;
    oc_pool_nchw16c_run(&l);
    return OC_OK;
}

/* Pools floats in NCHW, 16 planes at a time. *done is false if they do not suit. */
static oc_status pool_by_planes(oc_call *c, const oc_pooling *g, bool *done)
{
    const oc_dims *dims = &oc_in(c, 0)->dims;
    const int64_t planes = dims->n[0] * dims->n[1];
    char *scratch;
    oc_pool_nchw16c p = {.cpu = oc_call_cpu(c),
                         .average = g->kind == OC_POOL_AVERAGE,
                         .count_pad = g->count_pad,
                         .x = g->x,
                         .y = g->y,
                         .window = g->window};
    drop_axes(&p.window);
    *done = g->type == OC_F32 && !g->index && oc_pool_planes_suits(&p, planes);
    if (!*done)
        return OC_OK;
    p.work = oc_call_work(c, (double)planes * oc_window_taps(&p.window) * OC_ELEMENT);
    OC_TRY(OC_SCRATCH(c, scratch, oc_pool_planes_scratch(&p, p.work.threads)));
    oc_pool_planes_run(&p, planes, scratch);
    return OC_OK;
}

static oc_status pool_run(oc_call *c, oc_pooling *g)
{
    const oc_type type = oc_in(c, 0)->type;
    OC_TRY(read_geometry(c, &g->window));
    oc_window_remark(c);
    const int64_t n = count_results(c, &g->window);
    if (n == 0)
        return OC_OK;
    if (oc_out(c, 0)->nchw16c)
        return run_in_nchw16c(c, g);
    g->type = type == OC_I8 || type == OC_U8 ? type : oc_type_real(type);
    OC_TRY(oc_in_as(c, 0, g->type, &g->x));
    OC_TRY(oc_out_as(c, 0, g->type, n, &g->y));
    bool done;
    OC_TRY(pool_by_planes(c, g, &done));
    if (!done)
        OC_TRY(run_pooling(c, g));
    oc_out_from(c, 0, g->type, g->y);
    return OC_OK;
}

/* ---- MaxPool ---- */

/* Turns indices into those of X with the spatial axes stored in reverse order. */
static void reverse_order(oc_call *c, int64_t *index, int64_t n, const oc_dims *x)
{
    const int64_t pixels = oc_dims_product(x, 2, x->rank);
    OC_CALL_LOOP (c, i, n, 64) {
        if (index[i] < 0)
            continue;
        int64_t rest = index[i] % pixels, place = 0, step = pixels;
        for (int a = x->rank - 1; a >= 2; a--) {
            step /= x->n[a];
            place += rest % x->n[a] * step;
            rest /= x->n[a];
        }
        index[i] += place - index[i] % pixels;
    }
}

static oc_status max_run(oc_call *c)
{
    oc_value *index = oc_out_or_null(c, 1);
    oc_pooling g = {.kind = OC_POOL_MAX, .index = index ? index->data : NULL};
    OC_TRY(pool_run(c, &g));
    if (index && oc_attr_int(c, "storage_order") != 0)
        reverse_order(c, index->data, oc_value_n(index), &oc_in(c, 0)->dims);
    return OC_OK;
}

/* ---- AveragePool ---- */

static oc_status average_run(oc_call *c)
{
    oc_pooling g = {.kind = OC_POOL_AVERAGE, .count_pad = oc_attr_int(c, "count_include_pad") != 0};
    return pool_run(c, &g);
}

/* ---- LpPool: powers of all elements, their sums, the roots of these ---- */

static oc_status lp_shape(oc_call *c)
{
    double p;
    OC_TRY(oc_lp_read(c, &p));
    return pool_shape(c);
}

OC_ROW1(powers_f32, float, double, oc_lp_power((double)x, *(const double *)ctx))
OC_ROW1(powers_f64, double, double, oc_lp_power(x, *(const double *)ctx))

static void roots(void *y_, const void *const x_[], OC_UNUSED const int64_t step[], int64_t n,
                  const void *p_)
{
    const double *x = x_[0], p = *(const double *)p_;
    double *y = y_;
    for (int64_t i = 0; i < n; i++)
        y[i] = oc_lp_root(x[i], p);
}

static oc_status lp_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    const oc_type real = oc_type_real(x->type);
    oc_pooling g = {.kind = OC_POOL_SUM, .type = OC_F64};
    double p, *powers;
    const void *data;
    OC_TRY(oc_lp_read(c, &p));
    OC_TRY(read_geometry(c, &g.window));
    oc_window_remark(c);
    if (oc_value_n(y) == 0)
        return OC_OK;
    OC_TRY(oc_in_as(c, 0, real, &data));
    OC_TRY(OC_SCRATCH(c, powers, oc_value_n(x)));
    OC_TRY(oc_out_as(c, 0, OC_F64, oc_value_n(y), &g.y));
    const oc_value from = oc_value_borrow(real, x->dims, data);
    oc_value to = oc_value_borrow(OC_F64, x->dims, powers);
    oc_call_map(c, &to, &(const oc_value *){&from}, 1, real == OC_F64 ? powers_f64 : powers_f32,
                &p);
    g.x = powers;
    OC_TRY(run_pooling(c, &g));
    oc_value sums = oc_value_borrow(OC_F64, y->dims, g.y);
    oc_call_map(c, &sums, &(const oc_value *){&sums}, 1, roots, &p);
    oc_out_from(c, 0, OC_F64, g.y);
    return OC_OK;
}

/* The greatest pixel is moved, where nobody asks for its index. */
static void max_moves(const oc_call *c, oc_moves *m)
{
    m->inputs = oc_n_out(c) == 1;
    m->largest = true;
}

/* clang-format off */
#define WINDOW "string auto_pad = \"NOTSET\", ints kernel_shape, ints pads?, ints strides?"
#define CEIL   ", int ceil_mode+ = 0"
#define DILATE ", ints dilations+?"
#define COUNT  ", int count_include_pad+ = 0"
#define ORDER  ", int storage_order+ = 0"
#define SIG(op, x, attrs, out, set) op " <" WINDOW attrs "> (T " x ") => (T Y" out ") | T: " set
#define FOLDING(run) pool_shape, run, OC_TRAITS(.layouts = folding_layouts)
#define MAXIMUM pool_shape, max_run, OC_TRAITS(.layouts = folding_layouts, .moves = max_moves)
#define AVERAGE(since, attrs, set) \
    {since, SIG("AveragePool", "X", attrs, "", set), FOLDING(average_run)}
#define LP(since, attrs, set) \
    {since, SIG("LpPool", "X", ", int p = 2" attrs, "", set), lp_shape, lp_run}
#define MAX(since, attrs, set) \
    {since, SIG("MaxPool", "X", ORDER attrs, ", int64 Indices?", set), MAXIMUM}

const oc_op oc_ops_pool[] = {
    AVERAGE(22, CEIL DILATE COUNT, "float_ir4"),
    AVERAGE(19, CEIL DILATE COUNT, "ieee"),
    AVERAGE(11, CEIL COUNT, "ieee"),
    AVERAGE(10, CEIL COUNT, "ieee"),
    AVERAGE( 7, COUNT, "ieee"),
    AVERAGE( 1, "", "ieee"),
    LP(22, CEIL DILATE, "float_ir4"),
    LP(18, CEIL DILATE, "ieee"),
    LP(11, "", "ieee"),
    LP( 2, "", "ieee"),
    { 1, "LpPool <string auto_pad = \"NOTSET\", ints kernel_shape?, float p = 2.0, ints pads?, "
         "ints strides?> (T X) => (T Y) | T: ieee", lp_shape, lp_run},
    MAX(22, CEIL DILATE, "float_ir4 int8 uint8"),
    MAX(12, CEIL DILATE, "ieee int8 uint8"),
    MAX(11, CEIL DILATE, "ieee"),
    MAX(10, CEIL DILATE, "ieee"),
    MAX( 8, "", "ieee"),
    { 1, SIG("MaxPool", "X", "", "", "ieee"), MAXIMUM},
    {0}
};
