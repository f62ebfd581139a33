/* SPDX-License-Identifier: Apache-2.0
 * curves_simd.c - exp, and the curves of curves.h that are made of it.
 *
 * e^z = 2^n e^r with n whole and |r| <= ln 2 / 2. Where one float is not exact enough, a number
 * is a sum of two: the float nearest to it, and `low`, the difference. The rounding error of a
 * sum a + b with |a| >= |b| is exactly b - ((a + b) - a), and that of a product is product_rest. */

#include "kernels/elementwise/curves.h"

#include "kernels/simd/simd.h"

#include <string.h>

#include "kernels/elementwise/curves_exp.inc"

#ifdef OC_UNFUSED
/* Returns a * b - p, where p is a * b, rounded: by products of halves, which are exact (T. J.
 * Dekker, A floating-point technique for extending the available precision, 1971). */
static inline f32v product_rest(f32v a, f32v b, f32v p)
{
    const f32v a_upper = f32v_upper_half(a), a_lower = a - a_upper;
    const f32v b_upper = f32v_upper_half(b), b_lower = b - b_upper;
    return ((a_upper * b_upper - p) + a_upper * b_lower + a_lower * b_upper) + a_lower * b_lower;
}
#else
OP(f32v, product_rest, (f32v a, f32v b, f32v p), f32v_fma(a, b, -p))
#endif

/* e^z = 2^n (1 + s + low), for |z| <= 174. */
typedef struct exp_parts {
    f32v n, s, low;
} exp_parts;

static inline exp_parts split_exp(f32v z)
{
    const f32v n = f32v_fma(z, LOG2_E, SHIFT) - SHIFT;
    const f32v r = f32v_fma(n, -LN2_LOW, f32v_fma(n, -LN2_HIGH, z));
    const f32v square = r * r, q = exp_rest(r), s = f32v_fma(square, q, r);
    return (exp_parts){n, s, f32v_fma(square, q, r - s)};
}

#include "kernels/elementwise/curves_pieces.inc"

/* Marks a function for elements far from 0. It computes a whole vector when one of the elements
 * is there. It is not inlined, because its constants would take the registers that the tables
 * stay in. */
#define FAR static __attribute__((noinline)) f32v

/* The share 2^n (high + low) of a distribution: the share below v for v far below 0, and the
 * share above v for v far above 0. */
typedef struct far_share {
    f32v high, low, n;
} far_share;

OP(f32v, rounded, (far_share s), f32v_exp2(f32v_at_least(f32v_splat(-60), s.n)) * s.high)

/* 1 / (1 + e^-(v + rest)) for |v| from LOGISTIC_NEAR on. With e = e^-|v| it is e (1 - e),
 * because e^3 is negligible beside e. */
static inline far_share far_logistic(f32v v, f32v rest)
{
    const exp_parts p = split_exp(f32v_at_least(f32v_splat(-174), -f32v_abs(v)));
    const f32v high = f32v_splat(1) + p.s, e = rounded((far_share){high, f32v_splat(0), p.n});
    return (far_share){high, (p.s - (high - f32v_splat(1))) + f32v_fma(rest - e, high, p.low), p.n};
}

/* e^(-x^2 / 2) m(|x|), for |x| from GELU_NEAR to 14.75. */
static inline far_share far_normal(f32v x)
{
    const f32v z = f32v_at_most(f32v_splat(14.75f), f32v_abs(x));
    const f32v half = z * f32v_splat(-0.5f), square = half * z;
    const f32v square_low = product_rest(half, z, square);
    const exp_parts e = split_exp(square);
    const f32v e_low = e.low + f32v_fma(square_low, e.s, square_low);
    const u32v piece = f32v_bits(f32v_fma(z, f32v_splat(1.19f), f32v_splat(-1.65f)), 21);
    const f32v d = z - f32v_lookup(tail_pieces[0], piece),
               first = f32v_lookup(tail_pieces[1], piece);
    const f32v p = polynomial(tail_pieces + 2, 5, piece, d);
    const f32v w = p * d, m = first + w, m_low = (w - (m - first)) + f32v_fma(p, d, -w);
    const f32v y = f32v_fma(m, e.s, m);
    const f32v y_low = f32v_fma(m_low, e.s, m_low) + f32v_fma(m, e_low, f32v_fma(m, e.s, m - y));
    return (far_share){y, y_low, e.n};
}

/* x times the share s that is below v; 0 where v is less than `least`. */
static inline f32v times_far(f32v x, f32v v, far_share s, float least)
{
    const f32v zero = f32v_splat(0), some = f32v_select(f32v_less(v, f32v_splat(least)), zero, x);
    const f32v below = f32v_ldexp(f32v_fma(some, s.high, some * s.low), s.n);
    const f32v y =
        f32v_copysign(f32v_select(f32v_less(v, zero), below, f32v_fma(-x, rounded(s), x)), x);
    if (f32v_any_from(x, INFINITY)) /* the formula gives NaN or Inf here */
        return f32v_select(f32v_less(f32v_abs(x), f32v_splat(INFINITY)), y,
                           x * f32v_at_most(f32v_splat(1), f32v_at_least(zero, v)));
    return y;
}

/* x / (1 + e^-(v + rest)). A rest beside a v above 256 has no effect, and may be NaN. */
static inline f32v times_far_logistic(f32v x, f32v v, f32v rest)
{
    const f32v some = f32v_select(f32v_less(f32v_abs(v), f32v_splat(256)), rest, f32v_splat(0));
    return times_far(x, v, far_logistic(v, some), -174);
}

FAR far_sigmoid(f32v x)
{
    const far_share s = far_logistic(x, f32v_splat(0));
    return f32v_select(f32v_less(x, f32v_splat(0)), f32v_ldexp(s.high + s.low, s.n),
                       f32v_splat(1) - rounded(s));
}

static inline f32v sigmoid_of(f32v x)
{
    const u32v piece = logistic_piece(x);
    const near_share s = share_near(logistic_above, piece, x);
    const f32v y = f32v_fma(polynomial(logistic_above + 2, 8, piece, s.d), s.step, s.start);
    if (f32v_any_from(x, LOGISTIC_NEAR))
        return f32v_select(f32v_less(f32v_abs(x), f32v_splat(LOGISTIC_NEAR)), y, far_sigmoid(x));
    return y;
}

FAR far_swish(f32v x, f32v v, f32v rest)
{
    return times_far_logistic(x, v, rest);
}

/* The slope of a share s is s (1 - s). */
static inline f32v swish_of(f32v x, f32v a)
{
    const f32v v = a * x, rest = product_rest(a, x, v);
    two_floats s = share_below(logistic_above, logistic_piece(v), v);
    s.low = f32v_fma(s.high * rest, f32v_splat(1) - s.high, s.low);
    const f32v y = times_share(x, s);
    if (f32v_any_from(v, LOGISTIC_NEAR))
        return f32v_select(f32v_less(f32v_abs(v), f32v_splat(LOGISTIC_NEAR)), y,
                           far_swish(x, v, rest));
    return y;
}

FAR far_gelu(f32v x)
{
    return times_far(x, x, far_normal(x), -14.75f);
}

static inline f32v gelu_of(f32v x)
{
    const f32v y = times_share(x, share_below(normal_above, gelu_piece(x), x));
    if (f32v_any_from(x, GELU_NEAR))
        return f32v_select(f32v_less(f32v_abs(x), f32v_splat(GELU_NEAR)), y, far_gelu(x));
    return y;
}

/* (1 + tanh(u)) / 2 is the logistic function of 2 u; u = sqrt(2 / pi) (x + 0.044715 x^3), so
 * that 2 u = x (a + b x^2). */
FAR far_gelu_tanh(f32v x)
{
    const f32v a = f32v_splat(1.5957692f), a_low = f32v_splat(-4.534068e-08f);
    const f32v b = f32v_splat(0.071354814f), b_low = f32v_splat(2.3988325e-09f);
    const f32v square = x * x, square_low = product_rest(x, x, square);
    const f32v c = b * square,
               c_low = product_rest(b, square, c) + f32v_fma(b, square_low, b_low * square);
    const f32v w = a + c, added = w - a;
    const f32v w_low = ((a - (w - added)) + (c - added)) + (c_low + a_low);
    const f32v v = x * w;
    return times_far_logistic(x, v, f32v_fma(x, w_low, product_rest(x, w, v)));
}

static inline f32v gelu_tanh_of(f32v x)
{
    const f32v y = times_share(x, share_below(gelu_tanh_above, gelu_piece(x), x));
    if (f32v_any_from(x, GELU_NEAR))
        return f32v_select(f32v_less(f32v_abs(x), f32v_splat(GELU_NEAR)), y, far_gelu_tanh(x));
    return y;
}

/* Applies a function of a register to n floats; the last few are copied to a full register. */
typedef f32v curve(f32v x, f32v a);

OC_INLINE void apply(curve *f, float *y, const float *from, int64_t n, float a)
{
    int64_t i = 0;
    for (; i + f32v_N <= n; i += f32v_N)
        f32v_store(y + i, f(f32v_load(from + i), f32v_splat(a)));
    if (i < n) {
        float rest[f32v_N] = {0};
        memcpy(rest, from + i, (size_t)(n - i) * sizeof *rest);
        f32v_store(rest, f(f32v_load(rest), f32v_splat(a)));
        memcpy(y + i, rest, (size_t)(n - i) * sizeof *rest);
    }
}

/* Defines a curve by an expression f in x and a. */
#define CURVE(name, f) OF_REGISTER(name##_of_register, f) OF_ROW(name, name##_of_register)
#define OF_REGISTER(name, f)                                                                       \
    OC_INLINE f32v name(f32v x, f32v a)                                                            \
    {                                                                                              \
        (void)a;                                                                                   \
        return f;                                                                                  \
    }
#define OF_ROW(name, of_register)                                                                  \
    static void name(float *y, const float *x, int64_t n, float a)                                 \
    {                                                                                              \
        apply(of_register, y, x, n, a);                                                            \
    }

CURVE(exp_f32, exp_of(x))
CURVE(sigmoid_f32, sigmoid_of(x))
CURVE(tanh_f32, tanh_of(x))
CURVE(erf_f32, erf_of(x))
CURVE(gelu_f32, gelu_of(x))
CURVE(gelu_tanh_f32, gelu_tanh_of(x))
CURVE(swish_f32, swish_of(x, a))

#ifdef OC_UNFUSED

OC_ISA_VARIANT(oc_curves, oc_curves_variants, exp_f32, sigmoid_f32, tanh_f32, erf_f32, gelu_f32,
               gelu_tanh_f32, swish_f32, NULL, NULL, NULL, NULL, NULL)

#else

#include "kernels/elementwise/curves_wide.inc"

/* ---- float16: the tests compare the following functions for every float16 number */

static inline f32v as_f16(f32v x)
{
    uint16_t f16[f32v_N];
    f32v_store_f16(f16, x);
    return f32v_load_f16(f16);
}

/* As many registers are computed side by side, so that none waits for the sums of another. */
enum { BESIDE = OC_SIMD_REGISTERS == 32 ? 4 : 1 };

/* When all pieces fit in one register, they reach as far as float16 needs; else LOGISTIC_NEAR
 * ends them. */
#ifdef OC_SIMD_LOOKUP_MORE
enum { FURTHER = 1 };
OP(f32v, logistic_row, (int row, u32v piece),
   f32v_lookup_more(logistic_above[row], logistic_further[row], piece))
#else
enum { FURTHER = 0 };
OP(f32v, logistic_row, (int row, u32v piece), f32v_lookup(logistic_above[row], piece))
#endif

/* Where x is LOGISTIC_NEAR or more from 0, its sigmoid becomes e^x (1 - e^x), or 1. */
static inline f32v far_f16(f32v x, f32v near)
{
    const f32v e = exp_of(x), below = f32v_fma(-e, e, e);
    const f32v far = f32v_select(f32v_less(f32v_splat(0), x), f32v_splat(1), below);
    return f32v_select(f32v_less(f32v_abs(x), f32v_splat(LOGISTIC_NEAR)), near, far);
}

/* x * sigmoid(x), with the sigmoid rounded before the product. */
OC_INLINE void x_sigmoid(f32v x[BESIDE])
{
    u32v piece[BESIDE];
    near_share s[BESIDE];
    f32v p[BESIDE];
    bool far = false;
    UNROLL (v, BESIDE) {
        const f32v z =
            f32v_at_most(f32v_splat(FURTHER ? LOGISTIC_FURTHER : INFINITY), f32v_abs(x[v]));
        piece[v] = logistic_piece(z);
        s[v] = share_about(logistic_row(0, piece[v]), logistic_row(1, piece[v]), z, x[v]);
        p[v] = logistic_row(9, piece[v]);
    }
    UNROLL (i, 7)
        UNROLL (v, BESIDE)
            p[v] = f32v_fma(p[v], s[v].d, logistic_row(8 - i, piece[v]));
    UNROLL (v, BESIDE) {
        p[v] = f32v_fma(p[v], s[v].step, s[v].start);
        far = far || (!FURTHER && f32v_any_from(x[v], LOGISTIC_NEAR));
    }
    if (far)
        UNROLL (v, BESIDE)
            p[v] = far_f16(x[v], p[v]);
    UNROLL (v, BESIDE)
        x[v] = x[v] * as_f16(p[v]);
}

/* Float is exact enough here for x / 6 + 1 / 2. */
OC_INLINE void hard_swish(f32v x[BESIDE])
{
    const f32v sixth = f32v_splat(1 / 6.0f), half = f32v_splat(0.5f);
    UNROLL (v, BESIDE) {
        const f32v share = f32v_at_least(f32v_splat(0), f32v_fma(x[v], sixth, half));
        x[v] = f32v_at_most(f32v_splat(1), share) * x[v];
    }
}

OC_INLINE void apply_beside(void (*f)(f32v x[BESIDE]), uint16_t *y, const float *x)
{
    f32v r[BESIDE];
    UNROLL (v, BESIDE)
        r[v] = as_f16(f32v_load(x + v * f32v_N));
    f(r);
    UNROLL (v, BESIDE)
        f32v_store_f16(y + v * f32v_N, r[v]);
}

/* The last few elements are copied to full registers, for which `self` calls this function
 * again. */
OC_INLINE void apply_f16(void (*f)(f32v x[BESIDE]), oc_narrow_limited_fn *self, uint16_t *y,
                         const float *x, int64_t n)
{
    enum { N = BESIDE * f32v_N };
    float rest[N] = {0};
    uint16_t made[N];
    for (; n >= N; n -= N, x += N, y += N)
        apply_beside(f, y, x);
    if (n == 0)
        return;
    memcpy(rest, x, (size_t)n * sizeof *rest);
    self(made, rest, N, NULL);
    memcpy(y, made, (size_t)n * sizeof *made);
}

static void x_sigmoid_f16(uint16_t *y, const float *x, int64_t n,
                          OC_UNUSED const oc_half_bounds *none)
{
    apply_f16(x_sigmoid, x_sigmoid_f16, y, x, n);
}

static void hard_swish_f16(uint16_t *y, const float *x, int64_t n,
                           OC_UNUSED const oc_half_bounds *none)
{
    apply_f16(hard_swish, hard_swish_f16, y, x, n);
}

OC_ISA_VARIANT(oc_curves, oc_curves_variants, exp_f32, sigmoid_f32, tanh_f32, erf_f32, gelu_f32,
               gelu_tanh_f32, swish_f32, sin_f32, cos_f32, elu_f32, x_sigmoid_f16, hard_swish_f16)

#endif
