/* SPDX-License-Identifier: Apache-2.0
 * transpose.c - Transpose: axes in another order.
 *
 * Where the last axis stays, rows are copied. Elsewhere one axis has neighbours in the input and
 * another, the last one, in the output: the matrices of these two are transposed. Between NCHW16c
 * and channels on the last axis, blocks of channels are copied. */
#include "kernels/layout/transpose.h"
#include "ops/kit/layout.h"

typedef struct geometry {
    int perm[OC_MAX_RANK]; /* perm[a] is the input's axis that becomes axis a */
} geometry;

/* Reads the order of the axes, which is reversed if there is no attribute. */
static oc_status read_geometry(oc_call *c, geometry *g)
{
    const int rank = oc_in(c, 0)->dims.rank;
    const oc_ints list = oc_attr_ints(c, "perm");
    bool seen[OC_MAX_RANK];
    for (int a = 0; a < rank; a++)
        g->perm[a] = rank - 1 - a;
    if (!oc_attr_has(c, "perm"))
        return OC_OK;
    if (list.n != rank)
        return oc_fail(c, OC_SHAPE, "attribute 'perm' has %d elements, expected %d", list.n, rank);
    OC_TRY(oc_axes(c, "attribute 'perm'", list, rank, seen));
    for (int a = 0; a < rank; a++)
        oc_dims_axis(list.v[a], rank, &g->perm[a]);
    return OC_OK;
}

static oc_status transpose_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    geometry g;
    OC_TRY(read_geometry(c, &g));
    oc_dims y = {.rank = x->dims.rank};
    for (int a = 0; a < y.rank; a++)
        y.n[a] = x->dims.n[g.perm[a]];
    return oc_set_out(c, 0, x->type, &y);
}

/* Columns of a matrix that a task transposes at a time: whole tiles, and no more than a block of
 * them. Rows are transposed PIECE at a time or more. Outputs of more than LARGE bytes are written
 * past the caches. */
enum { LEAST = 64, MOST = 2048, LARGE = 8 << 20, PIECE = 1 << 10 };

/* Matrices of [rows, cols] elements that become [cols, rows]. */
typedef struct job {
    oc_box_walk w; /* its last axis are the rows, along which the input's step is not one element */
    int cols;      /* the axis whose elements are neighbours in the input */
    int64_t strip, strips, units;
    char *to;
    const char *from;
    size_t size;
    bool stream;
    oc_work work;
} job;

/* Transposes a strip of a matrix. */
static void transpose_strip(const job *j, char *to, const char *from, int64_t cols)
{
    const oc_box_walk *w = &j->w;
    const int64_t rows = w->n[w->rank - 1], step = w->src[w->rank - 1];
    OC_PIECES (&j->work, p, rows, PIECE)
        oc_transpose(to + p.first * (int64_t)j->size, w->dst[j->cols], from + p.first * step, step,
                     p.end - p.first, cols, j->size, j->stream);
}

static void turn_strips(void *arg, OC_UNUSED int task, int64_t strip, int64_t end)
{
    const job *j = arg;
    const oc_box_walk *w = &j->w;
    const int last = w->rank - 1;
    for (int64_t u = strip; u < end; u++) {
        const int64_t first = u % j->strips * j->strip, left = w->n[j->cols] - first;
        char *to = j->to + first * w->dst[j->cols];
        const char *from = j->from + first * w->src[j->cols];
        int64_t rest = u / j->strips;
        for (int a = last - 1; a >= 0; a--) {
            if (a == j->cols)
                continue;
            to += rest % w->n[a] * w->dst[a];
            from += rest % w->n[a] * w->src[a];
            rest /= w->n[a];
        }
        transpose_strip(j, to, from, oc_min(left, j->strip));
    }
}

/* ---- channels from axis 1 to the last one, or back */

static bool to_last(const geometry *g, int rank)
{
    for (int a = 1; a < rank; a++)
        if (g->perm[a] != (a + 1 < rank ? a + 1 : 1))
            return false;
    return g->perm[0] == 0;
}

static bool from_last(const geometry *g, int rank)
{
    for (int a = 1; a < rank; a++)
        if (g->perm[a] != (a == 1 ? rank - 1 : a - 1))
            return false;
    return g->perm[0] == 0;
}

static void transpose_layouts(oc_call *c, oc_layouts *l)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    geometry g;
    if (x->dims.rank < 3 || read_geometry(c, &g) != OC_OK)
        return;
    if (to_last(&g, x->dims.rank) && oc_nchw16c_fits(x->type, &x->dims))
        l->blocked = 1;
    else if (from_last(&g, x->dims.rank) && oc_nchw16c_fits(y->type, &y->dims))
        l->out = true;
}

/* Copies channels first .. first + n - 1, which have a block of their own or are several whole
 * ones, between a value in NCHW16c and one with channels last. */
static void copy_blocks(oc_call *c, const oc_value *blocked, const oc_value *last, int64_t first,
                        int64_t n)
{
    const oc_dims *d = &blocked->dims;
    const int64_t channels = d->n[1], pixels = oc_dims_product(d, 2, d->rank);
    const int64_t all = oc_value_block_dims(d).n[1] * OC_VALUE_BLOCK;
    const int64_t together = oc_min(n, OC_VALUE_BLOCK), size = (int64_t)oc_type_size(last->type);
    const oc_dims box = {4, {d->n[0], n / together, pixels, together}};
    const int64_t in_blocks[] = {all * pixels, OC_VALUE_BLOCK * pixels, OC_VALUE_BLOCK, 1};
    const int64_t in_last[] = {pixels * channels, OC_VALUE_BLOCK, channels, 1};
    char *b = (char *)blocked->data + first * pixels * size, *l = (char *)last->data + first * size;
    if (last == oc_out(c, 0))
        oc_call_move(c, l, in_last, b, in_blocks, &box, (size_t)size);
    else
        oc_call_move(c, b, in_blocks, l, in_last, &box, (size_t)size);
}

static oc_status move_channels(oc_call *c, const oc_value *blocked, const oc_value *last)
{
    const int64_t channels = blocked->dims.n[1], rest = channels % OC_VALUE_BLOCK;
    if (channels > rest)
        copy_blocks(c, blocked, last, 0, channels - rest);
    if (rest)
        copy_blocks(c, blocked, last, channels - rest, rest);
    return OC_OK;
}

static oc_status transpose_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    if (oc_value_n(y) > 0 && (oc_is_nchw16c(x) || oc_is_nchw16c(y)))
        return move_channels(c, x->nchw16c ? x : y, x->nchw16c ? y : x);
    geometry g;
    int64_t dst[OC_MAX_RANK], dense[OC_MAX_RANK], src[OC_MAX_RANK];
    OC_TRY(read_geometry(c, &g));
    if (oc_value_n(y) == 0)
        return OC_OK;
    oc_dims_strides(&y->dims, dst);
    oc_dims_strides(&x->dims, dense);
    for (int a = 0; a < y->dims.rank; a++)
        src[a] = dense[g.perm[a]];
    job j;
    j.to = y->data;
    j.from = x->data;
    j.size = oc_type_size(y->type);
    j.cols = 0;
    oc_box_walk_of(&j.w, dst, src, &y->dims, j.size);
    if (j.w.src[j.w.rank - 1] == (int64_t)j.size) {
        oc_call_move(c, y->data, dst, x->data, src, &y->dims, j.size);
        return OC_OK;
    }
    while (j.w.src[j.cols] != (int64_t)j.size)
        j.cols++;
    const int64_t rows = j.w.n[j.w.rank - 1], cols = j.w.n[j.cols];
    j.work = oc_call_work(c, (double)oc_value_n(y) * 2 * OC_ELEMENT);
    j.strip = (cols - 1) / j.work.threads / LEAST * LEAST + LEAST;
    j.strip = oc_min(j.strip, MOST);
    j.strips = (cols - 1) / j.strip + 1;
    j.units = oc_value_n(y) / (rows * cols) * j.strips;
    j.stream = oc_value_bytes(y) > LARGE;
    oc_work_run(&j.work, j.units, turn_strips, &j);
    return OC_OK;
}

/* clang-format off */
#define SIG(set) "Transpose <ints perm?> (T data) => (T transposed) | T: " set
#define TRANSPOSE transpose_shape, transpose_run, \
    OC_TRAITS(.layouts = transpose_layouts, .moves = oc_moves_first)
const oc_op oc_ops_transpose[] = {
    {25, SIG("all_ir13"), TRANSPOSE},
    {24, SIG("all_ir12"), TRANSPOSE},
    {23, SIG("all_ir11"), TRANSPOSE},
    {21, SIG("all_ir10"), TRANSPOSE},
    {13, SIG("all_ir4"),  TRANSPOSE},
    { 1, SIG("all"),      TRANSPOSE},
    {0}
};
