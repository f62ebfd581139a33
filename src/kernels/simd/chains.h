/* SPDX-License-Identifier: Apache-2.0
 * chains.h - many chains of fused multiply-adds at a time, where v128_fused.h makes one of doubles
 * (OC_SIMD_CHAINS).
 *
 * Sums and factors are kept as doubles, so that a step takes four operations: the product, which is
 * exact; its sum, rounded to 53 bits; and in integers half of a float's last place is added, and
 * the bits behind it are cut off. That is one rounding to a float unless
 *   - the double lies in the middle between two floats, which its last 29 bits tell;
 *   - it is smaller than the normal floats and not 0, which limits of the factors exclude;
 *   - it is beyond the floats, which those limits and the sum at the end exclude.
 * So steps are made in runs. A run that has seen a middle, or whose factors are beyond the limits,
 * is made again from its first sums, carefully: each sum is rounded to odd, then to a float. Short
 * factors, as 6 or 0.5, lead to middles often: their steps are made carefully at once. */
#pragma once

#include "kernels/simd/simd.h"

#ifdef OC_SIMD_CHAINS

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
    int rows, columns;
    int64_t x_step, w_block;
    /* The steps that are to be made. */
    int n;
    const float *x_at[OC_CHAIN_RUN], *w_at[OC_CHAIN_RUN];
    double x[OC_CHAIN_ROWS][OC_CHAIN_RUN], w[OC_CHAIN_RUN][OC_CHAIN_COLUMNS];
} f32_chains;

/* The least and the greatest magnitude of numbers, but for 0 and NaN. */
typedef struct f32_extent {
    f32v least, most;
} f32_extent;

OC_INLINE f32_extent f32_extent_none(void)
{
    return (f32_extent){f32v_splat(FLT_MAX), f32v_zero()};
}

/* Stores four floats as doubles. */
OC_INLINE void chain_factors(double *to, f32v v, f32_extent *e)
{
    const f32v size = f32v_abs(v);
    e->most = f32v_max(size, e->most);
    e->least = f32v_min((f32v)((i32x4)size | (v == f32v_zero())), e->least);
    f64v_store(to, lower_doubles(v));
    f64v_store(to + f64v_N, upper_doubles(v));
}

/* Is every sum of products of such factors 0 or a normal number, and its size no matter in a run?
 * A product of 2^-76 or more is a multiple of 2^-123; so is its sum with a float of its size. */
OC_INLINE bool chain_is_tame(const f32_extent *x, const f32_extent *w)
{
    return (double)f32v_least(x->least) * (double)f32v_least(w->least) >= 0x1p-76 &&
           (double)f32v_most(x->most) * (double)f32v_most(w->most) <= 0x1p115;
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

/* Makes a step of two registers of sums: factors are f, w[0] and w[1]. */
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

/* Makes n steps of one row and stores the sums, or returns false. */
OC_INLINE bool chain_run_of(double *sum, const double *x, const double *w, int n,
                            const int registers)
{
    f64v s[OC_CHAIN_PART / f64v_N];
    u32v seen = ~u32v_zero();
    UNROLL (v, registers)
        s[v] = f64v_load(sum + v * f64v_N);
    for (int k = 0; k < n; k++, w += OC_CHAIN_COLUMNS) {
        const f64v factor = f64v_splat(x[k]);
        UNROLL (v, registers / 2)
            seen = chain_step(s + 2 * v, factor, factor, w + v * 2 * f64v_N, seen);
    }
    if (!chain_is_right(s, seen, registers))
        return false;
    UNROLL (v, registers)
        f64v_store(sum + v * f64v_N, s[v]);
    return true;
}

static __attribute__((noinline)) bool chain_run(double *sum, const double *x, const double *w,
                                                int n, int columns)
{
    return columns > OC_CHAIN_PART / 2 ? chain_run_of(sum, x, w, n, OC_CHAIN_PART / f64v_N)
                                       : chain_run_of(sum, x, w, n, OC_CHAIN_PART / 2 / f64v_N);
}

/* Makes a step of four sums whatever the numbers are. */
OC_INLINE void chain_careful_step(double *sum, f64v f0, f64v f1, const double *w)
{
    const f64v p = f0 * f64v_load(w), q = f1 * f64v_load(w + f64v_N);
    const f64v c = f64v_load(sum), d = f64v_load(sum + f64v_N);
    const f32v s = floats_of(rounded_to_odd(p, c, p + c), rounded_to_odd(q, d, q + d));
    f64v_store(sum, lower_doubles(s));
    f64v_store(sum + f64v_N, upper_doubles(s));
}

static __attribute__((noinline)) void chain_run_carefully(double *sum, const double *x,
                                                          const double *w, int n, int columns)
{
    for (int k = 0; k < n; k++, w += OC_CHAIN_COLUMNS) {
        const f64v factor = f64v_splat(x[k]);
        ROLLED
        for (int j = 0; j < columns; j += f32v_N)
            chain_careful_step(sum + j, factor, factor, w + j);
    }
}

/* Makes n steps of one row, whose short factors part its runs. */
static inline void chain_runs(double *sum, const double *x, const double *w, int n, int columns,
                              bool has_short)
{
    for (int k = 0, end; k < n; k = end) {
        const bool is_short = has_short && chain_is_short(x[k]);
        for (end = has_short ? k + 1 : n; end < n && chain_is_short(x[end]) == is_short;)
            end++;
        const double *from = w + k * OC_CHAIN_COLUMNS;
        if (is_short || !chain_run(sum, x + k, from, end - k, columns))
            chain_run_carefully(sum, x + k, from, end - k, columns);
    }
}

/* Reads the numbers of row r, and 0 behind them. Is one of them short? */
static inline bool chain_read_row(f32_chains *c, int r, f32_extent *e)
{
    const int64_t row = r * c->x_step;
    i32x4 is_short = {0};
    for (int k = 0; k < c->n; k += f32v_N) {
        const float *const *at = c->x_at + k;
        f32v v = f32v_zero();
        if (k + f32v_N > c->n)
            for (int i = 0; i < c->n - k; i++)
                v[i] = at[i][row];
        else if (at[0] + 1 == at[1] && at[0] + 2 == at[2] && at[0] + 3 == at[3])
            v = f32v_load(at[0] + row);
        else
            v = (f32v){at[0][row], at[1][row], at[2][row], at[3][row]};
        is_short |= (((u32v)v & 0xfff) == 0) & (v != f32v_zero());
        chain_factors(c->x[r] + k, v, e);
    }
    return mask_any(is_short);
}

/* Reads the numbers of some columns, and 0 behind them up to a whole register. */
static inline void chain_read_some(double *to, const float *w, int columns, f32_extent *e)
{
    for (int j = 0; j < columns; j += f32v_N)
        chain_factors(
            to + j,
            columns - j < f32v_N ? f32v_load_first(w + j, columns - j, 0) : f32v_load(w + j), e);
}

static inline void chain_read_columns(f32_chains *c, f32_extent *extent)
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
                    chain_factors(to + j * f32v_N, f32v_load(w + j * f32v_N), &e);
            to += OC_CHAIN_PART;
            w += c->w_block;
        }
    }
    *extent = e;
}

/* Makes the steps that were added. */
static __attribute__((noinline)) void chains_flush(f32_chains *c)
{
    f32_extent w;
    chain_read_columns(c, &w);
    for (int r = 0; r < c->rows; r++) {
        f32_extent x = f32_extent_none();
        const bool has_short = chain_read_row(c, r, &x), is_tame = chain_is_tame(&x, &w);
        for (int j = 0; j < c->columns; j += OC_CHAIN_PART) {
            const int left = c->columns - j, columns = left < OC_CHAIN_PART ? left : OC_CHAIN_PART;
            if (is_tame)
                chain_runs(c->sum[r] + j, c->x[r], c->w[0] + j, c->n, columns, has_short);
            else
                chain_run_carefully(c->sum[r] + j, c->x[r], c->w[0] + j, c->n, columns);
        }
    }
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
}

/* Begins sums of row r, n of them from column j on, with those at y. */
static inline void chains_load(f32_chains *c, int r, int j, const float *y, int n)
{
    for (int i = 0; i < n; i += f32v_N) {
        const f32v v = n - i < f32v_N ? f32v_load_first(y + i, n - i, 0) : f32v_load(y + i);
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
