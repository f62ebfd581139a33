/* SPDX-License-Identifier: Apache-2.0
 * affine_grid.c - the table of variants, and the walk over images in blocks. */
#include "kernels/sample/affine_grid.h"

#include "base/int.h"
#include "kernels/common/half.h"
#include "kernels/common/precondition.h"

OC_VARIANTS(oc_affine_variant, oc_affine_variants)

enum { BLOCK = 256 /* points of a block */ };

#define AXIS(NAME, REAL)                                                                           \
    static void NAME(REAL *start, REAL *step, int64_t n, bool align)                               \
    {                                                                                              \
        const bool single = align && n == 1;                                                       \
        *step = single ? 0 : 2 / (REAL)(n - align);                                                \
        *start = single ? 0 : align ? -1 : -1 + *step / 2;                                         \
    }
AXIS(axis_f32, float)
AXIS(axis_f64, double)

static bool is_half(oc_type type)
{
    return type == OC_F16 || type == OC_BF16;
}

static oc_affine_axes axes_of(const oc_affine_grid *g)
{
    oc_affine_axes axes = {.rank = g->rank};
    assert(g->type == OC_F32 || g->type == OC_F64 || is_half(g->type));
    for (int a = 0; a < g->rank; a++) {
        axes.n[a] = g->n[a];
        if (g->type == OC_F64)
            axis_f64(&axes.start.f64[a], &axes.step.f64[a], g->n[a], g->align);
        else
            axis_f32(&axes.start.f32[a], &axes.step.f32[a], g->n[a], g->align);
    }
    return axes;
}

static oc_affine_points_fn *points_of(oc_type type, unsigned cpu)
{
    const oc_affine_variant *v;
    OC_VARIANT_PICK(v, oc_affine_variants, f32, cpu);
    return type == OC_F64 ? v->f64 : v->f32;
}

oc_affine_source oc_affine_source_new(const oc_affine_grid *g, float *wide)
{
    oc_affine_source s = {.g = g, .axes = axes_of(g), .points = points_of(g->type, g->cpu)};
    if (is_half(g->type))
        s.half = oc_half_pick(g->type, g->cpu);
    if (s.half && wide) {
        s.half->widen(wide, g->theta, g->batch * g->rank * (g->rank + 1));
        s.wide = wide;
    }
    return s;
}

/* Returns the matrix of image m in the type of points; wide is room for a matrix that must be
 * widened. */
static const void *matrix(const oc_affine_source *s, int64_t m, float wide[12])
{
    const oc_affine_grid *g = s->g;
    const int64_t size = g->rank * (g->rank + 1);
    if (s->wide)
        return s->wide + m * size;
    const void *theta = (const char *)g->theta + oc_type_size(g->type) * (size_t)(m * size);
    if (!s->half)
        return theta;
    s->half->widen(wide, theta, size);
    return wide;
}

/* ---- into memory ---- */

typedef struct job {
    oc_affine_source source;
    int64_t per_image; /* points of one image */
    int64_t blocks;    /* blocks of one image */
} job;

/* Computes points first to first+n-1 of image m, n <= BLOCK. */
static void fill_block(const job *j, int64_t m, int64_t first, int64_t n)
{
    const oc_affine_source *s = &j->source;
    float wide[12], part[BLOCK * 3];
    const void *theta = matrix(s, m, wide);
    const int rank = s->axes.rank;
    void *y =
        (char *)s->g->y + oc_type_size(s->g->type) * (size_t)((m * j->per_image + first) * rank);
    s->points(s->half ? part : y, theta, &s->axes, first, n);
    if (s->half)
        s->half->narrow(y, part, n * rank);
}

static void fill_blocks(void *arg, OC_UNUSED int task, int64_t start, int64_t end)
{
    const job *j = arg;
    for (int64_t b = start; b < end; b++) {
        const int64_t first = b % j->blocks * BLOCK;
        const int64_t left = j->per_image - first;
        fill_block(j, b / j->blocks, first, oc_min(left, BLOCK));
    }
}

void oc_affine_grid_run(const oc_affine_grid *g)
{
    job j = {.source = oc_affine_source_new(g, NULL), .per_image = 1};
    for (int a = 0; a < g->rank; a++)
        j.per_image *= g->n[a];
    j.blocks = oc_div_up(j.per_image, BLOCK);
    oc_work_run(&g->work, g->batch * j.blocks, fill_blocks, &j);
}

/* ---- for GridSample, tile by tile ---- */

/* Computes n points as float, n <= BLOCK, rounded as they would be in memory. */
static void rounded(const oc_affine_source *s, float *y, const void *theta, int64_t first, int n)
{
    uint16_t code[BLOCK * 3];
    s->points(y, theta, &s->axes, first, n);
    if (s->half) {
        s->half->narrow(code, y, n * s->axes.rank);
        s->half->widen(y, code, n * s->axes.rank);
    }
}

void oc_positions_from_affine(const void *source, int64_t image, int64_t first, int n, bool f64,
                              void *xy)
{
    const oc_affine_source *s = source;
    float wide[12], part[BLOCK * 3];
    const void *theta = matrix(s, image, wide);
    if (s->g->type == OC_F64 || (s->g->type == OC_F32 && !f64)) {
        s->points(xy, theta, &s->axes, first, n);
        return;
    }
    for (int left = n, count; left > 0; left -= count, first += count) {
        const int64_t at = (int64_t)(n - left) * s->axes.rank;
        count = oc_min(left, BLOCK);
        rounded(s, f64 ? part : (float *)xy + at, theta, first, count);
        for (int i = 0; f64 && i < count * s->axes.rank; i++)
            ((double *)xy)[at + i] = (double)part[i];
    }
}
