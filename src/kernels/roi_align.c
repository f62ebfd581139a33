/* SPDX-License-Identifier: Apache-2.0
 * roi_align.c - the scalar variant, and the walk over regions, blocks of channels and bins. */
#include "kernels/roi_align.h"

#include "base/smallfloat.h"
#include "kernels/share.h"

#include <math.h>

/* Samples of a bin are counted exactly in double up to here, and no more are taken. */
#define MOST_SAMPLES 0x1p53f

#define REAL    float
#define CEIL    ceilf
#define NAME(x) x##_f32
#include "kernels/roi_axis.inc"

#define REAL    double
#define CEIL    ceil
#define NAME(x) x##_f64
#include "kernels/roi_axis.inc"

#define T       float
#define REAL    float
#define NAME(x) x##_f32
#include "kernels/roi_bins.inc"

#define T       double
#define REAL    double
#define NAME(x) x##_f64
#include "kernels/roi_bins.inc"

#define T        uint16_t
#define REAL     float
#define LOAD(v)  oc_f16_to_f32(v)
#define STORE(s) oc_f16_from_f32(s)
#define NAME(x)  x##_f16
#include "kernels/roi_bins.inc"

#define T        uint16_t
#define REAL     float
#define LOAD(v)  oc_bf16_to_f32(v)
#define STORE(s) oc_bf16_from_f32(s)
#define NAME(x)  x##_bf16
#include "kernels/roi_bins.inc"

#define OC_VARIANT(isa) extern const oc_roi_variant oc_roi_##isa;
#include "kernels/roi_align.def"
#undef OC_VARIANT

const oc_roi_variant oc_roi_scalar = {
    .isa = "scalar",
    .f32 = {avg_f32, max_f32, bilinear_max_f32},
    .f64 = {avg_f64, max_f64, bilinear_max_f64},
    .f16 = {avg_f16, max_f16, bilinear_max_f16},
    .bf16 = {avg_bf16, max_bf16, bilinear_max_bf16},
};

const oc_roi_variant *const oc_roi_variants[] = {
#define OC_VARIANT(isa) &oc_roi_##isa,
#include "kernels/roi_align.def"
#undef OC_VARIANT
};

enum {
    CHANNEL_BLOCK = 64,
    STRIP = 256 /* most bins of a row whose taps are kept at one time */
};

/* Where the parts of a task's scratch stand; each begins at a multiple of 64 bytes. */
typedef struct layout {
    size_t row_taps, col_taps; /* most of one bin */
    size_t kept;               /* of columns, at one time */
    size_t size;
} layout;

static int64_t grid_of(const oc_roi_align *g, int64_t roi, int axis)
{
    return g->type == OC_F64 ? grid_f64(g, roi, axis) : grid_f32(g, roi, axis);
}

static size_t most_taps(const oc_roi_align *g, int axis)
{
    const int64_t n = axis ? g->height : g->width;
    const int64_t by_pixels = g->mode == OC_ROI_BILINEAR_MAX ? 2 * (n + 2) : n;
    int64_t grid = 0;
    for (int64_t roi = 0; roi < g->n_rois; roi++) {
        const int64_t of_roi = grid_of(g, roi, axis);
        grid = of_roi > grid ? of_roi : grid;
    }
    return (size_t)(grid < by_pixels / 2 ? 2 * grid : by_pixels);
}

static size_t round_up(size_t size)
{
    return (size + 63) / 64 * 64;
}

static size_t axis_size(size_t bins, size_t taps)
{
    return round_up((bins + 1) * sizeof(int32_t)) + round_up(bins) +
           round_up(taps * sizeof(int32_t)) + 2 * round_up(taps * sizeof(double));
}

static layout plan(const oc_roi_align *g)
{
    layout l = {.row_taps = most_taps(g, 1), .col_taps = most_taps(g, 0)};
    l.kept = 2 * l.col_taps + 4 * STRIP;
    l.size = axis_size(1, l.row_taps) + axis_size(STRIP, l.kept);
    return l;
}

size_t oc_roi_align_scratch(const oc_roi_align *g)
{
    return plan(g).size;
}

int64_t oc_roi_align_bad(const oc_roi_align *g)
{
    for (int64_t roi = 0; roi < g->n_rois; roi++)
        if (!(g->type == OC_F64 ? is_finite_f64(g, roi) : is_finite_f32(g, roi)))
            return roi;
    return -1;
}

typedef struct job {
    const oc_roi_align *g;
    oc_roi_bins_fn *fn;
    layout layout;
    size_t elem;
    int64_t blocks; /* of channels */
    int tasks;
} job;

/* Takes an axis out of the scratch memory at *at. */
static oc_roi_axis new_axis(char **at, size_t bins, size_t taps, int64_t n)
{
    oc_roi_axis x = {.n = n};
    x.first = (int32_t *)(void *)*at;
    *at += round_up((bins + 1) * sizeof(int32_t));
    x.outside = (bool *)*at;
    *at += round_up(bins);
    x.index = (int32_t *)(void *)*at;
    *at += round_up(taps * sizeof(int32_t));
    x.a = *at;
    *at += round_up(taps * sizeof(double));
    x.b = *at;
    *at += round_up(taps * sizeof(double));
    return x;
}

static void add_bin(oc_roi_axis *x, const oc_roi_align *g, int64_t roi, int axis, int64_t bin)
{
    if (g->type == OC_F64)
        add_bin_f64(x, g, roi, axis, bin);
    else
        add_bin_f32(x, g, roi, axis, bin);
}

static void clear(oc_roi_axis *x)
{
    x->bins = 0;
    x->first[0] = 0;
}

/* Fills cols with bins of the region from column bin pw on: as many as there are and fit. */
static void fill_strip(const job *j, oc_roi_axis *cols, int64_t roi, int64_t pw)
{
    clear(cols);
    while (cols->bins < STRIP && pw + cols->bins < j->g->out_w &&
           (size_t)cols->first[cols->bins] + j->layout.col_taps <= j->layout.kept)
        add_bin(cols, j->g, roi, 0, pw + cols->bins);
}

/* Bin rows ph to end-1 of one region, for one block of channels. */
static void rows_of_bins(const job *j, oc_roi_axis *rows, oc_roi_axis *cols, int64_t roi,
                         int64_t block, int64_t ph, int64_t end)
{
    const oc_roi_align *g = j->g;
    const bool any = grid_of(g, roi, 0) > 0 && grid_of(g, roi, 1) > 0;
    const int64_t c0 = block * CHANNEL_BLOCK;
    const int64_t c1 = g->channels - c0 < CHANNEL_BLOCK ? g->channels : c0 + CHANNEL_BLOCK;
    for (int64_t pw = 0; pw < g->out_w; pw += cols->bins) {
        fill_strip(j, cols, roi, pw);
        for (int64_t row = ph; row < end; row++) {
            clear(rows);
            add_bin(rows, g, roi, 1, row);
            for (int64_t c = c0; c < c1; c++) {
                const int64_t x = (g->image[roi] * g->channels + c) * g->height * g->width;
                const int64_t y = ((roi * g->channels + c) * g->out_h + row) * g->out_w + pw;
                j->fn((char *)g->y + (size_t)y * j->elem, (const char *)g->x + (size_t)x * j->elem,
                      rows, cols, any);
            }
        }
    }
}

/* A unit is one row of bins of one block of channels of one region; rows follow each other. */
static void task(void *arg, int i)
{
    const job *j = arg;
    const oc_roi_align *g = j->g;
    const oc_span span = oc_share(g->n_rois * j->blocks * g->out_h, j->tasks, i);
    char *scratch = (char *)g->scratch + j->layout.size * (size_t)i;
    oc_roi_axis rows = new_axis(&scratch, 1, j->layout.row_taps, g->height);
    oc_roi_axis cols = new_axis(&scratch, STRIP, j->layout.kept, g->width);
    for (int64_t u = span.first; u < span.end;) {
        const int64_t group = u / g->out_h, ph = u % g->out_h;
        const int64_t left = span.end - u;
        const int64_t end = g->out_h - ph < left ? g->out_h : ph + left;
        rows_of_bins(j, &rows, &cols, group / j->blocks, group % j->blocks, ph, end);
        u += end - ph;
    }
}

void oc_roi_align_run(const oc_roi_align *g, const oc_parallel *parallel, int tasks)
{
    job j = {.g = g, .layout = plan(g), .elem = oc_type_size(g->type)};
    j.blocks = (g->channels + CHANNEL_BLOCK - 1) / CHANNEL_BLOCK;
    j.tasks = oc_share_tasks(g->n_rois * j.blocks * g->out_h, tasks);
    if (g->type == OC_F32)
        OC_VARIANT_PICK(j.fn, oc_roi_variants, f32[g->mode], g->cpu);
    else if (g->type == OC_F64)
        OC_VARIANT_PICK(j.fn, oc_roi_variants, f64[g->mode], g->cpu);
    else if (g->type == OC_F16)
        OC_VARIANT_PICK(j.fn, oc_roi_variants, f16[g->mode], g->cpu);
    else
        OC_VARIANT_PICK(j.fn, oc_roi_variants, bf16[g->mode], g->cpu);
    oc_parallel_run(parallel, j.tasks, task, &j);
}
