/* SPDX-License-Identifier: Apache-2.0
 * check_gather.c - taps applied to a plane: the order of operations, and every variant's bits.
 *
 * Pixel 0 is poison, NaN, that no tap uses; behind the last result stand bytes that must stay. */
#include "elements.h"
#include "kernels/gather.h"
#include "suite.h"

#include <string.h>

enum { PIXELS = 300, CANARY = 64 };

static uint32_t random_taps(suite_random *r, oc_taps *t, bool f64, int per)
{
    const uint32_t seed = r->state;
    t->per = per;
    t->stride = OC_TAPS / per < OC_TILE ? OC_TAPS / per : OC_TILE;
    t->n = 1 + (int)suite_below(r, (uint32_t)t->stride);
    for (int k = 0; k < per * t->stride; k++) {
        t->offset[k] = suite_below(r, 4) ? 1 + (int32_t)suite_below(r, PIXELS - 1) : OC_NO_PIXEL;
        const double w = (double)suite_below(r, 1 << 26) / (1 << 25) - 0.5;
        if (f64)
            t->weight.f64[k] = w;
        else
            t->weight.f32[k] = (float)w;
    }
    return seed;
}

static void random_plane(suite_random *r, oc_type type, void *plane)
{
    const int parts = element_parts(type);
    const bool is_unsigned = type == OC_U8 || type == OC_U16 || type == OC_U32 || type == OC_U64;
    for (int i = 0; i < PIXELS * parts; i++) {
        const double v = suite_below(r, 128) - (is_unsigned ? 0.0 : 64.0);
        element_set(type, plane, i, element_is_int(type) ? v : v / 7);
    }
    for (int part = 0; part < parts && !element_is_int(type); part++)
        element_set(type, plane, part, (double)NAN);
}

static const oc_gather_variant *scalar(void)
{
    int i = 0;
    while (oc_gather_variants[i]->need)
        i++;
    return oc_gather_variants[i];
}

/* Products are rounded, then added in the order of the taps; missing ones add nothing. */
START_TEST(order_is_fixed)
{
    static oc_taps t;
    float plane[PIXELS], y[OC_TILE];
    double plane64[PIXELS], y64[OC_TILE];
    suite_random r = suite_random_new(1);
    for (int round = 0; round < 300; round++) {
        const int per = 1 << suite_below(&r, 7);
        uint32_t seed = random_taps(&r, &t, false, per);
        random_plane(&r, OC_F32, plane);
        oc_gather_sum(OC_F32, oc_cpu_detect())(y, plane, &t);
        for (int i = 0; i < t.n; i++) {
            volatile float sum = 0; /* volatile: nothing may be fused */
            for (int k = 0; k < per; k++)
                if (t.offset[k * t.stride + i] >= 0) {
                    volatile float product = t.weight.f32[k * t.stride + i];
                    product = product * plane[t.offset[k * t.stride + i]];
                    sum = sum + product;
                }
            const float want = sum;
            ck_assert_msg(!memcmp(&want, y + i, sizeof want), "OC_SEED=%u", seed);
        }
        seed = random_taps(&r, &t, true, per);
        random_plane(&r, OC_F64, plane64);
        oc_gather_sum(OC_F64, oc_cpu_detect())(y64, plane64, &t);
        for (int i = 0; i < t.n; i++) {
            volatile double sum = 0;
            for (int k = 0; k < per; k++)
                if (t.offset[k * t.stride + i] >= 0) {
                    volatile double product = t.weight.f64[k * t.stride + i];
                    product = product * plane64[t.offset[k * t.stride + i]];
                    sum = sum + product;
                }
            const double want = sum;
            ck_assert_msg(!memcmp(&want, y64 + i, sizeof want), "OC_SEED=%u", seed);
        }
    }
}
END_TEST

static void check_sum(suite_random *r, const oc_gather_variant *v, oc_type type)
{
    static oc_taps t;
    const size_t size = oc_type_size(type), room = OC_TILE * size + CANARY;
    const uint32_t seed = random_taps(r, &t, oc_gather_is_f64(type), 1 << suite_below(r, 7));
    void *plane = calloc(PIXELS, size);
    unsigned char *want = malloc(room), *got = malloc(room);
    random_plane(r, type, plane);
    memset(want, 0xa5, room);
    memset(got, 0xa5, room);
    scalar()->sum[type](want, plane, &t);
    v->sum[type](got, plane, &t);
    ck_assert_msg(!memcmp(want, got, room), "%s, %s; OC_SEED=%u", v->isa, oc_type_name(type), seed);
    for (size_t i = (size_t)t.n * size; i < room; i++)
        ck_assert_msg(got[i] == 0xa5, "%s wrote past the end; OC_SEED=%u", v->isa, seed);
    for (int i = 0; i < t.n * element_parts(type); i++)
        ck_assert_msg(!isnan(element_get(type, got, i)), "%s met the poison; OC_SEED=%u", v->isa,
                      seed);
    free(plane);
    free(want);
    free(got);
}

static void check_pick(suite_random *r, const oc_gather_variant *v, int log2)
{
    static oc_taps t;
    const size_t size = (size_t)1 << log2, room = OC_TILE * size + CANARY;
    unsigned char plane[PIXELS * 16], outside[32], *got = malloc(room);
    const uint32_t seed = random_taps(r, &t, false, 1);
    for (int i = 0; i < t.n; i++)
        if (suite_below(r, 8) == 0)
            t.offset[i] = OC_NAN_PIXEL;
    for (size_t i = 0; i < sizeof plane; i++)
        plane[i] = (unsigned char)suite_below(r, 256);
    for (size_t i = 0; i < sizeof outside; i++)
        outside[i] = (unsigned char)suite_below(r, 256);
    memset(got, 0xa5, room);
    v->pick[log2](got, plane, &t, outside);
    for (int i = 0; i < t.n; i++) {
        const int32_t o = t.offset[i];
        const unsigned char *from = o >= 0             ? plane + (size_t)o * size
                                    : o == OC_NO_PIXEL ? outside
                                                       : outside + size;
        ck_assert_msg(!memcmp(got + (size_t)i * size, from, size), "%s, size %d; OC_SEED=%u",
                      v->isa, (int)size, seed);
    }
    for (size_t i = (size_t)t.n * size; i < room; i++)
        ck_assert_msg(got[i] == 0xa5, "%s wrote past the end; OC_SEED=%u", v->isa, seed);
    free(got);
}

START_TEST(variants_equal_scalar)
{
    suite_random r = suite_random_new(2);
    for (int i = 0;; i++) {
        const oc_gather_variant *v = oc_gather_variants[i];
        for (int round = 0; round < 30 && !(v->need & ~oc_cpu_detect()); round++) {
            for (int type = 1; type < OC_N_TYPES; type++)
                if (v->sum[type])
                    check_sum(&r, v, (oc_type)type);
            for (int log2 = 0; log2 < 5; log2++)
                if (v->pick[log2])
                    check_pick(&r, v, log2);
        }
        if (!v->need)
            break;
    }
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
    ck_assert(oc_gather_pick(16, 0) == scalar()->pick[4]);
    ck_assert(oc_gather_sum(OC_U64, 0) == scalar()->sum[OC_U64]);
}
END_TEST

SUITE("gather", order_is_fixed, variants_equal_scalar, scalar_is_whole)
