/* SPDX-License-Identifier: Apache-2.0
 * col2im.c - Col2Im: the sum of overlapping blocks, each given as a column, is the image.
 *
 * A pixel is the sum of the elements at it in order of their places in a block. float16 and
 * bfloat16 are summed in float and rounded once; integers wrap. A bool is true if one of its
 * elements is. */

#include "ops/nn/window_attrs.h"

enum { INPUT, IMAGE_SHAPE, BLOCK_SHAPE }; /* inputs */

/* The window that slides over the image is a block. */
typedef struct geometry {
    oc_dims out; /* [images, channels, image_shape...] */
    oc_window window;
    int64_t taps, blocks, pixels; /* taps of a block, blocks of an image, pixels of a channel */
} geometry;

/* Reads inputs 1 and 2: the sizes of the image and of a block. */
static oc_status read_shapes(oc_call *c, geometry *g)
{
    oc_dims image, block;
    oc_window *w = &g->window;
    OC_TRY(oc_in_dims(c, IMAGE_SHAPE, &image));
    OC_TRY(oc_in_dims(c, BLOCK_SHAPE, &block));
    if (image.rank < 1 || image.rank > OC_WINDOW_AXES || block.rank != image.rank)
        return oc_fail(c, OC_SHAPE,
                       "image_shape has %d entries and block_shape %d, expected as many, 1 to %d",
                       image.rank, block.rank, OC_WINDOW_AXES);
    g->out = (oc_dims){image.rank + 2, {0}};
    for (int a = 0; a < image.rank; a++)
        g->out.n[a + 2] = image.n[a];
    *w = (oc_window){.axes = image.rank};
    g->taps = 1;
    for (int a = 0; a < w->axes; a++) {
        w->in[a] = image.n[a];
        w->kernel[a] = block.n[a];
        if (image.n[a] > INT64_MAX / 4)
            return oc_fail(c, OC_LIMIT, "image_shape[%d] is %" PRId64 ", expected at most %" PRId64,
                           a, image.n[a], INT64_MAX / 4);
        if (block.n[a] < 1 || block.n[a] > INT32_MAX || !oc_i64_mul(g->taps, block.n[a], &g->taps))
            return oc_fail(c, OC_VALUE, "block_shape[%d] is %" PRId64 ", expected 1 to %d", a,
                           block.n[a], INT32_MAX);
    }
    return OC_OK;
}

static oc_status read_geometry(oc_call *c, geometry *g)
{
    const oc_dims *x = &oc_in(c, INPUT)->dims;
    oc_window *w = &g->window;
    OC_TRY(oc_expect_rank(c, INPUT, 3, 3));
    OC_TRY(read_shapes(c, g));
    OC_TRY(oc_window_steps(c, w));
    g->blocks = g->pixels = 1;
    for (int a = 0; a < w->axes; a++) {
        const int64_t reach = (w->kernel[a] - 1) * w->dilation[a] + 1;
        const int64_t all = w->in[a] + w->pad[a] + w->pad_end[a];
        if (reach > all)
            return oc_fail(c, OC_SHAPE,
                           "a block spans %" PRId64 " on axis %d of the image, which with its "
                           "padding has only %" PRId64,
                           reach, a, all);
        w->out[a] = (all - reach) / w->stride[a] + 1;
        if (!oc_i64_mul(g->blocks, w->out[a], &g->blocks) ||
            !oc_i64_mul(g->pixels, w->in[a], &g->pixels))
            return oc_fail(c, OC_LIMIT, "the image is too large");
    }
    if (x->n[1] % g->taps != 0 || x->n[2] != g->blocks)
        return oc_fail_dims(c, INPUT,
                            "expected [N,C,L], C a multiple of %" PRId64
                            ", the elements of a block, and L %" PRId64 ", the number of blocks",
                            g->taps, g->blocks);
    g->out.n[0] = x->n[0];
    g->out.n[1] = x->n[1] / g->taps;
    return OC_OK;
}

static oc_status col2im_shape(oc_call *c)
{
    geometry g;
    OC_TRY(read_geometry(c, &g));
    return oc_set_out(c, 0, oc_in(c, INPUT)->type, &g.out);
}

/* What every channel shares. */
typedef struct job {
    const geometry *g;
    void (*add)(void *to, const void *x, int64_t step, int64_t n); /* to[i * step] += x[i] */
    size_t elem;
    const char *x;
    char *y;
    oc_work work;
} job;

/* ---- sums: one loop for each type in which elements are added */

typedef struct complex64 {
    float re, im;
} complex64;

typedef struct complex128 {
    double re, im;
} complex128;

/* Adds element b of x to element a. */
#define ADD(name, T, expr)                                                                         \
    static void name(void *to, const void *x, int64_t step, int64_t n)                             \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++) {                                                          \
            const T a = ((T *)to)[i * step], b = ((const T *)x)[i];                                \
            ((T *)to)[i * step] = (expr);                                                          \
        }                                                                                          \
    }
#define COMPLEX_SUM(T) ((T){a.re + b.re, a.im + b.im})

ADD(add_8, uint8_t, (uint8_t)(a + b))
ADD(add_16, uint16_t, (uint16_t)(a + b))
ADD(add_32, uint32_t, a + b)
ADD(add_64, uint64_t, a + b)
ADD(add_f32, float, a + b)
ADD(add_f64, double, a + b)
ADD(add_bool, uint8_t, a | b)
ADD(add_c64, complex64, COMPLEX_SUM(complex64))
ADD(add_c128, complex128, COMPLEX_SUM(complex128))

/* ---- one channel of one image */

/* Finds the blocks first .. end-1 along one axis whose tap lies in the image. */
static void reach(const oc_window *w, int a, int64_t tap, int64_t *first, int64_t *end)
{
    const int64_t at = tap * w->dilation[a] - w->pad[a], step = w->stride[a];
    *first = at < 0 ? (-at + step - 1) / step : 0;
    *end = at < w->in[a] ? oc_div_up(w->in[a] - at, step) : 0;
    *end = *end < w->out[a] ? *end : w->out[a];
}

static void add_line(const job *t, char *y, const char *x, int64_t n)
{
    const int64_t step = t->g->window.stride[t->g->window.axes - 1];
    OC_PIECES (&t->work, p, n, 1 << 14)
        t->add(y + (size_t)(p.first * step) * t->elem, x + (size_t)p.first * t->elem, step,
               p.end - p.first);
}

/* Adds a row of the column matrix, the elements of all blocks at one tap, to a channel. */
static void add_row(const job *t, int64_t row, const char *x, char *y)
{
    const oc_window *w = &t->g->window;
    const int last = w->axes - 1;
    int64_t tap[OC_WINDOW_AXES], first[OC_WINDOW_AXES], end[OC_WINDOW_AXES], at[OC_WINDOW_AXES];
    int64_t lines = 1;
    for (int a = last; a >= 0; a--) {
        tap[a] = row % w->kernel[a];
        row /= w->kernel[a];
        reach(w, a, tap[a], &first[a], &end[a]);
        at[a] = first[a];
        if (first[a] >= end[a])
            return;
        lines *= a < last ? end[a] - first[a] : 1;
    }
    OC_LOOP (&t->work, line, lines, 16) {
        int64_t from = 0, to = 0;
        for (int a = 0; a <= last; a++) {
            from = from * w->out[a] + at[a];
            to = to * w->in[a] + at[a] * w->stride[a] + tap[a] * w->dilation[a] - w->pad[a];
        }
        add_line(t, y + (size_t)to * t->elem, x + (size_t)from * t->elem, end[last] - first[last]);
        for (int a = last - 1; a >= 0 && ++at[a] == end[a]; a--)
            at[a] = first[a];
    }
}

static void sum_channels(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const job *t = arg;
    const geometry *g = t->g;
    const size_t row = (size_t)g->blocks * t->elem, plane = (size_t)g->pixels * t->elem;
    for (int64_t channel = first; channel < end; channel++) { /* channels of all images */
        char *y = t->y + plane * (size_t)channel;
        oc_work_zero(&t->work, y, plane);
        OC_LOOP (&t->work, tap, g->taps, 16)
            add_row(t, tap, t->x + row * (size_t)(channel * g->taps + tap), y);
    }
}

static oc_status col2im_run(oc_call *c)
{
    static const struct {
        oc_type sum; /* the type in which elements are added */
        void (*add)(void *to, const void *x, int64_t step, int64_t n);
    } ways[OC_N_TYPES] = {
        [OC_U8] = {OC_U8, add_8},        [OC_I8] = {OC_I8, add_8},
        [OC_U16] = {OC_U16, add_16},     [OC_I16] = {OC_I16, add_16},
        [OC_U32] = {OC_U32, add_32},     [OC_I32] = {OC_I32, add_32},
        [OC_U64] = {OC_U64, add_64},     [OC_I64] = {OC_I64, add_64},
        [OC_F16] = {OC_F32, add_f32},    [OC_BF16] = {OC_F32, add_f32},
        [OC_F32] = {OC_F32, add_f32},    [OC_F64] = {OC_F64, add_f64},
        [OC_C64] = {OC_C64, add_c64},    [OC_C128] = {OC_C128, add_c128},
        [OC_BOOL] = {OC_BOOL, add_bool},
    };
    const oc_value *x = oc_in(c, INPUT), *y = oc_out(c, 0);
    const oc_type sum = ways[x->type].sum;
    const void *from;
    void *to;
    geometry g;
    OC_TRY(read_geometry(c, &g));
    if (!ways[x->type].add)
        return oc_fail(c, OC_TYPE, "strings cannot be added, expected numbers");
    if (oc_value_n(y) == 0)
        return OC_OK;
    OC_TRY(oc_in_as(c, INPUT, sum, &from));
    OC_TRY(oc_out_as(c, 0, sum, oc_value_n(y), &to));
    job t = {.g = &g, .add = ways[x->type].add, .elem = oc_type_size(sum), .x = from, .y = to};
    const int64_t planes = g.out.n[0] * g.out.n[1];
    const double work = ((double)g.taps * (double)g.blocks + (double)g.pixels) * OC_ELEMENT;
    t.work = oc_call_work(c, work * (double)planes);
    oc_work_run(&t.work, planes, sum_channels, &t);
    oc_out_from(c, 0, sum, to);
    return OC_OK;
}

/* clang-format off */
const oc_op oc_ops_col2im[] = {
    {18, "Col2Im <ints dilations?, ints pads?, ints strides?> "
         "(T input, int64 image_shape!, int64 block_shape!) => (T output) | T: all_ir4",
         col2im_shape, col2im_run},
    {0}
};
