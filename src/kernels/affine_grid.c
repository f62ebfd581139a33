/* SPDX-License-Identifier: Apache-2.0
 * affine_grid.c - the scalar variant, and the walk over images in blocks of points. */
#include "kernels/affine_grid.h"

#include "base/smallfloat.h"
#include "kernels/share.h"

#include <string.h>

#define REAL    float
#define NAME(x) x##_f32
#include "kernels/affine_grid.inc"

#define REAL    double
#define NAME(x) x##_f64
#include "kernels/affine_grid.inc"

#define OC_VARIANT(isa) extern const oc_affine_variant oc_affine_##isa;
#include "kernels/affine_grid.def"
#undef OC_VARIANT

const oc_affine_variant oc_affine_scalar = {"scalar", 0, points_f32, points_f64};

const oc_affine_variant *const oc_affine_variants[] = {
#define OC_VARIANT(isa) &oc_affine_##isa,
#include "kernels/affine_grid.def"
#undef OC_VARIANT
};

enum { BLOCK = 256 }; /* points */

static oc_affine_points_fn *pick(const oc_affine_grid *g)
{
    oc_affine_points_fn *points;
    if (g->type == OC_F64)
        OC_VARIANT_PICK(points, oc_affine_variants, f64, g->cpu);
    else
        OC_VARIANT_PICK(points, oc_affine_variants, f32, g->cpu);
    return points;
}

static bool is_half(const oc_affine_grid *g)
{
    return g->type == OC_F16 || g->type == OC_BF16;
}

/* The matrix of image m as points takes it; half holds it when it must be widened. */
static const void *matrix(const oc_affine_grid *g, int64_t m, float half[12])
{
    const int64_t size = g->rank * (g->rank + 1);
    if (!is_half(g))
        return (const char *)g->theta + oc_type_size(g->type) * (size_t)(m * size);
    const uint16_t *code = (const uint16_t *)g->theta + m * size;
    for (int i = 0; i < size; i++)
        half[i] = g->type == OC_F16 ? oc_f16_to_f32(code[i]) : oc_bf16_to_f32(code[i]);
    return half;
}

/* ---- into memory ---- */

typedef struct job {
    const oc_affine_grid *g;
    oc_affine_points_fn *points;
    int64_t per_image; /* points */
    int64_t blocks;    /* of one image */
    int tasks;
} job;

/* Points first .. first+n-1 of image m, n <= BLOCK. */
static void block(const job *j, int64_t m, int64_t first, int64_t n)
{
    const oc_affine_grid *g = j->g;
    float half[12], wide[BLOCK * 3];
    const void *theta = matrix(g, m, half);
    const int64_t at = (m * j->per_image + first) * g->rank;
    if (!is_half(g)) {
        j->points((char *)g->y + oc_type_size(g->type) * (size_t)at, theta, g, first, n);
        return;
    }
    uint16_t *y = (uint16_t *)g->y + at;
    j->points(wide, theta, g, first, n);
    for (int64_t i = 0; i < n * g->rank; i++)
        y[i] = g->type == OC_F16 ? oc_f16_from_f32(wide[i]) : oc_bf16_from_f32(wide[i]);
}

static void task(void *arg, int i)
{
    const job *j = arg;
    const oc_span span = oc_share(j->g->batch * j->blocks, j->tasks, i);
    for (int64_t b = span.first; b < span.end; b++) {
        const int64_t first = b % j->blocks * BLOCK;
        const int64_t left = j->per_image - first;
        block(j, b / j->blocks, first, left < BLOCK ? left : BLOCK);
    }
}

void oc_affine_grid_run(const oc_affine_grid *g, const oc_parallel *parallel, int threads)
{
    job j = {.g = g, .points = pick(g), .per_image = 1};
    for (int a = 0; a < g->rank; a++)
        j.per_image *= g->n[a];
    j.blocks = (j.per_image + BLOCK - 1) / BLOCK;
    j.tasks = oc_share_tasks(g->batch * j.blocks, threads);
    oc_parallel_run(parallel, j.tasks, task, &j);
}

/* ---- for GridSample, tile by tile ---- */

/* What an element of g->y would be. */
static void round_half(const oc_affine_grid *g, float *y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = g->type == OC_F16 ? oc_f16_to_f32(oc_f16_from_f32(y[i]))
                                 : oc_bf16_to_f32(oc_bf16_from_f32(y[i]));
}

void oc_positions_from_affine(const void *source, int64_t image, int64_t first, int n, bool f64,
                              void *xy)
{
    const oc_affine_grid *g = source;
    oc_affine_points_fn *points = pick(g);
    float half[12], part[BLOCK * 3];
    const void *theta = matrix(g, image, half);
    if (g->type == OC_F64 || !f64) {
        points(xy, theta, g, first, n);
        if (is_half(g))
            round_half(g, xy, (int64_t)n * g->rank);
        return;
    }
    double *wide = xy;
    while (n > 0) {
        const int count = n < BLOCK ? n : BLOCK;
        points(part, theta, g, first, count);
        if (is_half(g))
            round_half(g, part, (int64_t)count * g->rank);
        for (int i = 0; i < count * g->rank; i++)
            *wide++ = (double)part[i];
        first += count;
        n -= count;
    }
}
