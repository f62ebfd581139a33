/* SPDX-License-Identifier: Apache-2.0
 * check_cast.c - every variant of the casts against tensor/convert.h, whose rules they have: all
 * pairs of types, any count, and nothing past the end. */
#include "bench.h"
#include "kernels/elementwise/cast.h"
#include "tensor/convert.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 60, MOST = 1500 };

static const oc_type types[] = {OC_I8,  OC_U8,  OC_I16, OC_U16, OC_I32,  OC_U32, OC_I64,
                                OC_U64, OC_F32, OC_F64, OC_F16, OC_BF16, OC_BOOL};
enum { TYPES = sizeof types / sizeof *types };

/* Near where integer types end, where the digits of floats end, half way between two float16 or
 * bfloat16 and a little beside that, and hostile ones. */
static double number(suite_random *r)
{
    static const double hostile[] = {0.0,      -0.0,    INFINITY,       NAN,        1e-310,
                                     65504,    65520,   0x1.fffffep127, 0x1.ffp127, 0x1p-149,
                                     0x1p-150, 0x1p-24, 0x1p-25};
    static const int ends[] = {7, 8, 11, 15, 16, 24, 31, 32, 53, 63, 64};
    const double sign = suite_below(r, 2) ? -1 : 1;
    const double fraction = (double)suite_below(r, 1 << 30) / (1 << 30);
    switch (suite_below(r, 5)) {
    case 0:
        return sign * hostile[suite_below(r, sizeof hostile / sizeof *hostile)];
    case 1:
        return sign * (ldexp(1, ends[suite_below(r, 11)]) + (double)suite_below(r, 9) / 2 - 2);
    case 2: {
        const int digits = suite_below(r, 2) ? 8 : 11;
        const double middle = 1 + ldexp(suite_below(r, 1 << 7) + 0.5, 1 - digits);
        const double beside = ((double)suite_below(r, 3) - 1) * 0x1p-30;
        return sign * ldexp(middle + beside, (int)suite_below(r, 80) - 20);
    }
    case 3:
        return sign * ldexp(1 + fraction, (int)suite_below(r, 300) - 150);
    default:
        return sign * 300 * fraction;
    }
}

static void fill(oc_type type, void *x, int64_t n, suite_random *r)
{
    unsigned char *bytes = x;
    const size_t size = oc_type_size(type);
    for (int64_t i = 0; i < n; i++) {
        const double value = number(r);
        const uint32_t beside = suite_below(r, 3) - 1;
        if (suite_below(r, 2) || type == OC_BOOL)
            oc_convert(bytes + (size_t)i * size, type, &value, OC_F64, 1, false);
        else /* any bits */
            for (size_t k = 0; k < size; k++)
                bytes[(size_t)i * size + k] = (unsigned char)suite_below(r, 256);
        if (type == OC_I64 || type == OC_U64) /* more digits than a double */
            ((uint64_t *)x)[i] += (uint64_t)(int64_t)(int32_t)beside;
    }
}

static bool same(oc_type type, const void *x, const void *y, int64_t i)
{
    const size_t size = oc_type_size(type), at = (size_t)i * size;
    if (memcmp((const char *)x + at, (const char *)y + at, size) == 0)
        return true;
    return isnan(oc_element_f64(type, x, i)) && isnan(oc_element_f64(type, y, i));
}

static void check_pair(unsigned cpu, const char *isa, oc_type to, oc_type from, int64_t n,
                       const void *x, uint32_t seed)
{
    static uint64_t got[MOST + 1], want[MOST + 1];
    const size_t end = (size_t)n * oc_type_size(to);
    memset(got, 0x5a, sizeof got);
    ck_assert(oc_cast(cpu, got, to, x, from, n));
    oc_convert(want, to, x, from, n, false);
    for (int64_t i = 0; i < n; i++)
        suite_assert(same(to, got, want, i), "%s: %s %.17g to %s is %.17g, not %.17g; OC_SEED=%u",
                     isa, oc_type_name(from), oc_element_f64(from, x, i), oc_type_name(to),
                     oc_element_f64(to, got, i), oc_element_f64(to, want, i), seed);
    suite_assert(((unsigned char *)got)[end] == 0x5a, "%s: past the end of %lld", isa,
                 (long long)n);
}

START_TEST(casts_are_conversions)
{
    static uint64_t x[MOST];
    suite_random r = suite_random_new(31);
    for (int round = 0; round < ROUNDS; round++)
        for (int f = 0; f < TYPES; f++) {
            const uint32_t seed = r.state;
            const int64_t n = round < 40 ? round : (int64_t)suite_below(&r, MOST);
            fill(types[f], x, n, &r);
            for (int t = 0; t < TYPES; t++)
                EACH_VARIANT (oc_cast_variant, v, oc_cast_variants)
                    check_pair(bench_cpu(v->isa), v->isa, types[t], types[f], n, x, seed);
        }
}
END_TEST

START_TEST(other_types_have_no_casts)
{
    uint64_t x = 0, y = 0;
    ck_assert(!oc_cast(OC_CPU_SCALAR, &y, OC_F8E4M3FN, &x, OC_F32, 1));
    ck_assert(!oc_cast(OC_CPU_SCALAR, &y, OC_BF16, &x, OC_F8E5M2, 1));
    ck_assert(!oc_cast(OC_CPU_SCALAR, &y, OC_I8, &x, OC_I4, 1));
    ck_assert(!oc_cast(OC_CPU_SCALAR, &y, OC_STRING, &x, OC_F16, 1));
}
END_TEST

/* ---- --bench */

typedef struct job {
    oc_type to, from;
    void *y;
    const void *x;
    int64_t n;
} job;

static void run_cast(const void *variant, void *ctx)
{
    const job *j = ctx;
    const oc_cast_variant *v = variant;
    v->cast[oc_cast_index(j->from)][oc_cast_index(j->to)](j->y, j->x, j->n);
}

static void bench_cast(const bench *b)
{
    enum { N = 1 << 16 };
    static const oc_type pairs[][2] = {{OC_U8, OC_F32},  {OC_F32, OC_U8},  {OC_I32, OC_F32},
                                       {OC_I64, OC_F32}, {OC_U8, OC_F64},  {OC_BOOL, OC_F32},
                                       {OC_I32, OC_I64}, {OC_I64, OC_I32}, {OC_U8, OC_I32}};
    static uint64_t x[N], y[N];
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        job j = {pairs[i][0], pairs[i][1], y, x, N};
        bench_case c = {.elements = N,
                        .bytes = (double)(oc_type_size(j.to) + oc_type_size(j.from)) * N,
                        .run = run_cast,
                        .ctx = &j};
        snprintf(c.name, sizeof c.name, "%s to %s", oc_type_name(j.from), oc_type_name(j.to));
        BENCH(b, &c, oc_cast_variant, oc_cast_variants,
              cast[oc_cast_index(j.from)][oc_cast_index(j.to)]);
    }
}

KERNEL_SUITE(cast, "a converted number", casts_are_conversions, other_types_have_no_casts)
