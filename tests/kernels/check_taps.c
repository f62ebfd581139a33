/* SPDX-License-Identifier: Apache-2.0
 * check_taps.c - taps of hostile positions: every offset is a pixel of the plane, every weight is
 * in bounds, and each variant gives scalar's bits. */
#include "bench.h"
#include "kernels/sample/taps.h"

#include <math.h>
#include <string.h>

/* Any bits at all, or a place on or near a border. */
static double hostile(suite_random *r, bool f64, int32_t n)
{
    const double near = (double)suite_below(r, 9) / 4 - 1;
    const uint32_t kind = suite_below(r, 3);
    if (kind == 0) {
        uint64_t bits = (uint64_t)suite_below(r, 1 << 16) << 48 | (uint64_t)r->state << 16;
        double d;
        float f;
        memcpy(&d, &bits, sizeof d);
        bits >>= 32;
        memcpy(&f, &bits, sizeof f);
        return f64 ? d : (double)f;
    }
    const double v = (suite_below(r, 2) ? 1 : -1) * (1 + near / n * (kind == 1));
    return f64 ? nextafter(v, near) : (double)nextafterf((float)v, (float)near);
}

static oc_sampler random_sampler(suite_random *r)
{
    oc_sampler s = {.rank = 1 + (int)suite_below(r, 4),
                    .mode = (oc_grid_mode)suite_below(r, 3),
                    .padding = (oc_grid_padding)suite_below(r, 3),
                    .align = suite_below(r, 2)};
    s.pixels = s.padding == OC_PAD_ZEROS && suite_below(r, 2);
    int32_t room = (int32_t)OC_PLANE_MAX;
    for (int a = 0; a < s.rank; a++) {
        s.n[a] = 1 + (int32_t)suite_below(r, 5);
        room /= s.n[a];
    }
    if (suite_below(r, 4) == 0) /* the largest plane there can be */
        s.n[s.rank - 1] = room;
    return s;
}

static int64_t plane_of(const oc_sampler *s)
{
    int64_t plane = 1;
    for (int a = 0; a < s->rank; a++)
        plane *= s->n[a];
    return plane;
}

static double weight(const oc_taps *t, int j, int k, int i, bool f64)
{
    const int row = j * t->stride + i, col = k * t->stride + i;
    const float w = t->row_weight.f32[row] * t->col_weight.f32[col];
    return f64 ? t->row_weight.f64[row] * t->col_weight.f64[col] : (double)w;
}

/* One row of one position: the window and each of its taps. */
static void check_row(const oc_sampler *s, const oc_taps *t, int j, int i, bool f64, uint32_t seed)
{
    const bool zeros = s->padding == OC_PAD_ZEROS, nearest = s->mode == OC_GRID_NEAREST;
    const int32_t base = t->base[j * t->stride + i], absent = t->absent[j * t->stride + i];
    const int32_t plane = (int32_t)plane_of(s);
    suite_assert(absent == 0 || absent == OC_NO_PIXEL ||
                     (absent == OC_NAN_PIXEL && zeros && nearest),
                 "absent %d; OC_SEED=%u", (int)absent, seed);
    suite_assert(base >= 0 && base < plane - (t->whole ? t->cols - 1 : 0) && (!absent || !base),
                 "base %d of %d; OC_SEED=%u", (int)base, (int)plane, seed);
    if (!zeros && s->mode != OC_GRID_LINEAR) /* there always is a row */
        suite_assert(!absent, "no row; OC_SEED=%u", seed);
    for (int k = 0; k < t->cols && !nearest; k++) {
        const int32_t shift = t->shift[k * t->stride + i];
        suite_assert(shift == OC_NO_PIXEL || (shift >= 0 && shift < t->cols),
                     "shift %d; OC_SEED=%u", (int)shift, seed);
        if (shift >= 0 && s->mode == OC_GRID_LINEAR)
            suite_assert(shift == k, "shift %d of tap %d; OC_SEED=%u", (int)shift, k, seed);
        if (!zeros && s->mode == OC_GRID_CUBIC)
            suite_assert(shift >= 0, "no pixel; OC_SEED=%u", seed);
        if (absent || shift < 0)
            continue;
        suite_assert(base + shift < plane, "pixel %d of %d; OC_SEED=%u", (int)(base + shift),
                     (int)plane, seed);
        const double w = weight(t, j, k, i, f64);
        suite_assert(fabs(w) <= 1 + 1e-6 || (isnan(w) && zeros), "weight %g; OC_SEED=%u", w, seed);
    }
}

static void check(const oc_sampler *s, const oc_taps *t, bool f64, uint32_t seed)
{
    ck_assert_int_eq(t->rows * t->cols, oc_sampler_taps(s));
    ck_assert(!t->whole || s->n[s->rank - 1] >= t->cols);
    for (int k = 0; t->all && k < t->rows * t->cols; k++)
        for (int i = 0; i < t->n; i++)
            suite_assert(!t->absent[k / t->cols * t->stride + i] &&
                             (s->mode == OC_GRID_NEAREST ||
                              t->shift[k % t->cols * t->stride + i] == k % t->cols),
                         "a tap is missing; OC_SEED=%u", seed);
    for (int i = 0; i < t->n; i++) {
        bool any = false;
        for (int j = 0; j < t->rows; j++) {
            check_row(s, t, j, i, f64, seed);
            any = any || !t->absent[j * t->stride + i];
        }
        suite_assert(any || s->padding == OC_PAD_ZEROS, "no pixel; OC_SEED=%u", seed);
    }
    for (int i = t->n; i < t->n + OC_LANES; i++)
        for (int j = 0; j < t->rows; j++) {
            const int32_t base = t->base[j * t->stride + i];
            suite_assert(base >= 0 && base < plane_of(s), "base %d; OC_SEED=%u", (int)base, seed);
        }
}

/* Bits of all taps in use; any NaN is one NaN. */
static void check_same(const oc_sampler *s, const oc_taps *a, const oc_taps *b, bool f64,
                       const char *isa, uint32_t seed)
{
    ck_assert(a->n == b->n && a->rows == b->rows && a->cols == b->cols && a->stride == b->stride &&
              a->whole == b->whole);
    for (int k = 0; k < a->rows * a->cols; k++)
        for (int i = 0; i < a->n; i++) {
            const int base = k / a->cols * a->stride + i, shift = k % a->cols * a->stride + i;
            bool same = a->base[base] == b->base[base] && a->absent[base] == b->absent[base];
            if (!a->absent[base] && s->mode != OC_GRID_NEAREST) {
                same = same && a->shift[shift] == b->shift[shift];
                const double v = weight(a, k / a->cols, k % a->cols, i, f64);
                const double w = weight(b, k / a->cols, k % a->cols, i, f64);
                same = same && (a->shift[shift] < 0 || (isnan(v) && isnan(w)) ||
                                (v == w && signbit(v) == signbit(w)));
            }
            suite_assert(same, "%s; OC_SEED=%u", isa, seed);
        }
}

static oc_taps_fn *function(const oc_taps_variant *v, int pair)
{
    return pair == 0 ? v->f32_f32 : pair == 1 ? v->f64_f32 : v->f64_f64;
}

START_TEST(hostile_positions)
{
    static oc_taps want, got;
    float xy32[OC_TILE_XY];
    double xy64[OC_TILE_XY];
    suite_random r = suite_random_new(6);
    for (int round = 0; round < 6000; round++) {
        const uint32_t seed = r.state;
        const int pair = round % 3;
        const oc_sampler s = random_sampler(&r);
        const int n = 1 + (int)suite_below(&r, (uint32_t)oc_sampler_tile(&s));
        for (int i = 0; i < n * s.rank; i++) {
            xy64[i] = hostile(&r, pair > 0, s.n[s.rank - 1 - i % s.rank]);
            xy32[i] = (float)(pair > 0 ? 0 : xy64[i]);
        }
        const void *xy = pair > 0 ? (const void *)xy64 : xy32;
        oc_taps_pick(pair > 0, pair == 2, OC_CPU_SCALAR)(&want, &s, xy, n);
        check(&s, &want, pair == 2, seed);
        EACH_VARIANT (oc_taps_variant, v, oc_taps_variants)
            if (function(v, pair)) {
                function(v, pair)(&got, &s, xy, n);
                check_same(&s, &want, &got, pair == 2, v->isa, seed);
            }
    }
}
END_TEST

/* Taps of positions that all lie well inside an image, which are made by a short cut, are those of
 * the same positions before one that lies outside. */
START_TEST(inside_is_no_exception)
{
    static oc_taps alone, among;
    float xy32[OC_TILE_XY];
    double xy64[OC_TILE_XY];
    suite_random r = suite_random_new(8);
    int cut = 0;
    for (int round = 0; round < 6000; round++) {
        const uint32_t seed = r.state;
        const int pair = round % 3;
        oc_sampler s = {.rank = 2,
                        .mode = (oc_grid_mode)suite_below(&r, 3),
                        .padding = (oc_grid_padding)suite_below(&r, 3),
                        .align = suite_below(&r, 2)};
        s.n[0] = 5 + (int32_t)suite_below(&r, 40);
        s.n[1] = 5 + (int32_t)suite_below(&r, 40);
        if (suite_below(&r, 4) == 0) { /* where numbers are no longer exact */
            s.n[0] = 5 + (int32_t)suite_below(&r, 26);
            s.n[1] = (1 << 24) + (int32_t)suite_below(&r, 8);
        }
        const int n = 1 + (int)suite_below(&r, (uint32_t)oc_sampler_tile(&s) - 1);
        for (int i = 0; i < 2 * n; i++) { /* or a little too far out */
            xy64[i] = (double)suite_below(&r, 1 << 20) / (1 << 19) - 1;
            xy64[i] *= suite_below(&r, 1 << 12) ? 1 - 4.1 / s.n[1 - i % 2] : 1.1;
            if (suite_below(&r, 8) == 0) /* at a pixel, or between two */
                xy64[i] = ((int)(xy64[i] * s.n[1 - i % 2]) + 0.5) / s.n[1 - i % 2];
            if (s.n[1 - i % 2] > 1 << 23)
                xy64[i] = 1 - (double)(2 + suite_below(&r, 6)) / (1 << 24);
        }
        xy64[2 * n] = xy64[2 * n + 1] = 3;
        for (int i = 0; i < 2 * n + 2; i++)
            xy32[i] = (float)xy64[i];
        const void *xy = pair > 0 ? (const void *)xy64 : xy32;
        EACH_VARIANT (oc_taps_variant, v, oc_taps_variants) {
            oc_taps_fn *fn = function(v, pair);
            if (!fn)
                continue;
            fn(&alone, &s, xy, n);
            fn(&among, &s, xy, n + 1);
            check(&s, &alone, pair == 2, seed);
            ck_assert(!among.all);
            cut += alone.all;
            among.n = n;
            check_same(&s, &alone, &among, pair == 2, v->isa, seed);
        }
    }
    ck_assert_int_gt(cut, 1000);
}
END_TEST

/* A tile holds a position of any shape that is accepted, and never more than there is room for. */
START_TEST(tiles_fit)
{
    for (int mode = 0; mode < 3; mode++)
        for (int rank = 1; rank <= OC_MAX_RANK - 2; rank++) {
            const oc_sampler s = {.rank = rank, .mode = (oc_grid_mode)mode};
            const int taps = oc_sampler_taps(&s), tile = oc_sampler_tile(&s);
            const int cols = mode == OC_GRID_NEAREST ? 1 : mode == OC_GRID_LINEAR ? 2 : 4;
            const int most = mode == OC_GRID_NEAREST  ? OC_MAX_RANK
                             : mode == OC_GRID_LINEAR ? 12
                                                      : 6;
            ck_assert_int_eq(taps > 0, rank <= most);
            ck_assert_int_ge(tile, 1);
            ck_assert_int_le(tile, OC_TILE);
            ck_assert_int_le(tile * taps / cols, OC_ROWS);
            ck_assert_int_le(tile * rank, OC_TILE_XY);
        }
}
END_TEST

/* ---- --bench */

typedef struct tile {
    oc_sampler s;
    float xy[OC_TILE_XY];
    int n;
} tile;

static void run_tile(const void *variant, void *ctx)
{
    static oc_taps t;
    const tile *j = ctx;
    ((const oc_taps_variant *)variant)->f32_f32(&t, &j->s, j->xy, j->n);
}

/* Tiles well inside an image, and tiles that lie partly outside. */
static void bench_taps(const bench *b)
{
    static const char *const modes[] = {"linear", "nearest", "cubic"};
    static const char *const paddings[] = {"zeros", "border", "reflection"};
    for (int i = 0; i < 12; i++) {
        const int mode = i / 4, place = i % 4; /* inside, or outside with each padding */
        tile j = {.s = {.rank = 2, .n = {300, 300}, .mode = (oc_grid_mode)mode}};
        j.s.padding = place ? (oc_grid_padding)(place - 1) : OC_PAD_ZEROS;
        j.n = oc_sampler_tile(&j.s);
        bench_fill(j.xy, 2 * j.n);
        for (int k = 0; k < 2 * j.n; k++)
            j.xy[k] *= place ? 1.2f : 0.9f;
        bench_case c = {.elements = j.n, .run = run_tile, .ctx = &j};
        snprintf(c.name, sizeof c.name, "%s, %s", modes[mode],
                 place ? paddings[place - 1] : "inside");
        BENCH(b, &c, oc_taps_variant, oc_taps_variants, f32_f32);
    }
}

KERNEL_SUITE(taps, "a position", hostile_positions, inside_is_no_exception, tiles_fit)
