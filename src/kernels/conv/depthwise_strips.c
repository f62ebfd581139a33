/* SPDX-License-Identifier: Apache-2.0
 * depthwise_strips.c - cuts output planes into strips, and copies the pixels under each.
 *
 * The two innermost axes are rows and columns; an image of one axis has columns alone. A strip has
 * one index on each axis outside them, and the copy has slices for each tap along those axes. */
#include "kernels/conv/depthwise_strips.h"

#include "kernels/common/precondition.h"
#include "kernels/conv/conv_cut.h"
#include "kernels/conv/depthwise.h"

enum {
    ROOM = 4096,   /* most elements of a copy, and of the results of a strip */
    COLUMNS = 512, /* most results in a row of a strip */
    FEW_ROWS = 4,  /* a strip with fewer rows gets fewer columns instead */
    STRIDE = 8,    /* greatest stride */
    TAPS = 256,    /* most taps */
    MOST_OUT = 4,  /* most output channels of a group: patches serve more of them better */
    LANES = OC_DEPTHWISE_LANES
};

/* What every strip shares. */
typedef struct job {
    const oc_conv *g;
    oc_depthwise_fn *sums;
    oc_window_side row, column;
    int outer;                 /* axes outside rows and columns */
    int64_t outer_taps;        /* along those axes, all together */
    int64_t pixels, positions; /* of one channel, of one output channel */
    int64_t outer_out;         /* indices on the outer axes of out */
    oc_conv_cut cut;
    int64_t height, pitch; /* rows and columns of a slice of the copy */
} job;

/* One strip. */
typedef struct strip {
    oc_cut_band band;
    int64_t group;                 /* of all images */
    int64_t outer[OC_WINDOW_AXES]; /* its index on each outer axis of out */
    int64_t outer_index;           /* the same, as a number */
} strip;

/* Returns the elements of one slice of the copy under n results, which have one remainder. */
static int64_t reach(const oc_window_side *s, int64_t n)
{
    return n + (s->kernel - 1) * s->dilation / s->stride;
}

/* An axis of a slice, whose pixels follow each other. */
static oc_window_side side_of_slice(const oc_window_side *s)
{
    return (oc_window_side){.out = s->out, .kernel = reach(s, 1), .stride = 1, .dilation = 1};
}

static bool is_small(const oc_window_side *s)
{
    return s->out > 0 && s->kernel > 0 && s->kernel <= TAPS && s->dilation <= ROOM &&
           s->stride <= STRIDE;
}

/* Cuts planes into strips: false where not even a part of a row fits. */
static bool cut_strips(job *t, int threads)
{
    const oc_window *w = &t->g->window;
    t->row = oc_window_side_of(w, w->axes - 2);
    t->column = oc_window_side_of(w, w->axes - 1);
    t->outer = w->axes > 2 ? w->axes - 2 : 0;
    t->outer_taps = t->outer_out = 1;
    for (int a = 0; a < t->outer; a++) {
        if (w->kernel[a] < 1 || w->kernel[a] > TAPS / t->outer_taps)
            return false;
        t->outer_taps *= w->kernel[a];
        t->outer_out *= w->out[a];
    }
    if (!is_small(&t->row) || !is_small(&t->column) ||
        t->outer_taps * t->row.kernel * t->column.kernel > TAPS)
        return false;
    const int64_t slices = t->outer_taps * t->row.stride * t->column.stride;
    const double lines = (double)t->g->channels / LANES;
    const oc_conv_load l = {.row = side_of_slice(&t->row),
                            .column = side_of_slice(&t->column),
                            .row_grain = 1,
                            .column_grain = 2 * LANES,
                            .low = FEW_ROWS,
                            .widest = COLUMNS,
                            .planes = t->g->images * t->g->groups * t->outer_out,
                            .pixel = slices,
                            .room = ROOM,
                            .blocks = 1,
                            .together = 1,
                            .lines = lines * (double)(t->g->out_channels * t->outer_taps *
                                                      t->row.kernel * t->column.kernel),
                            .copied = lines * (double)slices};
    t->cut = oc_conv_cut_for(&l, threads);
    t->height = t->cut.row.pixels;
    t->pitch = t->cut.column.pixels;
    return slices * t->height * t->pitch <= ROOM;
}

/* With a single tap a patch copies no pixel twice, and the sums run over channels in registers,
 * so strips do not pay. */
bool oc_depthwise_suits(const oc_conv *g)
{
    job t = {.g = g};
    if (g->channels < 1 || g->out_channels > MOST_OUT || (g->type != OC_F32 && g->type != OC_F64))
        return false;
    return cut_strips(&t, 1) && t.outer_taps * t.row.kernel * t.column.kernel > 1;
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
    s.band = oc_cut_band_at(&t->cut, unit);
    s.outer_index = s.band.plane % t->outer_out;
    s.group = s.band.plane / t->outer_out;
    oc_window_outer_position(&t->g->window, t->outer, s.outer_index, s.outer);
    return s;
}

static void convolve_strips(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const job *t = arg;
    for (int64_t unit = first; unit < end; unit++) {
        const strip s = strip_of(t, unit);
        (t->g->type == OC_F64 ? convolve_strip_f64 : convolve_strip_f32)(t, &s);
    }
}

void oc_depthwise_run(const oc_conv *g)
{
    job t = {.g = g, .pixels = 1, .positions = 1};
    const bool small = cut_strips(&t, oc_work_most_tasks(&g->work));
    assert(small && g->channels >= 1);
    (void)small;
    for (int a = 0; a < g->window.axes; a++) {
        t.pixels *= g->window.in[a];
        t.positions *= g->window.out[a];
    }
    t.sums = oc_depthwise_pick(g->type, g->cpu);
    oc_work_run(&g->work, t.cut.units, convolve_strips, &t);
}
