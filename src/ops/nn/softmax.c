/* SPDX-License-Identifier: Apache-2.0
 * softmax.c - Softmax, LogSoftmax and Hardmax, along one axis or over all from one axis on.
 *
 * An axis that is not the innermost is walked in blocks of columns. float16 and bfloat16 are
 * computed in float and rounded once. */
#include "kernels/normalize/normalize.h"
#include "ops/kit/op.h"

enum {
    READS = 3, /* reads of an element: for the maximum, the sum, and the result */
    TILE = 512 /* a tile of short rows of halves has at least this many elements */
};

typedef struct job {
    oc_softmax_fn *fn;
    oc_softmax_rows_fn *rows; /* computes many short rows; NULL: fn computes each column */
    bool as_log;
    oc_type half; /* float16 or bfloat16; OC_UNDEFINED: fn takes the elements as they are */
    unsigned cpu;
    const char *x;
    char *y;
    size_t elem;
    int64_t n, inner; /* elements along the axis; step from one to the next */
    int64_t width;    /* columns of a block; 1 if the axis is innermost */
    int64_t blocks;   /* blocks of one run of inner columns */
    oc_work work;
    int64_t tile; /* elements of a tile */
    float *tiles; /* two tiles for each task */
} job;

/* Converts the block to float in one tile, writes fn's result to a second tile, and rounds that to
 * y. */
static void normalize_half_row(const job *t, uint16_t *y, const uint16_t *x, int64_t width,
                               float *tile)
{
    float *result = tile + t->tile;
    if (t->width == 1) { /* elements along the innermost axis are neighbours */
        oc_work_convert(&t->work, t->cpu, tile, OC_F32, x, t->half, t->n);
        t->fn(result, tile, t->n, t->width, width, t->as_log, &t->work);
        oc_work_convert(&t->work, t->cpu, y, t->half, result, OC_F32, t->n);
        return;
    }
    OC_LOOP (&t->work, i, t->n, 64)
        oc_convert_fast(t->cpu, tile + i * t->width, OC_F32, x + i * t->inner, t->half, width);
    t->fn(result, tile, t->n, t->width, width, t->as_log, &t->work);
    OC_LOOP (&t->work, i, t->n, 64)
        oc_convert_fast(t->cpu, y + i * t->inner, t->half, result + i * t->width, OC_F32, width);
}

/* Computes short rows of halves, with as many rows at a time as a tile holds. */
static void normalize_half_rows(const job *t, int64_t first, int64_t end, float *tile)
{
    const int64_t most = t->tile / t->n;
    for (int64_t row = first, some; row < end; row += some) {
        const size_t at = (size_t)(row * t->n) * t->elem;
        some = oc_min(end - row, most);
        oc_convert_fast(t->cpu, tile, OC_F32, t->x + at, t->half, some * t->n);
        t->rows(tile + t->tile, tile, t->n, some, t->as_log);
        oc_convert_fast(t->cpu, t->y + at, t->half, tile + t->tile, OC_F32, some * t->n);
    }
}

static void normalize_lines(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    if (t->rows && t->half) {
        normalize_half_rows(t, first, end, t->tiles + task * 2 * t->tile);
        return;
    }
    if (t->rows) {
        const size_t at = (size_t)(first * t->n) * t->elem;
        t->rows(t->y + at, t->x + at, t->n, end - first, t->as_log);
        return;
    }
    for (int64_t unit = first; unit < end; unit++) {
        const int64_t outer = unit / t->blocks, column = unit % t->blocks * t->width;
        const int64_t width = t->inner - column < t->width ? t->inner - column : t->width;
        const size_t at = (size_t)(outer * t->n * t->inner + column) * t->elem;
        const void *x = t->x + at;
        void *y = t->y + at;
        if (t->half)
            normalize_half_row(t, y, x, width, t->tiles + task * 2 * t->tile);
        else
            t->fn(y, x, t->n, t->inner, width, t->as_log, &t->work);
    }
}

/* Runs f32 or f64, by the type of the elements. `rows` is true if both compute softmax. */
static oc_status compute_softmax(oc_call *c, oc_softmax_fn *f32, oc_softmax_fn *f64, bool rows,
                                 bool as_log)
{
    const oc_value *x = oc_in(c, 0);
    const oc_dims *d = &x->dims;
    const bool half = oc_type_is_half(x->type), flat = oc_call_since(c) < 13;
    int axis;
    OC_TRY(oc_attr_axis(c, "axis", d->rank, &axis));
    if (oc_value_n(x) == 0)
        return OC_OK;
    job t = {.fn = x->type == OC_F64 ? f64 : f32, .as_log = as_log, .x = x->data};
    t.y = oc_out(c, 0)->data;
    t.elem = oc_type_size(x->type);
    t.n = flat ? oc_dims_product(d, axis, d->rank) : d->n[axis];
    t.inner = flat ? 1 : oc_dims_product(d, axis + 1, d->rank);
    t.width = t.inner < OC_COLUMNS ? t.inner : OC_COLUMNS;
    t.blocks = oc_div_up(t.inner, t.width);
    const int64_t units = oc_dims_product(d, 0, axis) * t.blocks;
    t.work = oc_call_work(c, (double)oc_value_n(x) * READS * OC_ELEMENT);
    if (rows && t.inner == 1 && t.n <= OC_SHORT_ROW)
        t.rows = oc_row_fns_pick(oc_type_real(x->type), oc_call_cpu(c))->softmax_rows;
    if (half) {
        t.half = x->type;
        t.cpu = oc_call_cpu(c);
        t.tile = t.rows ? (TILE / t.n + 1) * t.n : t.n * t.width;
        OC_TRY(OC_SCRATCH(c, t.tiles, t.work.threads * 2 * t.tile));
    }
    oc_work_run(&t.work, units, normalize_lines, &t);
    return OC_OK;
}

static oc_status softmax_shape(oc_call *c)
{
    int axis;
    OC_TRY(oc_attr_axis(c, "axis", oc_in(c, 0)->dims.rank, &axis));
    return oc_same_shape(c);
}

static oc_status softmax(oc_call *c, bool as_log)
{
    const unsigned cpu = oc_call_cpu(c);
    return compute_softmax(c, oc_softmax_pick(OC_F32, cpu), oc_softmax_pick(OC_F64, cpu), true,
                           as_log);
}

OC_CALL_FN(softmax_run, softmax(c, false))
OC_CALL_FN(log_softmax_run, softmax(c, true))
OC_CALL_FN(hardmax_run, compute_softmax(c, oc_hardmax_f32, oc_hardmax_f64, false, false))

/* clang-format off */
#define ROW(since, op, axis, set, run)                                                             \
    {since, op " <int axis = " axis "> (T input) => (T output) | T: " set, softmax_shape, run}
#define ROWS(op, run)                                                                              \
    ROW(13, op, "-1", "float_ir4; change rows axis", run),                                                           \
    ROW(11, op, "1",  "ieee", run),                                                                \
    ROW( 1, op, "1",  "ieee", run)
const oc_op oc_ops_softmax[] = {
    ROWS("Softmax", softmax_run),
    ROWS("LogSoftmax", log_softmax_run),
    ROWS("Hardmax", hardmax_run),
    {0}
};
