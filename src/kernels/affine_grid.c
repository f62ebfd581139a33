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

typedef struct job {
    const oc_affine_grid *g;
    oc_affine_points_fn *points;
    int64_t per_image; /* points */
    int64_t blocks;    /* of one image */
    int tasks;
} job;

/* Points first .. first+n-1 of image m, n <= BLOCK, for float16 and bfloat16. */
static void half_points(const job *j, int64_t m, int64_t first, int64_t n)
{
    const oc_affine_grid *g = j->g;
    const bool f16 = g->type == OC_F16;
    const int64_t size = g->rank * (g->rank + 1);
    const uint16_t *code = (const uint16_t *)g->theta + m * size;
    float theta[12], y[BLOCK * 3];
    for (int i = 0; i < size; i++)
        theta[i] = f16 ? oc_f16_to_f32(code[i]) : oc_bf16_to_f32(code[i]);
    j->points(y, theta, g, first, n);
    uint16_t *out = (uint16_t *)g->y + (m * j->per_image + first) * g->rank;
    for (int64_t i = 0; i < n * g->rank; i++)
        out[i] = f16 ? oc_f16_from_f32(y[i]) : oc_bf16_from_f32(y[i]);
}

static void block(const job *j, int64_t m, int64_t first, int64_t n)
{
    const oc_affine_grid *g = j->g;
    if (g->type == OC_F16 || g->type == OC_BF16) {
        half_points(j, m, first, n);
        return;
    }
    const size_t elem = oc_type_size(g->type);
    const size_t theta_size = elem * (size_t)(g->rank * (g->rank + 1));
    char *y = (char *)g->y + elem * (size_t)((m * j->per_image + first) * g->rank);
    j->points(y, (const char *)g->theta + theta_size * (size_t)m, g, first, n);
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
    job j = {.g = g, .per_image = 1};
    for (int a = 0; a < g->rank; a++)
        j.per_image *= g->n[a];
    j.blocks = (j.per_image + BLOCK - 1) / BLOCK;
    j.tasks = oc_share_tasks(g->batch * j.blocks, threads);
    if (g->type == OC_F64)
        OC_VARIANT_PICK(j.points, oc_affine_variants, f64, g->cpu);
    else
        OC_VARIANT_PICK(j.points, oc_affine_variants, f32, g->cpu);
    oc_parallel_run(parallel, j.tasks, task, &j);
}
