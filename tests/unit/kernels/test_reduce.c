/* SPDX-License-Identifier: Apache-2.0
 * test_reduce.c - reductions against the order that kernels/reduce/reduce.h states, literally. */
#include "kernels/reduce/reduce.h"
#include "suite.h"

#include <math.h>
#include <string.h>

enum { ROOM = 1 << 18 }; /* enough for tiles in parts */

static float x[ROOM], want[ROOM], got[ROOM], line[ROOM];

static const oc_folds *pick(oc_type type)
{
    return oc_folds_pick(type, oc_cpu_detect());
}

/* As many blocks as the greatest power of two below count, and the others. */
static float sum_blocks(const float *block, int count)
{
    int half = 1;
    while (half * 2 < count)
        half *= 2;
    return count == 1 ? block[0] : sum_blocks(block, half) + sum_blocks(block + half, count - half);
}

static float sum_block(const float *v, int n)
{
    float part[OC_REDUCE_SUMS];
    const int lanes = n < OC_REDUCE_SUMS ? n : OC_REDUCE_SUMS;
    for (int k = 0; k < n; k++)
        part[k % OC_REDUCE_SUMS] = k < OC_REDUCE_SUMS ? v[k] : part[k % OC_REDUCE_SUMS] + v[k];
    for (int apart = OC_REDUCE_SUMS / 2; apart; apart /= 2)
        for (int p = 0; p < apart; p++)
            if (p + apart < lanes)
                part[p] += part[p + apart];
    return part[0];
}

static float sum(const float *v, int n)
{
    float block[ROOM / OC_REDUCE_BLOCK + 1];
    int blocks = 0;
    for (int k = 0; k < n; k += OC_REDUCE_BLOCK)
        block[blocks++] = sum_block(v + k, n - k < OC_REDUCE_BLOCK ? n - k : OC_REDUCE_BLOCK);
    return sum_blocks(block, blocks);
}

/* The offset of the i-th place along some axes. */
static int64_t place(const oc_reduce_axis *axis, int n_axes, int64_t i)
{
    int64_t at = 0;
    for (int a = n_axes - 1; a >= 0; a--) {
        at += i % axis[a].n * axis[a].step;
        i /= axis[a].n;
    }
    return at;
}

static void store(const void *ctx, const void *result, int64_t first, int64_t n)
{
    (void)ctx;
    memcpy(got + first, result, (size_t)n * sizeof *got);
}

static void copy(const void *ctx, void *to, const void *from, int64_t n)
{
    (void)ctx;
    memcpy(to, from, (size_t)n * sizeof *x);
}

static int64_t size_of(suite_random *r, int64_t room)
{
    static const int64_t sizes[] = {1,  2,   3,    7,    8,    15,   16,   17,
                                    33, 130, 1024, 1025, 3073, 7200, 70001};
    int64_t n;
    do
        n = sizes[suite_below(r, sizeof sizes / sizeof *sizes)];
    while (n > room);
    return n;
}

/* Tasks in any order are what threads make of them. */
static void run_backwards(void *ctx, int n, void (*task)(void *arg, int i), void *arg)
{
    (void)ctx;
    for (int i = n - 1; i >= 0; i--)
        task(arg, i);
}

START_TEST(order_is_the_stated_one)
{
    suite_random r = suite_random_new(1);
    for (int i = 0; i < ROOM; i++)
        x[i] = (float)suite_below(&r, 1 << 20) / 4096 - 100;
    for (int round = 0; round < 400; round++) {
        const uint32_t start = r.state;
        oc_reduce t = {.x = x, .x_size = sizeof *x, .fold = &pick(OC_F32)->sum, .store = store};
        oc_reduce_axis axis[4];
        int64_t step = 1, n = 1, results = 1;
        const uint32_t flip = suite_below(&r, 2);
        const int axes = round % 4 == 3 ? 2 : 4, gap = round % 8 == 7 ? 3 : 0;
        for (int a = axes - 1; a >= 0; a--) {
            axis[a] = (oc_reduce_axis){size_of(&r, ROOM / step), step};
            step = step * axis[a].n + gap;
        }
        for (int a = 0; a < axes; a++) {
            const bool reduced = ((uint32_t)a + flip) % 2;
            *(reduced ? &t.reduced[t.n_reduced++] : &t.kept[t.n_kept++]) = axis[a];
            *(reduced ? &n : &results) *= axis[a].n;
        }
        for (int64_t i = 0; i < results; i++) {
            const int64_t from = place(t.kept, t.n_kept, i);
            for (int64_t k = 0; k < n; k++)
                line[k] = x[from + place(t.reduced, t.n_reduced, k)];
            want[i] = sum(line, (int)n);
        }
        const oc_parallel backwards = {.run = run_backwards};
        t.load = round % 3 == 1 ? copy : NULL;
        t.lines = round % 3 == 2 ? t.fold->lines : NULL;
        t.work = (oc_work){.parallel = round % 2 ? &backwards : NULL, .threads = 256};
        oc_reduce_run(&t);
        suite_assert(memcmp(want, got, (size_t)results * sizeof *got) == 0, "seed %u", start);
    }
}
END_TEST

static double log_sum[8];

static void store_log_sum(const void *ctx, const void *result, int64_t first, int64_t n)
{
    (void)ctx;
    memcpy(log_sum + first, result, (size_t)n * sizeof *log_sum);
}

static void load(const void *ctx, void *to, const void *from, int64_t n)
{
    (void)ctx;
    for (int64_t i = 0; i < n; i++)
        ((double *)to)[i] = (double)((const float *)from)[i];
}

/* Alone it is computed in parts, eight times over it is not. */
START_TEST(parts_give_the_same_logarithm)
{
    suite_random r = suite_random_new(2);
    for (int round = 0; round < 20; round++) {
        const uint32_t start = r.state;
        const int64_t n = ROOM / 2 + suite_below(&r, ROOM / 2);
        const oc_parallel backwards = {.run = run_backwards};
        oc_reduce t = {.x = x,
                       .x_size = sizeof *x,
                       .log_sum_exp = oc_elementary_pick(OC_CPU_SCALAR),
                       .folds = pick(OC_F64),
                       .load = load,
                       .store = store_log_sum,
                       .n_reduced = 1,
                       .reduced = {{n, 1}}};
        for (int64_t i = 0; i < n; i++)
            x[i] = (float)suite_below(&r, 1 << 20) / 65536;
        t.work = (oc_work){.parallel = &backwards, .threads = 256};
        oc_reduce_run(&t);
        const double alone = log_sum[0];
        t.n_kept = 2;
        t.kept[0] = (oc_reduce_axis){8, 0};
        t.kept[1] = (oc_reduce_axis){1, 1};
        oc_reduce_run(&t);
        for (int i = 0; i < 8; i++)
            suite_assert(log_sum[i] == alone, "%a, not %a; seed %u", alone, log_sum[i], start);
    }
}
END_TEST

/* One element after another: NaN stays, and of equals (0 and -0) the first. */
START_TEST(extremes_are_those_one_by_one)
{
    static const float odd[] = {NAN, INFINITY, -INFINITY, 0.0f, -0.0f, 1e-45f};
    suite_random r = suite_random_new(3);
    for (int round = 0; round < 4000; round++) {
        const uint32_t start = r.state;
        const int n = (int)suite_below(&r, 300), is_max = round % 2;
        const uint32_t kinds = round % 3 ? 3 : 1; /* zeros alone, at times */
        float part[OC_REDUCE_SUMS], one[OC_REDUCE_SUMS];
        for (int i = 0; i < n + OC_REDUCE_SUMS; i++) {
            x[i] = kinds == 1 ? odd[3 + suite_below(&r, 2)] : (float)suite_below(&r, 100) - 50;
            if (suite_below(&r, 200) == 0)
                x[i] = odd[suite_below(&r, 6)];
        }
        memcpy(part, x + n, sizeof part);
        memcpy(one, x + n, sizeof one);
        for (int k = 0; k < n; k++) {
            float *a = &one[k % OC_REDUCE_SUMS];
            if (isnan(x[k]) || (is_max ? x[k] > *a : x[k] < *a))
                *a = x[k];
        }
        (is_max ? &pick(OC_F32)->max : &pick(OC_F32)->min)->along(part, x, n);
        for (int p = 0; p < OC_REDUCE_SUMS; p++)
            suite_assert((isnan(one[p]) && isnan(part[p])) ||
                             !memcmp(&one[p], &part[p], sizeof *one),
                         "lane %d of %d elements is %a, not %a; seed %u", p, n, (double)part[p],
                         (double)one[p], start);
    }
}
END_TEST

/* Integers in their own type, in rows and alone, against int64 one by one. */
#define NARROW(name, T, type)                                                                      \
    static void name(const T *from, int64_t rows, int64_t width, int is_max, uint32_t seed)        \
    {                                                                                              \
        T *to = (T *)(void *)got;                                                                  \
        oc_reduce t = {.x = from,                                                                  \
                       .x_size = sizeof(T),                                                        \
                       .fold = is_max ? &pick(type)->max : &pick(type)->min,                       \
                       .store = store_##name,                                                      \
                       .n_kept = 1,                                                                \
                       .n_reduced = 1,                                                             \
                       .kept = {{width, 1}},                                                       \
                       .reduced = {{rows, width}}};                                                \
        for (int way = 0; way < 2; way++) {                                                        \
            if (way) { /* along the rows */                                                        \
                t.kept[0] = (oc_reduce_axis){rows, width};                                         \
                t.reduced[0] = (oc_reduce_axis){width, 1};                                         \
            }                                                                                      \
            {                                                                                      \
                t.work = (oc_work){0};                                                             \
                oc_reduce_run(&t);                                                                 \
            }                                                                                      \
            for (int64_t i = 0; i < t.kept[0].n; i++) {                                            \
                const T *first = from + i * t.kept[0].step;                                        \
                T want_ = *first;                                                                  \
                for (int64_t k = 1; k < t.reduced[0].n; k++) {                                     \
                    const T v = first[k * t.reduced[0].step];                                      \
                    want_ = (is_max ? v > want_ : v < want_) ? v : want_;                          \
                }                                                                                  \
                suite_assert(to[i] == want_, #name ": [%d] of %d x %d; seed %u", (int)i,           \
                             (int)rows, (int)width, seed);                                         \
            }                                                                                      \
        }                                                                                          \
    }

#define NARROW_STORE(name, T)                                                                      \
    static void store_##name(const void *ctx, const void *result, int64_t first, int64_t n)        \
    {                                                                                              \
        (void)ctx;                                                                                 \
        memcpy((T *)(void *)got + first, result, (size_t)n * sizeof(T));                           \
    }
#define NARROWS(X)                                                                                 \
    X(narrow_i8, int8_t, OC_I8)                                                                    \
    X(narrow_u8, uint8_t, OC_U8)                                                                   \
    X(narrow_i16, int16_t, OC_I16)                                                                 \
    X(narrow_u16, uint16_t, OC_U16)                                                                \
    X(narrow_i32, int32_t, OC_I32)                                                                 \
    X(narrow_u32, uint32_t, OC_U32)
#define X(name, T, type) NARROW_STORE(name, T) NARROW(name, T, type)
NARROWS(X)
#undef X

START_TEST(integers_fold_in_their_own_type)
{
    suite_random r = suite_random_new(4);
    unsigned char *bytes = (unsigned char *)x;
    for (int round = 0; round < 300; round++) {
        const uint32_t seed = r.state;
        const int64_t rows = 1 + suite_below(&r, 90), width = 1 + suite_below(&r, 200);
        for (int64_t i = 0; i < 4 * rows * width; i++)
            bytes[i] = (unsigned char)suite_below(&r, 256);
#define X(name, T, type) name((const T *)(const void *)x, rows, width, round % 2, seed);
        NARROWS(X)
#undef X
    }
}
END_TEST

SUITE("reduce", order_is_the_stated_one, parts_give_the_same_logarithm,
      extremes_are_those_one_by_one, integers_fold_in_their_own_type)
