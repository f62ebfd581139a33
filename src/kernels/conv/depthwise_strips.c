/* SPDX-License-Identifier: Apache-2.0
 * depthwise_strips.c - cuts output planes into strips, and copies the pixels under each.
 *
 * The two innermost axes are rows and columns; an image of one axis has columns alone. A strip has
 * one index on each axis outside them, and the copy has slices for each tap along those axes. */
#include "kernels/conv/depthwise_strips.h"
#include "base/int.h"

#include <string.h>

#include "kernels/common/precondition.h"
#include "kernels/conv/depthwise.h"

enum {
    ROOM = 4096,   /* most elements of a copy, and of the results of a strip */
    COLUMNS = 512, /* most results in a row of a strip */
    FEW_ROWS = 4,  /* a strip with fewer rows gets fewer columns instead */
    STRIDE = 8,    /* greatest stride */
    TAPS = 256,    /* most taps */
    MOST_OUT = 4,  /* most output channels of a group; patches serve more of them better */
    SLACK = OC_DEPTHWISE_LANES
};

/* What every strip shares. */
typedef struct job {
    const oc_conv *g;
    oc_depthwise_fn *sums;
    oc_window_side row, column;
    int outer;                 /* number of axes outside rows and columns */
    int64_t outer_taps;        /* taps along those axes together */
    int64_t pixels, positions; /* pixels of a channel, positions of an output channel */
    int64_t rows, columns;     /* results of a strip */
    int64_t height, pitch;     /* rows and columns of a slice of the copy */
    int64_t row_strips, column_strips;
    int64_t outer_out; /* indices on the outer axes of out */
} job;

/* One strip. */
typedef struct strip {
    int64_t group;                 /* number of the group among those of all images */
    int64_t outer[OC_WINDOW_AXES]; /* index on each outer axis of out */
    int64_t outer_index;           /* index on all outer axes, as one number */
    int64_t row, column;           /* first result */
    int64_t rows, columns;
} strip;

/* Returns the elements of one slice of the copy under n results, which have one remainder. */
static int64_t reach(const oc_window_side *s, int64_t n)
{
    return n + (s->kernel - 1) * s->dilation / s->stride;
}

static bool is_small(const oc_window_side *s)
{
    return s->out > 0 && s->kernel > 0 && s->kernel <= TAPS && s->dilation <= ROOM &&
           s->stride <= STRIDE;
}

/* Sets the size of strips. Returns false when not even one row fits. */
static bool size_strips(job *t)
{
    const oc_window *w = &t->g->window;
    t->row = oc_window_side_of(w, w->axes - 2);
    t->column = oc_window_side_of(w, w->axes - 1);
    t->outer = w->axes > 2 ? w->axes - 2 : 0;
    t->outer_taps = 1;
    for (int a = 0; a < t->outer; a++) {
        if (w->kernel[a] < 1 || w->kernel[a] > TAPS / t->outer_taps)
            return false;
        t->outer_taps *= w->kernel[a];
    }
    if (!is_small(&t->row) || !is_small(&t->column) ||
        t->outer_taps * t->row.kernel * t->column.kernel > TAPS)
        return false;
    const int64_t slices = t->outer_taps * t->row.stride * t->column.stride;
    const int64_t few = oc_min(t->row.out, FEW_ROWS);
    t->rows = 0;
    for (int64_t most = COLUMNS; t->rows < few && most > SLACK; most /= 2) {
        t->columns = oc_min(t->column.out, most);
        t->pitch = reach(&t->column, t->columns);
        const int64_t rows = ROOM / (slices * t->pitch) - reach(&t->row, 0);
        t->rows = oc_min(rows, t->row.out);
    }
    t->height = reach(&t->row, t->rows);
    return t->rows > 0;
}

/* With a single tap a patch copies no pixel twice, and the sums run over channels in registers,
 * so strips do not pay. */
bool oc_depthwise_suits(const oc_conv *g)
{
    job t = {.g = g};
    if (g->channels < 1 || g->out_channels > MOST_OUT || (g->type != OC_F32 && g->type != OC_F64))
        return false;
    return size_strips(&t) && t.outer_taps * t.row.kernel * t.column.kernel > 1;
}

/* Returns the slice of the copy for an outer tap and the remainders of row and column. */
static int64_t slice_at(const job *t, int64_t outer, int64_t row, int64_t column)
{
    const int64_t slice = (outer * t->row.stride + row) * t->column.stride + column;
    return slice * t->height * t->pitch;
}

/* Does a tap of this side have the remainder? */
static bool is_used(const oc_window_side *s, int64_t remainder)
{
    for (int64_t k = 0; k < s->kernel; k++)
        if (k * s->dilation % s->stride == remainder)
            return true;
    return false;
}

#define T       float
#define NAME(x) x##_f32
#include "kernels/conv/depthwise_strips.inc"

#define T       double
#define NAME(x) x##_f64
#include "kernels/conv/depthwise_strips.inc"

static strip strip_of(const job *t, int64_t unit)
{
    strip s;
    s.column = unit % t->column_strips * t->columns;
    unit /= t->column_strips;
    s.row = unit % t->row_strips * t->rows;
    unit /= t->row_strips;
    s.outer_index = unit % t->outer_out;
    s.group = unit / t->outer_out;
    oc_window_outer_position(&t->g->window, t->outer, s.outer_index, s.outer);
    s.rows = oc_min(t->row.out - s.row, t->rows);
    s.columns = oc_min(t->column.out - s.column, t->columns);
    return s;
}

static void run_strips(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    (void)task;
    for (int64_t unit = first; unit < end; unit++) {
        const strip s = strip_of(t, unit);
        (t->g->type == OC_F64 ? run_strip_f64 : run_strip_f32)(t, &s);
    }
}

void oc_depthwise_run(const oc_conv *g)
{
    job t = {.g = g, .pixels = 1, .positions = 1, .outer_out = 1};
    const bool small = size_strips(&t);
    assert(small && g->channels >= 1);
    (void)small;
    for (int a = 0; a < g->window.axes; a++) {
        t.pixels *= g->window.in[a];
        t.positions *= g->window.out[a];
        t.outer_out *= a < t.outer ? g->window.out[a] : 1;
    }
    t.sums = oc_depthwise_pick(g->type, g->cpu);
    t.row_strips = oc_div_up(t.row.out, t.rows);
    t.column_strips = oc_div_up(t.column.out, t.columns);
    const int64_t units = g->images * g->groups * t.outer_out * t.row_strips * t.column_strips;
    oc_work_run(&g->work, units, run_strips, &t);
}
