/* SPDX-License-Identifier: Apache-2.0
 * check_nchw16c.c - NCHW to NCHW16c and back, element by element, in every variant. */
#include "bench.h"
#include "elements.h"
#include "kernels/layout/nchw16c_bytes.h"

#include <string.h>

enum { MOST = 16, STRIDE = 120, PIXELS = 100 };

static const oc_type types[] = {
#define X(type, real) OC_##type,
    OC_NCHW16C_TYPES(X)
#undef X
};
enum { N_TYPES = sizeof types / sizeof *types };

typedef struct memory {
    _Alignas(8) unsigned char planes[MOST * STRIDE * 8], expected[MOST * STRIDE * 8];
    _Alignas(64) unsigned char block[(PIXELS + 1) * OC_BLOCK_BYTES];
    _Alignas(64) unsigned char expected_block[(PIXELS + 1) * OC_BLOCK_BYTES];
} memory;

static memory m; /* too large for a stack */

static bool is_double(oc_type type)
{
    return oc_nchw16c_of(type) == OC_BLOCK_BYTES / (int)sizeof(double);
}

/* Bits as they come, so Inf, NaN and the least numbers are among them. */
static void random_bytes(suite_random *r, void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)bytes)[i] = (unsigned char)suite_below(r, 256);
}

static double channel_at(oc_type type, const void *block, int64_t i)
{
    return element_get(is_double(type) ? OC_F64 : OC_F32, block, i);
}

/* The channels of the pixels given, then bytes left alone. */
static void check_in(const oc_nchw16c_variant *v, oc_type type, suite_random *r)
{
    const uint32_t seed = r->state;
    const int per_block = oc_nchw16c_of(type),
              channels = 1 + (int)suite_below(r, (uint32_t)per_block);
    const int64_t n = suite_below(r, PIXELS + 1), stride = n + suite_below(r, STRIDE - PIXELS);
    random_bytes(r, m.planes, sizeof m.planes);
    memset(m.block, 0xa5, sizeof m.block);
    v->in(m.block, m.planes, stride, channels, n);
    for (int64_t i = 0; i < n; i++)
        for (int c = 0; c < per_block; c++) {
            const double want = c < channels ? element_get(type, m.planes, c * stride + i) : 0;
            const double got = channel_at(type, m.block, i * per_block + c);
            suite_assert(SAME(got, want), "%s %s: pixel %d, channel %d is %g, not %g; OC_SEED=%u",
                         v->isa, oc_type_name(type), (int)i, c, got, want, seed);
        }
    for (int64_t i = n * OC_BLOCK_BYTES; i < (int64_t)sizeof m.block; i++)
        suite_assert(m.block[i] == 0xa5, "%s %s: byte %d past %d pixels; OC_SEED=%u", v->isa,
                     oc_type_name(type), (int)i, (int)n, seed);
}

/* What the scalar variant writes, and nothing else. */
static void check_out(const oc_nchw16c_variant *v, oc_type type, suite_random *r)
{
    static const double ends[] = {0,     -0.0,    127.5, 128,    -128.5, 255.9,  256,    -0.9,
                                  32768, -32768,  65536, 1e9,    -1e9,   1e300,  -1e300, 65520,
                                  1e-40, 5.96e-8, 3e-8,  0x1p31, 0x1p32, 0x1p63, 0x1p64, 2.5};
    const uint32_t seed = r->state;
    const int per_block = oc_nchw16c_of(type),
              channels = 1 + (int)suite_below(r, (uint32_t)per_block);
    const int64_t n = suite_below(r, PIXELS + 1), stride = n + suite_below(r, STRIDE - PIXELS);
    const oc_type real = is_double(type) ? OC_F64 : OC_F32;
    random_bytes(r, m.block, sizeof m.block);
    for (int64_t i = 0; i < n * per_block; i += 1 + suite_below(r, 3))
        element_set(real, m.block, i, (double)(float)ends[suite_below(r, 24)]);
    for (int64_t i = 0; i < n * per_block; i += 1 + suite_below(r, 5))
        element_set(real, m.block, i, ((double)suite_below(r, 1u << 20) - 0x1p19) / 64);
    memset(m.planes, 0xa5, sizeof m.planes);
    memset(m.expected, 0xa5, sizeof m.expected);
    v->out(m.planes, stride, m.block, channels, n);
    oc_nchw16c_out(type, OC_CPU_SCALAR)(m.expected, stride, m.block, channels, n);
    const size_t size = oc_type_size(type);
    for (int64_t i = 0; i < MOST * STRIDE; i++) {
        const double got = element_get(type, m.planes, i), want = element_get(type, m.expected, i);
        suite_assert((isnan(got) && isnan(want)) ||
                         memcmp(m.planes + (size_t)i * size, m.expected + (size_t)i * size, size) ==
                             0,
                     "%s %s: channel %d, pixel %d is %g, not %g; OC_SEED=%u", v->isa,
                     oc_type_name(type), (int)(i / stride), (int)(i % stride), got, want, seed);
    }
}

START_TEST(every_variant_of_every_type)
{
    suite_random r = suite_random_new(3);
    for (int round = 0; round < 60 * N_TYPES; round++) {
        const oc_type type = types[round % N_TYPES];
        EACH_VARIANT (oc_nchw16c_variant, v, oc_nchw16c_variants(type)) {
            check_in(v, type, &r);
            check_out(v, type, &r);
        }
    }
}
END_TEST

/* Elements of one and two bytes there and back: each at its place, and nothing else is written. */
static void check_bytes(const oc_nchw16c_variant *v, int64_t size, suite_random *r)
{
    const uint32_t seed = r->state;
    const int channels = 1 + (int)suite_below(r, MOST);
    const int64_t n = suite_below(r, PIXELS + 1), stride = n + suite_below(r, 9);
    random_bytes(r, m.planes, sizeof m.planes);
    memset(m.block, 0xa5, sizeof m.block);
    memcpy(m.expected, m.planes, sizeof m.planes);
    v->in(m.block, m.planes, stride, channels, n);
    for (int64_t i = 0; i < (int64_t)sizeof m.block; i++) {
        const int64_t k = i / size, c = k % MOST, at = (c * stride + k / MOST) * size + i % size;
        const int want = k >= n * MOST ? 0xa5 : c < channels ? m.planes[at] : 0;
        suite_assert(m.block[i] == want, "%s: byte %d is %d, not %d; OC_SEED=%u", v->isa, (int)i,
                     m.block[i], want, seed);
    }
    for (int c = 0; c < channels; c++)
        memset(m.expected + c * stride * size, 0, (size_t)(n * size));
    v->out(m.expected, stride, m.block, channels, n);
    suite_assert(memcmp(m.expected, m.planes, sizeof m.planes) == 0,
                 "%s: %d channels do not come back; OC_SEED=%u", v->isa, channels, seed);
}

START_TEST(every_variant_of_bytes)
{
    suite_random r = suite_random_new(4);
    for (int round = 0; round < 500; round++) {
        EACH_VARIANT (oc_nchw16c_variant, v, oc_nchw16c_bytes)
            check_bytes(v, 1, &r);
        EACH_VARIANT (oc_nchw16c_variant, v, oc_nchw16c_halves)
            check_bytes(v, 2, &r);
    }
}
END_TEST

/* Values whose way out is known, in the variant that would be picked. */
START_TEST(rounding_on_the_way_out)
{
    static const struct {
        oc_type type;
        double in, out;
    } cases[] = {
        {OC_U8, 254.99, 254},       {OC_U8, 300, 255},        {OC_U8, -3, 0},
        {OC_I8, -128.9, -128},      {OC_I8, -1.9, -1},        {OC_U16, 65535.5, 65535},
        {OC_I16, 1e9, 32767},       {OC_I32, -2.9, -2},       {OC_U32, 4294967295.5, 4294967295},
        {OC_I64, -0x1p70, -0x1p63}, {OC_U64, -1, 0},          {OC_F16, 2049, 2048},
        {OC_F16, 2051, 2052},       {OC_F16, 0x1p-25, 0},     {OC_BF16, 257, 256},
        {OC_BF16, 259, 260},        {OC_F32, 0.1f, 0.1f},     {OC_F64, 0.1, 0.1},
        {OC_U8, (double)NAN, 0},    {OC_I16, (double)NAN, 0}, {OC_I32, (double)NAN, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const oc_type type = cases[k].type;
        for (int i = 0; i < 20 * oc_nchw16c_of(type); i++)
            element_set(is_double(type) ? OC_F64 : OC_F32, m.block, i, cases[k].in);
        oc_nchw16c_out(type, oc_cpu_detect())(m.planes, 20, m.block, oc_nchw16c_of(type), 20);
        for (int i = 0; i < 20 * oc_nchw16c_of(type); i++)
            ck_assert_msg(element_get(type, m.planes, i) == (double)(float)cases[k].out ||
                              element_get(type, m.planes, i) == cases[k].out,
                          "%s: %g gives %g", oc_type_name(type), cases[k].in,
                          element_get(type, m.planes, i));
    }
    ck_assert_int_eq(oc_nchw16c_of(OC_C64), 0);
    ck_assert_int_eq(oc_nchw16c_of(OC_U8), 16);
    ck_assert_int_eq(oc_nchw16c_of(OC_I64), 8);
}
END_TEST

/* ---- --bench */

typedef struct conversion {
    oc_type type;
    void *block, *planes;
    int64_t n;
} conversion;

static void run_in(const void *variant, void *ctx)
{
    const conversion *t = ctx;
    ((const oc_nchw16c_variant *)variant)
        ->in(t->block, t->planes, t->n, oc_nchw16c_of(t->type), t->n);
}

static void run_out(const void *variant, void *ctx)
{
    const conversion *t = ctx;
    ((const oc_nchw16c_variant *)variant)
        ->out(t->planes, t->n, t->block, oc_nchw16c_of(t->type), t->n);
}

static void bench_nchw16c(const bench *b)
{
    static const oc_type some[] = {OC_F32, OC_F64, OC_F16, OC_U8};
    static const int64_t sizes[] = {500, 65000};
    conversion t = {.block = aligned_alloc(64, 65000 * OC_BLOCK_BYTES),
                    .planes = calloc(65000, OC_BLOCK_BYTES)};
    memset(t.block, 0, 65000 * OC_BLOCK_BYTES);
    for (int i = 0; i < 16; i++) {
        t.type = some[i / 4];
        t.n = sizes[i / 2 % 2];
        bench_case c = {.elements = (double)(t.n * oc_nchw16c_of(t.type)),
                        .run = i % 2 ? run_out : run_in,
                        .ctx = &t};
        c.bytes = (double)(t.n * OC_BLOCK_BYTES) + c.elements * (double)oc_type_size(t.type);
        snprintf(c.name, sizeof c.name, "%s %s, %d pixels", oc_type_name(t.type),
                 i % 2 ? "out" : "in", (int)t.n);
        BENCH(b, &c, oc_nchw16c_variant, oc_nchw16c_variants(t.type), in);
    }
    for (int i = 0; i < 8; i++) {
        const int64_t size = 1 + i / 2 % 2;
        t.n = i < 4 ? 500 : 65000;
        t.type = OC_F32; /* 16 channels */
        bench_case c = {.elements = (double)(t.n * MOST),
                        .bytes = (double)(2 * t.n * MOST * size),
                        .run = i % 2 ? run_out : run_in,
                        .ctx = &t};
        snprintf(c.name, sizeof c.name, "%d bytes %s, %d pixels", (int)size, i % 2 ? "out" : "in",
                 (int)t.n);
        BENCH(b, &c, oc_nchw16c_variant, size == 1 ? oc_nchw16c_bytes : oc_nchw16c_halves, in);
    }
    free(t.block);
    free(t.planes);
}

KERNEL_SUITE(nchw16c, "a pixel of one channel", every_variant_of_every_type, every_variant_of_bytes,
             rounding_on_the_way_out)
