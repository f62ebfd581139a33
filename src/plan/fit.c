/* SPDX-License-Identifier: Apache-2.0
 * fit.c - finds the expression of operands that has given values. */
#include "plan/fit.h"

#include "base/int.h"
#include "base/size.h"

#include <math.h>

enum {
    ENOUGH = 4, /* points, for more than a number or an operand */
    LARGEST_DIVISOR = 64,
    LARGEST_FACTOR = 4096,
    FACTORS = 4 /* operands of a product */
};

static int combine(const oc_fit *f, oc_expression_kind kind, int a, int64_t number)
{
    const bool neutral = number == (kind != OC_SUM);
    return neutral ? a
                   : oc_expression_combine(f->x, kind, a, oc_expression_of_number(f->x, number));
}

/* (m*a + c) / q */
static int linear_of(const oc_fit *f, int a, int64_t m, int64_t c, int64_t q)
{
    const int factor = oc_expression_of_number(f->x, m);
    const int multiple = m == 1 ? a : oc_expression_combine(f->x, OC_PRODUCT, factor, a);
    return combine(f, OC_QUOTIENT, combine(f, OC_SUM, multiple, c), q);
}

/* ---- (m*a + c) / q, of one operand */

static int64_t divisor_of(int64_t a, int64_t b)
{
    while (b) {
        const int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* Is there exactly one c? It lies between q*y - m*a and q - 1 above that, at each point. */
static bool find_shift(const oc_fit *f, const int64_t *a, const int64_t *y, int64_t m, int64_t q,
                       int64_t *c)
{
    int64_t low = INT64_MIN, high = INT64_MAX;
    for (int k = 0; k < f->n_points; k++) {
        int64_t up, down, least;
        if (!oc_i64_mul(q, y[k], &up) || !oc_i64_mul(-m, a[k], &down) ||
            !oc_i64_add(up, down, &least) || least > INT64_MAX - q)
            return false;
        low = oc_max(low, least);
        high = oc_min(high, least + q - 1);
    }
    *c = low;
    return low == high;
}

static int fit_line(const oc_fit *f, int operand, const int64_t *y)
{
    const int64_t *a = f->at[operand];
    int least = 0, most = 0;
    int64_t c;
    for (int k = 1; k < f->n_points; k++) {
        least = a[k] < a[least] ? k : least;
        most = a[k] > a[most] ? k : most;
    }
    if (a[least] == a[most] || y[least] == y[most])
        return OC_NO_EXPRESSION;
    const double slope =
        ((double)y[most] - (double)y[least]) / ((double)a[most] - (double)a[least]);
    const int64_t whole =
        fabs(slope) < 1 && fabs(1 / slope) < LARGEST_FACTOR ? (int64_t)fabs(rint(1 / slope)) : 1;
    for (int64_t q = 0; q <= LARGEST_DIVISOR; q++) {
        const int64_t divisor = q ? q : whole;
        const double m = rint(slope * (double)divisor);
        if (fabs(m) > LARGEST_FACTOR || m == 0 ||
            (divisor > 1 && divisor_of((int64_t)fabs(m), divisor) > 1) ||
            fabs(m / slope / (double)divisor - 1) > 1e-3)
            continue;
        if (find_shift(f, a, y, (int64_t)m, divisor, &c))
            return linear_of(f, f->operand[operand], (int64_t)m, c, divisor);
    }
    return OC_NO_EXPRESSION;
}

/* ---- products */

/* Is y = p * m / q at each point, for some numbers m and q? */
static bool find_ratio(const oc_fit *f, const int64_t *p, const int64_t *y, int64_t *m, int64_t *q)
{
    int64_t a, b;
    *m = *q = 0;
    for (int k = 0; k < f->n_points && *q == 0; k++)
        if (p[k] > 0 && y[k] > 0) {
            const int64_t d = divisor_of(p[k], y[k]);
            *m = y[k] / d;
            *q = p[k] / d;
        }
    for (int k = 0; k<f->n_points && * q> 0; k++)
        if (!oc_i64_mul(p[k], *m, &a) || !oc_i64_mul(y[k], *q, &b) || a != b)
            return false;
    return *q > 0;
}

static int build_product(const oc_fit *f, const int *chosen, int n)
{
    int product = f->operand[chosen[0]];
    for (int i = 1; i < n; i++)
        product = oc_expression_combine(f->x, OC_PRODUCT, product, f->operand[chosen[i]]);
    return product;
}

/* Multiplies so_far, the product of the n operands chosen, by later ones, in all ways. */
static int fit_product(const oc_fit *f, int chosen[FACTORS], int n, const int64_t *so_far,
                       const int64_t *y)
{
    int64_t p[OC_FIT_POINTS], m, q;
    int found = OC_NO_EXPRESSION;
    for (int i = n ? chosen[n - 1] + 1 : 0; i < f->n_operands && found < 0 && n < FACTORS; i++) {
        bool fits = true;
        for (int k = 0; k < f->n_points && fits; k++)
            fits = oc_i64_mul(so_far[k], f->at[i][k], &p[k]);
        chosen[n] = i;
        if (fits && find_ratio(f, p, y, &m, &q))
            found = linear_of(f, build_product(f, chosen, n + 1), m, 0, q);
        else if (fits)
            found = fit_product(f, chosen, n + 1, p, y);
    }
    return found;
}

/* ---- sums */

static bool all_equal(const int64_t *y, int n)
{
    for (int k = 1; k < n; k++)
        if (y[k] != y[0])
            return false;
    return true;
}

/* The operand that is y at each point; -1: none is. */
static int find_operand(const oc_fit *f, const int64_t *y)
{
    for (int i = 0; i < f->n_operands; i++)
        if (memcmp(f->at[i], y, (size_t)f->n_points * sizeof *y) == 0)
            return i;
    return -1;
}

static int fit_simple(const oc_fit *f, const int64_t *y)
{
    int64_t ones[OC_FIT_POINTS];
    int found = OC_NO_EXPRESSION, chosen[FACTORS];
    if (all_equal(y, f->n_points))
        return oc_expression_of_number(f->x, y[0]);
    const int operand = find_operand(f, y);
    if (operand >= 0 || f->n_points < ENOUGH)
        return operand < 0 ? OC_NO_EXPRESSION : f->operand[operand];
    for (int i = 0; i < f->n_operands && found < 0; i++)
        found = fit_line(f, i, y);
    for (int k = 0; k < f->n_points; k++)
        ones[k] = 1;
    return found < 0 ? fit_product(f, chosen, 0, ones, y) : found;
}

int oc_fit_expression(const oc_fit *f, const int64_t *y)
{
    int64_t rest[OC_FIT_POINTS];
    int found = fit_simple(f, y);
    for (int i = 0; i < f->n_operands && found < 0 && f->n_points >= ENOUGH; i++) {
        bool fits = true;
        for (int k = 0; k < f->n_points && fits; k++)
            fits = oc_i64_add(y[k], -f->at[i][k], &rest[k]);
        found = fits ? oc_expression_combine(f->x, OC_SUM, f->operand[i], fit_simple(f, rest))
                     : OC_NO_EXPRESSION;
    }
    return found;
}
