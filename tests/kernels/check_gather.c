/* SPDX-License-Identifier: Apache-2.0
 * check_gather.c - taps applied to a plane: the order of operations, and every variant's bits.
 *
 * The first and the last pixel are poison, NaN, that no tap uses; between and behind the results
 * stand bytes that must stay. */
#include "bench.h"
#include "elements.h"
#include "kernels/sample/gather.h"
#include "kernels/sample/pick.h"

#include <string.h>

enum { PIXELS = 300, CANARY = 64 };

static double random_weight(suite_random *r)
{
    return (double)suite_below(r, 1 << 26) / (1 << 25) - 0.5;
}

/* Taps of `rows` rows of `cols`, in runs. One time in four windows may not be loaded whole; one
 * time in four none is missing. */
static uint32_t random_taps(suite_random *r, oc_taps *t, bool f64, int rows, int cols)
{
    const uint32_t seed = r->state;
    const int room = OC_ROWS / rows;
    t->rows = rows;
    t->cols = cols;
    t->stride = room < OC_TILE ? room : OC_TILE;
    t->run = 1 + (int)suite_below(r, (uint32_t)(t->stride < 40 ? t->stride : 40));
    t->n = t->run * (1 + (int)suite_below(r, (uint32_t)(t->stride / t->run)));
    t->pitch = t->run + (int)suite_below(r, 5);
    t->whole = suite_below(r, 4) > 0;
    t->all = t->whole && suite_below(r, 4) == 0;
    const int window = t->whole ? cols : 1 + (int)suite_below(r, (uint32_t)cols);
    for (int k = 0; k < cols; k++)
        for (int i = 0; i < t->stride; i++) {
            const int shift = cols == 2 && t->whole ? k : (int)suite_below(r, (uint32_t)window);
            t->shift[k * t->stride + i] = t->all ? k : suite_below(r, 8) ? shift : OC_NO_PIXEL;
        }
    for (int i = 0; i < OC_LANES; i++)
        t->base[rows * t->stride + i] = 0;
    for (int i = 0; i < t->stride; i++) {
        const bool last =
            !t->all && suite_below(r, 8) == 0; /* the last window, whose last pixel is poison */
        for (int j = 0; j < rows; j++) {
            const int base = last ? PIXELS - window : 1 + (int)suite_below(r, PIXELS - 5);
            const bool there = i < t->n && (t->all || suite_below(r, 8));
            t->base[j * t->stride + i] = there ? base : 0;
            t->absent[j * t->stride + i] = there ? 0 : OC_NO_PIXEL;
        }
        for (int k = 0; k < cols && last; k++)
            if (t->shift[k * t->stride + i] == window - 1)
                t->shift[k * t->stride + i] = OC_NO_PIXEL;
    }
    for (int k = 0; k < rows * t->stride; k++)
        if (f64)
            t->row_weight.f64[k] = random_weight(r);
        else
            t->row_weight.f32[k] = (float)random_weight(r);
    for (int k = 0; k < cols * t->stride; k++)
        if (f64)
            t->col_weight.f64[k] = random_weight(r);
        else
            t->col_weight.f32[k] = (float)random_weight(r);
    return seed;
}

/* Elements that a result of t may span. */
static int room_of(const oc_taps *t)
{
    return (int)t->pitch * (t->n / t->run);
}

static void random_plane(suite_random *r, oc_type type, void *plane)
{
    const int parts = element_parts(type);
    const bool is_unsigned = type == OC_U8 || type == OC_U16 || type == OC_U32 || type == OC_U64;
    for (int i = 0; i < PIXELS * parts; i++) {
        const double v = suite_below(r, 128) - (is_unsigned ? 0.0 : 64.0);
        element_set(type, plane, i, element_is_int(type) ? v : v / 7);
    }
    for (int part = 0; part < parts && !element_is_int(type); part++) {
        element_set(type, plane, part, (double)NAN);
        element_set(type, plane, (PIXELS - 1) * parts + part, (double)NAN);
    }
}

static const oc_gather_variant *scalar(void)
{
    const oc_gather_variant *v;
    OC_VARIANT_PICK(v, oc_gather_variants, isa, OC_CPU_SCALAR);
    return v;
}

/* Where the result of position i stands. */
static int place(const oc_taps *t, int i)
{
    return i / t->run * (int)t->pitch + i % t->run;
}

/* The offset of a tap and its weight; -1 when it is missing. */
static int tap(const oc_taps *t, int j, int k, int i)
{
    const int32_t shift = t->shift[k * t->stride + i];
    const bool there = !t->absent[j * t->stride + i] && shift >= 0;
    return there ? t->base[j * t->stride + i] + shift : -1;
}

/* Products are rounded, then added in the order of the taps; missing ones add nothing. */
START_TEST(order_is_fixed)
{
    static oc_taps t;
    float plane[PIXELS], y[OC_TILE * 6];
    double plane64[PIXELS], y64[OC_TILE * 6];
    suite_random r = suite_random_new(1);
    for (int round = 0; round < 600; round++) {
        const bool f64 = round & 1;
        const int cols = 2 << suite_below(&r, 2), rows = 1 << suite_below(&r, 5);
        const uint32_t seed = random_taps(&r, &t, f64, rows, cols);
        random_plane(&r, OC_F32, plane);
        random_plane(&r, OC_F64, plane64);
        if (f64)
            oc_gather_sum(OC_F64, oc_cpu_detect())(y64, plane64, &t);
        else
            oc_gather_sum(OC_F32, oc_cpu_detect())(y, plane, &t);
        for (int i = 0; i < t.n; i++) {
            volatile float sum = 0; /* volatile: nothing may be fused */
            volatile double sum64 = 0;
            for (int k = 0; k < rows * cols; k++) {
                const int at = tap(&t, k / cols, k % cols, i);
                const int row = k / cols * t.stride + i, col = k % cols * t.stride + i;
                volatile float product = t.row_weight.f32[row];
                volatile double product64 = t.row_weight.f64[row];
                if (at < 0)
                    continue;
                product = product * t.col_weight.f32[col];
                product = product * plane[at];
                sum = sum + product;
                product64 = product64 * t.col_weight.f64[col];
                product64 = product64 * plane64[at];
                sum64 = sum64 + product64;
            }
            const float want = sum;
            const double want64 = sum64;
            ck_assert_msg(f64 ? !memcmp(&want64, y64 + place(&t, i), sizeof want64)
                              : !memcmp(&want, y + place(&t, i), sizeof want),
                          "OC_SEED=%u", seed);
        }
    }
}
END_TEST

/* What no position's result covers must still be 0xa5. */
static void check_untouched(const oc_taps *t, const unsigned char *y, size_t size, size_t room,
                            const char *isa, uint32_t seed)
{
    for (size_t i = 0; i < room; i++) {
        const int element = (int)(i / size);
        const bool result = element < room_of(t) && element % t->pitch < t->run;
        ck_assert_msg(result || y[i] == 0xa5, "%s wrote where no result is; OC_SEED=%u", isa, seed);
    }
}

static void check_sum(suite_random *r, const oc_gather_variant *v, oc_type type)
{
    static oc_taps t;
    const int cols = 2 << suite_below(r, 2), rows = 1 << suite_below(r, 5);
    const uint32_t seed = random_taps(r, &t, oc_gather_is_f64(type), rows, cols);
    const size_t size = oc_type_size(type), room = (size_t)room_of(&t) * size + CANARY;
    void *plane = malloc(PIXELS * size); /* no byte more: a sanitizer sees what is read past it */
    unsigned char *want = malloc(room), *got = malloc(room);
    random_plane(r, type, plane);
    memset(want, 0xa5, room);
    memset(got, 0xa5, room);
    scalar()->sum[type](want, plane, &t);
    v->sum[type](got, plane, &t);
    ck_assert_msg(!memcmp(want, got, room), "%s, %s; OC_SEED=%u", v->isa, oc_type_name(type), seed);
    check_untouched(&t, got, size, room, v->isa, seed);
    for (int i = 0; i < t.n; i++)
        for (int part = 0; part < element_parts(type); part++)
            ck_assert_msg(!isnan(element_get(type, got, place(&t, i) * element_parts(type) + part)),
                          "%s met the poison; OC_SEED=%u", v->isa, seed);
    free(plane);
    free(want);
    free(got);
}

static void check_pick(suite_random *r, size_t size)
{
    static oc_taps t;
    const uint32_t seed = random_taps(r, &t, false, 1, 1);
    const size_t room = (size_t)room_of(&t) * size + CANARY;
    unsigned char *plane = malloc(PIXELS * size), outside[32], *got = malloc(room);
    for (int i = 0; i < t.n; i++)
        if (!t.all && suite_below(r, 8) == 0) {
            t.absent[i] = OC_NAN_PIXEL;
            t.base[i] = 0;
        }
    for (size_t i = 0; i < PIXELS * size; i++)
        plane[i] = (unsigned char)suite_below(r, 256);
    for (size_t i = 0; i < sizeof outside; i++)
        outside[i] = (unsigned char)suite_below(r, 256);
    memset(got, 0xa5, room);
    oc_pick_of(size)(got, plane, &t, outside);
    for (int i = 0; i < t.n; i++) {
        const unsigned char *from = plane + (size_t)t.base[i] * size;
        if (t.absent[i])
            from = t.absent[i] == OC_NO_PIXEL ? outside : outside + size;
        ck_assert_msg(!memcmp(got + (size_t)place(&t, i) * size, from, size),
                      "pick, size %d; OC_SEED=%u", (int)size, seed);
    }
    check_untouched(&t, got, size, room, "pick", seed);
    free(plane);
    free(got);
}

START_TEST(picks_move_bytes)
{
    suite_random r = suite_random_new(3);
    for (int round = 0; round < 30; round++)
        for (size_t size = 1; size <= 16; size *= 2)
            check_pick(&r, size);
}
END_TEST

START_TEST(variants_equal_scalar)
{
    suite_random r = suite_random_new(2);
    EACH_VARIANT (oc_gather_variant, v, oc_gather_variants)
        for (int round = 0; round < 30; round++)
            for (int type = 1; type < OC_N_TYPES; type++)
                if (v->sum[type])
                    check_sum(&r, v, (oc_type)type);
}
END_TEST

/* The last variant has a function for every type that is claimed. */
START_TEST(scalar_is_whole)
{
    int n = 0;
    for (int type = 1; type < OC_N_TYPES; type++) {
        ck_assert_int_eq(oc_gather_has((oc_type)type), scalar()->sum[type] != NULL);
        n += oc_gather_has((oc_type)type);
    }
    ck_assert_int_eq(n, 14);
    ck_assert(oc_gather_sum(OC_U64, 0) == scalar()->sum[OC_U64]);
}
END_TEST

/* ---- --bench */

typedef struct tile {
    oc_type type;
    oc_taps taps;
    const void *plane;
} tile;

static char results[OC_TILE * 16];

static void run_sum(const void *variant, void *ctx)
{
    const tile *j = ctx;
    ((const oc_gather_variant *)variant)->sum[j->type](results, j->plane, &j->taps);
}

/* A tile of positions on the inside of an image that is transposed a little. */
static void transposed_tile(tile *j, oc_grid_mode mode, int side)
{
    const bool f64 = oc_gather_is_f64(j->type);
    const oc_sampler s = {.rank = 2, .n = {side, side}, .mode = mode};
    const int n = oc_sampler_tile(&s);
    double xy[OC_TILE_XY];
    for (int i = 0; i < n; i++) {
        const double x = (i % 64 - 32) * 2.0 / side, y = (i / 64 - 4) * 2.0 / side;
        xy[2 * i] = 0.98 * x - 0.17 * y;
        xy[2 * i + 1] = 0.17 * x + 0.98 * y;
    }
    oc_taps_pick(true, f64, OC_CPU_SCALAR)(&j->taps, &s, xy, n);
    j->taps.run = n;
    j->taps.pitch = n;
}

static void bench_gather(const bench *b)
{
    static const oc_type types[] = {OC_F32, OC_F64, OC_F16, OC_BF16, OC_U8, OC_I16};
    static tile j;
    void *plane = calloc(1024 * 1024, sizeof(double));
    j.plane = plane;
    for (int i = 0; i < 24; i++) {
        const oc_grid_mode mode = i % 2 ? OC_GRID_CUBIC : OC_GRID_LINEAR;
        const int side = i / 2 % 2 ? 1024 : 128;
        j.type = types[i / 4];
        transposed_tile(&j, mode, side);
        bench_case c = {.elements = j.taps.n, .run = run_sum, .ctx = &j};
        snprintf(c.name, sizeof c.name, "%s, %s, side %d", oc_type_name(j.type),
                 mode == OC_GRID_CUBIC ? "cubic" : "linear", side);
        BENCH(b, &c, oc_gather_variant, oc_gather_variants, sum[j.type]);
    }
    free(plane);
}

KERNEL_SUITE(gather, "a result", order_is_fixed, variants_equal_scalar, picks_move_bytes,
             scalar_is_whole)
