/* SPDX-License-Identifier: Apache-2.0
 * chains.h - many chains of fused multiply-adds at a time, where v128_fused.h makes one of doubles
 * (OC_SIMD_CHAINS).
 *
 * Sums and factors are doubles, so that a step takes four operations: the product, which is exact;
 * its sum, rounded to 53 bits; and in integers half of a float's last place is added, and the bits
 * behind it are cut off. That is one rounding to a float unless
 *   - the sum lies in the middle between two floats, which its last 29 bits tell;
 *   - it is smaller than the normal floats and not 0, which limits of the factors exclude;
 *   - it is beyond the floats, which those limits and the sum at the end exclude.
 * Steps are made in runs. A run that has seen a middle is made again from its first sums by short
 * runs, and those of them that see one are made carefully: each sum is rounded to odd, then to a
 * float. So is a run whose factors are beyond the limits. Factors of few bits, as 6 or 0.5, lead to
 * middles often: their steps are made carefully at once. Steps whose factor is 0 are left out where
 * they change no sum. */
#pragma once

#include "kernels/simd/simd.h"

#ifdef OC_SIMD_CHAINS

#include "base/int.h"

#include <float.h>

enum {
    OC_CHAIN_ROWS = 8,
    OC_CHAIN_COLUMNS = 32,
    OC_CHAIN_RUN = 32, /* steps */
    OC_CHAIN_PART = 16 /* columns whose sums are in registers */
};

/* Sums of `rows` by `columns`: each adds the products of its row's numbers and its column's, step
 * by step. In step k the number of row r is at x_at[k] + r * x_step, those of 16 columns side by
 * side are at w_at[k], and the next 16 are w_block further. */
typedef struct f32_chains {
    double sum[OC_CHAIN_ROWS][OC_CHAIN_COLUMNS]; /* floats, as doubles */
    bool has_minus_0[OC_CHAIN_ROWS];             /* false: no sum of the row is -0 */
    int rows, columns;
    int64_t x_step, w_block;
    /* The steps that are to be made. */
    int n;
    bool fours; /* x_at[k + 1] is x_at[k] + 1, but for every fourth k */
    const float *x_at[OC_CHAIN_RUN], *w_at[OC_CHAIN_RUN];
    double w[OC_CHAIN_RUN][OC_CHAIN_COLUMNS];
} f32_chains;

/* The bits of the least and the greatest magnitude of numbers; NaN is the greatest of all. */
typedef struct f32_extent {
    i32x4 least, most;
} f32_extent;

OC_INLINE f32_extent f32_extent_none(void)
{
    return (f32_extent){(i32x4)f32v_splat(FLT_MAX), (i32x4)f32v_zero()};
}

/* Stores four floats as doubles. zeros: the least magnitude may be 0. */
OC_INLINE void chain_factors(double *to, f32v v, f32_extent *e, const bool zeros)
{
    const i32x4 size = (i32x4)f32v_abs(v);
    e->most = i32x4_most(e->most, size);
    e->least = i32x4_least(e->least, zeros ? size : (size - 1) & 0x7fffffff);
    f64v_store(to, lower_doubles(v));
    f64v_store(to + f64v_N, upper_doubles(v));
}

/* Is every sum of products of such factors 0 or a normal number, and its size no matter in a run?
 * A product of 2^-76 or more is a multiple of 2^-123; so is its sum with a float of its size. */
OC_INLINE bool chain_is_tame(const f32_extent *x, const f32_extent *w)
{
    return (double)f32v_least((f32v)x->least) * (double)f32v_least((f32v)w->least) >= 0x1p-76 &&
           (double)f32v_most((f32v)x->most) * (double)f32v_most((f32v)w->most) <= 0x1p115 &&
           mask_all((x->most < 0x7f800000) & (w->most < 0x7f800000));
}

/* True for numbers of 12 bits or less, but not for 0. */
OC_INLINE bool chain_is_short(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & ((UINT64_C(1) << 41) - 1)) == 0 && x != 0;
}

enum { CHAIN_MIDDLE = 1 << 28, CHAIN_CUT = (1 << 29) - 1 };
#define CHAIN_LEAST (~(uint32_t)CHAIN_CUT)

/* Makes a step of four sums, whose factors are f0 and f1 by those at w, and notes a middle in seen
 * (u32v_noted). */
OC_INLINE u32v chain_step(f64v sum[2], f64v f0, f64v f1, const double *w, u32v seen)
{
    const f64v_mask half = {CHAIN_MIDDLE, CHAIN_MIDDLE},
                    kept = {~(int64_t)CHAIN_CUT, ~(int64_t)CHAIN_CUT};
    const f64v_mask a = (f64v_mask)(f0 * f64v_load(w) + sum[0]) + half;
    const f64v_mask b = (f64v_mask)(f1 * f64v_load(w + f64v_N) + sum[1]) + half;
    sum[0] = (f64v)(a & kept);
    sum[1] = (f64v)(b & kept);
    return u32v_noted(seen, (u32v)PICKED((i32x4)a, (i32x4)b, 0, 2, 4, 6) | CHAIN_LEAST,
                      CHAIN_LEAST);
}

/* Are sums at the end of a run such as a double has rounded as a float would be? */
OC_INLINE bool chain_is_right(const f64v *sum, u32v seen, const int registers)
{
    i32x4 suspect = (i32x4)(seen <= CHAIN_LEAST);
    UNROLL (v, registers / 2) {
        const i32x4 high = PICKED((i32x4)sum[2 * v], (i32x4)sum[2 * v + 1], 1, 3, 5, 7);
        suspect |= (high & 0x7fffffff) >= 0x47d00000; /* 2^126 */
    }
    return !mask_any(suspect);
}

/* The numbers of a row in all steps, and the n steps that are to be made. */
typedef struct chain_steps {
    double x[OC_CHAIN_RUN];
    int n, at[OC_CHAIN_RUN + f32v_N];
} chain_steps;

/* Makes steps first to end - 1 of one row and stores the sums, or returns false. */
OC_INLINE bool chain_run_of(double *sum, const chain_steps *steps, const double *first_w, int first,
                            int end, const int registers)
{
    f64v s[OC_CHAIN_PART / f64v_N];
    u32v seen = ~u32v_zero();
    UNROLL (v, registers)
        s[v] = f64v_load(sum + v * f64v_N);
    for (int i = first; i < end; i++) {
        const int k = steps->at[i];
        const f64v factor = f64v_splat(steps->x[k]);
        const double *w = first_w + k * OC_CHAIN_COLUMNS;
        UNROLL (v, registers / 2)
            seen = chain_step(s + 2 * v, factor, factor, w + v * 2 * f64v_N, seen);
    }
    if (!chain_is_right(s, seen, registers))
        return false;
    UNROLL (v, registers)
        f64v_store(sum + v * f64v_N, s[v]);
    return true;
}

static __attribute__((noinline)) bool chain_run(double *sum, const chain_steps *steps,
                                                const double *w, int first, int end, int columns)
{
    return columns > OC_CHAIN_PART / 2
               ? chain_run_of(sum, steps, w, first, end, OC_CHAIN_PART / f64v_N)
               : chain_run_of(sum, steps, w, first, end, OC_CHAIN_PART / 2 / f64v_N);
}

/* Makes a step of four sums whatever the numbers are. */
OC_INLINE void chain_careful_step(double *sum, f64v f0, f64v f1, const double *w)
{
    const f32v s = rounded_sums(f0 * f64v_load(w), f64v_load(sum), f1 * f64v_load(w + f64v_N),
                                f64v_load(sum + f64v_N));
    f64v_store(sum, lower_doubles(s));
    f64v_store(sum + f64v_N, upper_doubles(s));
}

static __attribute__((noinline)) void chain_run_carefully(double *sum, const chain_steps *steps,
                                                          const double *w, int first, int end,
                                                          int columns)
{
    for (int i = first; i < end; i++) {
        const int k = steps->at[i];
        const f64v factor = f64v_splat(steps->x[k]);
        ROLLED
        for (int j = 0; j < columns; j += f32v_N)
            chain_careful_step(sum + j, factor, factor, w + k * OC_CHAIN_COLUMNS + j);
    }
}

/* Makes a run again that has seen a middle: by short runs, since few of those see one. */
static void chain_run_again(double *sum, const chain_steps *steps, const double *w, int first,
                            int end, int columns)
{
    enum { SHORT_RUN = 8 };
    for (int i = first; i < end; i += SHORT_RUN) {
        const int to = oc_min(i + SHORT_RUN, end);
        if (!chain_run(sum, steps, w, i, to, columns))
            chain_run_carefully(sum, steps, w, i, to, columns);
    }
}

/* Makes the steps of one row, whose short factors part its runs. Returns false if some were made
 * carefully. */
static inline bool chain_runs(double *sum, const chain_steps *steps, const double *w, int columns,
                              bool has_short)
{
    bool all = true;
    for (int i = 0, end; i < steps->n; i = end) {
        const bool is_short = has_short && chain_is_short(steps->x[steps->at[i]]);
        end = has_short ? i + 1 : steps->n;
        while (end < steps->n && chain_is_short(steps->x[steps->at[end]]) == is_short)
            end++;
        const bool is_right = !is_short && chain_run(sum, steps, w, i, end, columns);
        if (is_short)
            chain_run_carefully(sum, steps, w, i, end, columns);
        else if (!is_right)
            chain_run_again(sum, steps, w, i, end, columns);
        all &= is_right;
    }
    return all;
}

/* Four numbers of a row from step k on, and 0 behind the last. */
OC_INLINE f32v chain_four(const f32_chains *c, int k, int64_t row)
{
    const float *const *at = c->x_at + k;
    f32v v = f32v_zero();
    if (k + f32v_N <= c->n)
        return (f32v){at[0][row], at[1][row], at[2][row], at[3][row]};
    for (int i = 0; i < c->n - k; i++)
        v[i] = at[i][row];
    return v;
}

/* Lists those of four steps from step k on whose number is not 0: the others change no sum but -0,
 * and none by a column's number that is finite. bits: one for each step. */
OC_INLINE void chain_list(chain_steps *s, int k, int bits)
{
    static const int32_t listed[16][4] = {
        {0}, {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
        {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};
    static const int8_t count[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    const i32x4 at = i32x4_load(listed[bits]) + k;
    memcpy(s->at + s->n, &at, sizeof at);
    s->n += count[bits];
}

static void chain_list_all(chain_steps *s, int n)
{
    for (s->n = 0; s->n < n; s->n++)
        s->at[s->n] = s->n;
}

static bool chain_has_minus_0(const double *sum, int columns)
{
    bool any = false;
    for (int j = 0; j < columns; j++)
        any |= sum[j] == 0 && signbit(sum[j]);
    return any;
}

/* Makes the steps of row r. */
static inline void chain_row(f32_chains *c, int r, const f32_extent *w)
{
    chain_steps steps;
    f32_extent x = f32_extent_none();
    i32x4 is_short = {0};
    const int64_t row = r * c->x_step;
    steps.n = 0;
    for (int k = 0; k < c->n; k += f32v_N) {
        const f32v v = c->fours ? f32v_load(c->x_at[k] + row) : chain_four(c, k, row);
        const i32x4 is_0 = v == f32v_zero();
        is_short |= (((u32v)v & 0xfff) == 0) & ~is_0;
        chain_list(&steps, k, 15 ^ i32x4_bits(is_0));
        chain_factors(steps.x + k, v, &x, false);
    }
    const bool is_tame = chain_is_tame(&x, w);
    bool all = is_tame;
    if (!is_tame || c->has_minus_0[r])
        chain_list_all(&steps, c->n);
    for (int j = 0; j < c->columns; j += OC_CHAIN_PART) {
        const int columns = oc_min(c->columns - j, (int)OC_CHAIN_PART);
        if (is_tame)
            all &= chain_runs(c->sum[r] + j, &steps, c->w[0] + j, columns, mask_any(is_short));
        else
            chain_run_carefully(c->sum[r] + j, &steps, c->w[0] + j, 0, steps.n, columns);
    }
    if (!all)
        c->has_minus_0[r] = chain_has_minus_0(c->sum[r], c->columns);
}

/* Reads the numbers of some columns, and 0 behind them up to a whole register. */
static inline void chain_read_some(double *to, const float *w, int columns, f32_extent *e)
{
    for (int j = 0; j < columns; j += f32v_N)
        chain_factors(to + j,
                      columns - j < f32v_N ? f32v_load_first(w + j, columns - j, 0)
                                           : f32v_load(w + j),
                      e, false);
}

OC_INLINE f32_extent chain_read_columns(f32_chains *c, const bool zeros)
{
    f32_extent e = f32_extent_none();
    for (int k = 0; k < c->n; k++) {
        const float *w = c->w_at[k];
        double *to = c->w[k];
        for (int left = c->columns; left > 0; left -= OC_CHAIN_PART) {
            if (left < OC_CHAIN_PART)
                chain_read_some(to, w, left, &e);
            else
                UNROLL (j, OC_CHAIN_PART / f32v_N)
                    chain_factors(to + j * f32v_N, f32v_load(w + j * f32v_N), &e, zeros);
            to += OC_CHAIN_PART;
            w += c->w_block;
        }
    }
    return e;
}

/* Do the numbers of every four steps lie side by side? */
static bool chain_in_fours(const f32_chains *c)
{
    bool all = c->n % f32v_N == 0;
    for (int k = 0; all && k < c->n; k += f32v_N)
        for (int i = 1; i < f32v_N; i++)
            all &= c->x_at[k + i] == c->x_at[k] + i;
    return all;
}

/* Makes the steps that were added. */
static __attribute__((noinline)) void chains_flush(f32_chains *c)
{
    f32_extent w = chain_read_columns(c, true);
    if (mask_any(w.least == 0))
        w = chain_read_columns(c, false);
    c->fours = chain_in_fours(c);
    for (int r = 0; r < c->rows; r++)
        chain_row(c, r, &w);
    c->n = 0;
}

/* Begins sums with 0. */
static inline void chains_begin(f32_chains *c, int rows, int columns, int64_t x_step,
                                int64_t w_block)
{
    c->rows = rows;
    c->columns = columns;
    c->x_step = x_step;
    c->w_block = w_block;
    c->n = 0;
    for (int r = 0; r < rows; r++)
        memset(c->sum[r], 0, sizeof c->sum[r]);
    memset(c->has_minus_0, 0, sizeof c->has_minus_0);
}

/* Begins sums of row r, n of them from column j on, with those at y. */
static inline void chains_load(f32_chains *c, int r, int j, const float *y, int n)
{
    for (int i = 0; i < n; i += f32v_N) {
        const f32v v = n - i < f32v_N ? f32v_load_first(y + i, n - i, 0) : f32v_load(y + i);
        c->has_minus_0[r] |= mask_any((i32x4)v == INT32_MIN);
        f64v_store(c->sum[r] + j + i, lower_doubles(v));
        f64v_store(c->sum[r] + j + i + f64v_N, upper_doubles(v));
    }
}

/* Adds a step. The numbers are read later. */
static inline void chains_add(f32_chains *c, const float *x, const float *w)
{
    c->x_at[c->n] = x;
    c->w_at[c->n++] = w;
    if (c->n == OC_CHAIN_RUN)
        chains_flush(c);
}

/* Returns four sums of row r, from column j on. */
static inline f32v chains_sum(const f32_chains *c, int r, int j)
{
    return floats_of(f64v_load(c->sum[r] + j), f64v_load(c->sum[r] + j + f64v_N));
}

/* Stores n sums of row r, from column j on. */
static inline void chains_store(const f32_chains *c, int r, int j, float *y, int n)
{
    for (int i = 0; i < n; i += f32v_N)
        f32v_store_first(y + i, chains_sum(c, r, j + i), n - i < f32v_N ? n - i : f32v_N);
}

#endif
