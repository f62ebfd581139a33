/* SPDX-License-Identifier: Apache-2.0
 * fit.c - finds the expression of operands that has given values. */
#include "plan/fit.h"

#include "base/int.h"
#include "base/size.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENOUGH = 4, /* points, for more than a number or an operand */
    LARGEST_DIVISOR = 64,
    LARGEST_FACTOR = 4096,
    LARGEST = 1 << 30, /* value in an equation */
    FACTORS = 4,       /* operands of a product */
    TERMS = 8          /* and of a sum */
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

/* Linear equations: a row for a point has the operands, 1, and y. */
typedef struct equations {
    double a[OC_FIT_POINTS][OC_FIT_OPERANDS + 2];
    int rows, columns; /* without y */
    int64_t factor[OC_FIT_OPERANDS + 1];
} equations;

/* Points with large values only prove the factors. */
static void set_up(const oc_fit *f, const int64_t *y, equations *e)
{
    *e = (equations){.columns = f->n_operands + 1};
    for (int k = 0; k < f->n_points; k++) {
        double *row = e->a[e->rows];
        bool small = llabs(y[k]) < LARGEST;
        for (int i = 0; i < f->n_operands; i++) {
            row[i] = (double)f->at[i][k];
            small &= llabs(f->at[i][k]) < LARGEST;
        }
        row[f->n_operands] = 1;
        row[e->columns] = (double)y[k];
        e->rows += small;
    }
}

static void clear_column(equations *e, int pivot, int column)
{
    for (int r = 0; r < e->rows; r++) {
        const double m = r == pivot ? 0 : e->a[r][column] / e->a[pivot][column];
        for (int c = column; m != 0 && c <= e->columns; c++)
            e->a[r][c] -= m * e->a[pivot][c];
    }
}

/* By elimination. Operands that follow from others have the factor 0. */
static void solve(equations *e)
{
    int row_of[OC_FIT_OPERANDS + 1], next = 0;
    for (int c = 0; c < e->columns; c++) {
        int best = next;
        for (int r = next; r < e->rows; r++)
            best = fabs(e->a[r][c]) > fabs(e->a[best][c]) ? r : best;
        row_of[c] = -1;
        if (next == e->rows || fabs(e->a[best][c]) < 1e-3)
            continue;
        for (int i = 0; i <= e->columns; i++) {
            const double x = e->a[best][i];
            e->a[best][i] = e->a[next][i];
            e->a[next][i] = x;
        }
        clear_column(e, next, c);
        row_of[c] = next++;
    }
    for (int c = 0; c < e->columns; c++) {
        const double *row = e->a[row_of[c] < 0 ? 0 : row_of[c]];
        const double factor = row_of[c] < 0 ? 0 : rint(row[e->columns] / row[c]);
        e->factor[c] = fabs(factor) < LARGEST ? (int64_t)factor : 0;
    }
}

/* A sum of multiples of operands and a number. */
static int fit_sum(const oc_fit *f, const int64_t *y)
{
    equations e;
    int64_t rest[OC_FIT_POINTS], part;
    int sum = OC_NO_EXPRESSION, terms = 0;
    set_up(f, y, &e);
    solve(&e);
    memcpy(rest, y, (size_t)f->n_points * sizeof *y);
    for (int i = 0; i < f->n_operands; i++)
        for (int k = 0; k < f->n_points && e.factor[i]; k++)
            if (!oc_i64_mul(-e.factor[i], f->at[i][k], &part) ||
                !oc_i64_add(rest[k], part, &rest[k]))
                return OC_NO_EXPRESSION;
    for (int i = 0; i < f->n_operands; i++)
        terms += e.factor[i] != 0;
    if (!all_equal(rest, f->n_points) || terms > TERMS)
        return OC_NO_EXPRESSION;
    for (int i = 0; i < f->n_operands; i++)
        if (e.factor[i]) {
            const int term = linear_of(f, f->operand[i], e.factor[i], 0, 1);
            sum = sum < 0 ? term : oc_expression_combine(f->x, OC_SUM, sum, term);
        }
    return combine(f, OC_SUM, sum, rest[0]);
}

/* The operand that is y at each point; -1: none is. */
static int find_operand(const oc_fit *f, const int64_t *y)
{
    for (int i = 0; i < f->n_operands; i++)
        if (memcmp(f->at[i], y, (size_t)f->n_points * sizeof *y) == 0)
            return i;
    return -1;
}

bool oc_fit_is_plain(const oc_fit *f, const int64_t *y)
{
    return all_equal(y, f->n_points) || find_operand(f, y) >= 0;
}

int oc_fit_expression(const oc_fit *f, const int64_t *y)
{
    int64_t ones[OC_FIT_POINTS];
    int found = OC_NO_EXPRESSION, chosen[FACTORS];
    if (all_equal(y, f->n_points))
        return oc_expression_of_number(f->x, y[0]);
    const int operand = find_operand(f, y);
    if (operand >= 0)
        return f->operand[operand];
    if (f->n_points < ENOUGH)
        return OC_NO_EXPRESSION;
    for (int i = 0; i < f->n_operands && found < 0; i++)
        found = fit_line(f, i, y);
    for (int k = 0; k < f->n_points; k++)
        ones[k] = 1;
    if (found < 0)
        found = fit_product(f, chosen, 0, ones, y);
    return found < 0 ? fit_sum(f, y) : found;
}
