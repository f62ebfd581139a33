/* SPDX-License-Identifier: Apache-2.0
 * max_roi_pool.c - MaxRoiPool: the maxima of the bins of regions of an image.
 *
 * A region's corners are scaled and rounded to pixels, halves away from 0; both belong to it, and
 * each side has one pixel or more. It is cut into bins of equal, perhaps fractional, size; a bin
 * has all pixels that it touches. A bin without a pixel of the image gives 0, one with a NaN gives
 * NaN. Corners and bins are computed in double if X is double, else in float. */
#include "base/share.h"
#include "kernels/common/element.h"

#include "ops/kit/op.h"

enum { FARTHEST = 1 << 30 }; /* pixels from the image's corner; corners beyond are moved there */

typedef struct geometry {
    int64_t channels, height, width; /* sizes of an image */
    int64_t regions, out[2];
    float scale;
} geometry;

static oc_status read_geometry(oc_call *c, geometry *g)
{
    const oc_dims *x = &oc_in(c, 0)->dims, *rois = &oc_in(c, 1)->dims;
    const oc_ints shape = oc_attr_ints(c, "pooled_shape");
    OC_TRY(oc_expect_rank(c, 0, 4, 4));
    OC_TRY(oc_expect_dims(c, 1, &(oc_dims){2, {-1, 5}}, NULL));
    if (shape.n != 2)
        return oc_fail(c, OC_VALUE, "pooled_shape has %d entries, expected 2", shape.n);
    for (int a = 0; a < 2; a++)
        if (shape.v[a] < 1 || shape.v[a] > FARTHEST || x->n[a + 2] > FARTHEST)
            return oc_fail(c, OC_VALUE,
                           "pooled_shape[%d] is %lld and axis %d of X has %lld entries, expected 1 "
                           "to %d and at most %d",
                           a, (long long)shape.v[a], a + 2, (long long)x->n[a + 2], FARTHEST,
                           FARTHEST);
    *g = (geometry){.channels = x->n[1],
                    .height = x->n[2],
                    .width = x->n[3],
                    .regions = rois->n[0],
                    .out = {shape.v[0], shape.v[1]},
                    .scale = oc_attr_float(c, "spatial_scale")};
    return OC_OK;
}

static oc_status roi_pool_shape(oc_call *c)
{
    geometry g;
    OC_TRY(read_geometry(c, &g));
    return oc_set_out(c, 0, oc_in(c, 0)->type,
                      &(oc_dims){4, {g.regions, g.channels, g.out[0], g.out[1]}});
}

/* A region in pixels: first row and column, height and width. */
typedef struct region {
    int64_t image, first[2], size[2];
    int64_t pixels, each; /* pixels of a bin, at most; bins at a time */
} region;

enum { PART = 1 << 14 }; /* pixels at a time, or bins of as many */

/* What all units share; a unit is a channel of a region. */
typedef struct job job;
struct job {
    const geometry *g;
    oc_type type; /* type of x and y: OC_F32 or OC_F64 */
    void (*bins)(const job *t, const region *r, const int64_t rows[2], oc_span span, const void *x,
                 void *y);
    void (*fold)(void *max, const void *x, int64_t n);
    const region *regions;
    const void *x;
    void *y;
    oc_work work;
};

static int64_t to_pixel(oc_type type, double at, float scale)
{
    const double scaled =
        type == OC_F64 ? round(at * (double)scale) : (double)roundf((float)at * scale);
    return scaled > FARTHEST ? FARTHEST : scaled < -FARTHEST ? -FARTHEST : (int64_t)scaled;
}

static void measure_bins(const geometry *g, region *r)
{
    const int64_t down = r->size[0] / g->out[0] + 2, across = r->size[1] / g->out[1] + 2;
    r->pixels = oc_min(down, g->height) * oc_min(across, g->width);
    r->each = r->pixels > PART ? 1 : PART / (r->pixels + 1);
}

static oc_status read_regions(oc_call *c, const geometry *g, oc_type type, region *regions)
{
    const void *data;
    const int64_t images = oc_in(c, 0)->dims.n[0];
    OC_TRY(oc_in_as(c, 1, OC_F64, &data));
    const double *roi = data;
    OC_CALL_LOOP (c, i, g->regions, 64) {
        if (!(roi[0] >= 0 && roi[0] < (double)images) || roi[0] != floor(roi[0]))
            return oc_fail(c, OC_VALUE, "roi %lld has batch index %g, expected 0 to %lld",
                           (long long)i, roi[0], (long long)images - 1);
        regions[i].image = (int64_t)roi[0];
        for (int k = 1; k < 5; k++)
            if (!isfinite(roi[k] * (double)g->scale))
                return oc_fail(c, OC_VALUE, "roi %lld has %g at [%d], expected finite corners",
                               (long long)i, roi[k], k);
        for (int a = 0; a < 2; a++) {
            const int64_t first = to_pixel(type, roi[2 - a], g->scale);
            const int64_t last = to_pixel(type, roi[4 - a], g->scale);
            regions[i].first[a] = first;
            regions[i].size[a] = last > first ? last - first + 1 : 1;
        }
        measure_bins(g, &regions[i]);
        roi += 5;
    }
    return OC_OK;
}

/* Finds the pixels of the image in bin number i along one axis. */
static void bin_of(const job *t, const region *r, int a, int64_t i, int64_t *first, int64_t *end)
{
    const int64_t limit = a ? t->g->width : t->g->height, bins = t->g->out[a];
    if (t->type == OC_F64) {
        const double size = (double)r->size[a] / (double)bins;
        *first = (int64_t)floor((double)i * size);
        *end = (int64_t)ceil((double)(i + 1) * size);
    } else {
        const float size = (float)r->size[a] / (float)bins;
        *first = (int64_t)floorf((float)i * size);
        *end = (int64_t)ceilf((float)(i + 1) * size);
    }
    *first += r->first[a];
    *end += r->first[a];
    *first = *first < 0 ? 0 : *first;
    *end = *end > limit ? limit : *end;
}

#define TEMPLATE "ops/vision/max_roi_pool.inc"
#include "kernels/common/floats.inc"

/* Finds the maximum of one bin of any size. */
static void large_bin(const job *t, const region *r, const int64_t rows[2], int64_t bin,
                      const char *x, char *y)
{
    int64_t left, right;
    bin_of(t, r, 1, bin, &left, &right);
    const bool any = rows[0] < rows[1] && left < right;
    if (t->type == OC_F64)
        *(double *)(void *)y = any ? (double)-INFINITY : 0;
    else
        *(float *)(void *)y = any ? -INFINITY : 0;
    OC_LOOP (&t->work, row, any ? rows[1] - rows[0] : 0, 1) {
        const int64_t at = (rows[0] + row) * t->g->width + left;
        OC_PIECES (&t->work, p, right - left, PART)
            t->fold(y, x + (size_t)(at + p.first) * oc_type_size(t->type), p.end - p.first);
    }
}

/* Computes one channel of a region. */
static void pool_region(const job *t, const region *r, const char *x, char *y)
{
    const geometry *g = t->g;
    const bool large = r->pixels > PART;
    OC_LOOP (&t->work, i, g->out[0], 16) {
        int64_t rows[2];
        bin_of(t, r, 0, i, &rows[0], &rows[1]);
        OC_LOOP (&t->work, k, (g->out[1] - 1) / r->each + 1, 16) {
            const int64_t j = k * r->each, left = g->out[1] - j;
            char *to = y + (size_t)(i * g->out[1] + j) * oc_type_size(t->type);
            if (large)
                large_bin(t, r, rows, j, x, to);
            else
                t->bins(t, r, rows, (oc_span){j, j + (left < r->each ? left : r->each)}, x, to);
        }
    }
}

static void pool_regions(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const job *t = arg;
    const geometry *g = t->g;
    const size_t elem = oc_type_size(t->type);
    for (int64_t unit = first; unit < end; unit++) {
        const int64_t channel = unit % g->channels;
        const region *r = &t->regions[unit / g->channels];
        const int64_t from = (r->image * g->channels + channel) * g->height * g->width;
        const int64_t to = unit * g->out[0] * g->out[1];
        pool_region(t, r, (const char *)t->x + (size_t)from * elem,
                    (char *)t->y + (size_t)to * elem);
    }
}

static oc_status roi_pool_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    region *regions;
    geometry g;
    job t = {.g = &g, .type = oc_type_real(x->type)};
    OC_TRY(read_geometry(c, &g));
    OC_TRY(OC_SCRATCH(c, regions, g.regions));
    OC_TRY(read_regions(c, &g, t.type, regions));
    if (oc_value_n(y) == 0)
        return OC_OK;
    t.regions = regions;
    t.bins = t.type == OC_F64 ? bins_f64 : bins_f32;
    t.fold = t.type == OC_F64 ? fold_f64 : fold_f32;
    OC_TRY(oc_in_as(c, 0, t.type, &t.x));
    OC_TRY(oc_out_as(c, 0, t.type, oc_value_n(y), &t.y));
    const double work =
        OC_PLACE + (double)g.height * (double)g.width + (double)g.out[0] * (double)g.out[1];
    const int64_t units = g.regions * g.channels;
    t.work = oc_call_work(c, work * (double)units);
    oc_work_run(&t.work, units, pool_regions, &t);
    oc_out_from(c, 0, t.type, t.y);
    return OC_OK;
}

/* clang-format off */
#define SIG(set) \
    "MaxRoiPool <ints pooled_shape, float spatial_scale = 1.0> (T X, T rois$) => (T Y) | T: " set
const oc_op oc_ops_max_roi_pool[] = {
    {22, SIG("float_ir4"), roi_pool_shape, roi_pool_run},
    { 1, SIG("ieee"),      roi_pool_shape, roi_pool_run},
    {0}
};
