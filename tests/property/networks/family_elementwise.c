/* SPDX-License-Identifier: Apache-2.0
 * family_elementwise.c - operators of one operand and of two, which broadcast. */
#include "net.h"

#include <string.h>

/* ---- one operand ---- */

static double relu(double x)
{
    return x > 0 ? x : 0;
}
static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}
static double negate(double x)
{
    return -x;
}
static double leaky(double x)
{
    return x >= 0 ? x : (double)0.01f * x;
}
static double elu(double x)
{
    return x > 0 ? x : expm1(x);
}
static double selu(double x)
{
    const double alpha = (double)1.67326319217681884765625f,
                 gamma = (double)1.05070102214813232421875f;
    return x > 0 ? gamma * x : gamma * (alpha * exp(x) - alpha);
}
static double softplus(double x)
{
    return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}
static double softsign(double x)
{
    return x / (1 + fabs(x));
}
static double hard_sigmoid(double x)
{
    return fmax(0, fmin(1, (double)0.2f * x + 0.5));
}
static double hard_swish(double x)
{
    return x * fmax(0, fmin(1, x / 6 + 0.5));
}
static double mish(double x)
{
    return x * tanh(softplus(x));
}
static double gelu(double x)
{
    return 0.5 * x * (1 + erf(x / sqrt(2)));
}
static double gelu_tanh(double x)
{
    return 0.5 * x * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}
static double swish(double x)
{
    return x * sigmoid(x);
}
static double thresholded(double x)
{
    return x > 1 ? x : 0;
}
static double sign(double x)
{
    return (x > 0) - (x < 0);
}

/* slope 0: monotone, the bounds of the result are its values at the ends of the operand's. Else the
 * greatest slope. units: of the result, or of 1 where absolute, that its computation is off by. */
static const struct {
    const char *call; /* %s: the operand */
    double (*f)(double);
    double slope, units;
    bool absolute;
} unary[] = {
    {"Relu (%s)", relu, 0, 0, false},
    {"Relu (%s)", relu, 0, 0, false},
    {"LeakyRelu (%s)", leaky, 0, 1, false},
    {"Sigmoid (%s)", sigmoid, 0, 4, false},
    {"Tanh (%s)", tanh, 0, 4, false},
    {"Neg (%s)", negate, 0, 0, false},
    {"Abs (%s)", fabs, 1, 0, false},
    {"Exp (%s)", exp, 0, 4, false},
    {"Elu (%s)", elu, 0, 4, true},
    {"Selu (%s)", selu, 0, 8, true},
    {"Softplus (%s)", softplus, 0, 8, true},
    {"Softsign (%s)", softsign, 0, 4, false},
    {"HardSigmoid (%s)", hard_sigmoid, 0, 4, true},
    {"HardSwish (%s)", hard_swish, 1.5, 8, true},
    {"Mish (%s)", mish, 1.1, 16, true},
    {"Gelu (%s)", gelu, 1.13, 8, true},
    {"Gelu <approximate = \"tanh\"> (%s)", gelu_tanh, 1.13, 16, true},
    {"Swish (%s)", swish, 1.1, 8, true},
    {"ThresholdedRelu (%s)", thresholded, 0, 0, false},
    {"Erf (%s)", erf, 0, 4, false},
    {"Sin (%s)", sin, 1, 4, true},
    {"Cos (%s)", cos, 1, 4, true},
    {"Atan (%s)", atan, 0, 4, false},
    {"Floor (%s)", floor, 0, 0, false},
    {"Ceil (%s)", ceil, 0, 0, false},
    {"Round (%s)", rint, 0, 0, false},
    {"Sign (%s)", sign, 0, 0, false},
    {"Identity (%s)", NULL, 0, 0, false},
};

static double spread(double (*f)(double), double v, double e)
{
    if (!(e < INFINITY))
        return INFINITY;
    return fmax(fabs(f(v + e) - f(v)), fabs(f(v) - f(v - e)));
}

/* Sums and products within such a function are of numbers of the size of x and y. */
static double computed(const net_tensor *y, double x, double v, double units, bool absolute)
{
    const double size = fabs(v) + (absolute ? fmax(1, fabs(x)) : 0);
    return 2 * units * size * net_sum_unit(y->type);
}

bool net_unary(net *n)
{
    const size_t which = net_below(n, sizeof unary / sizeof *unary);
    const net_tensor *x = net_any(n, 0, 5);
    net_tensor *y = net_result(n, n->type, x->rank, x->dim);
    y->unit = unary[which].f == relu ? x->unit : 0;
    net_line(n, "%s = ", y->name);
    char call[80];
    snprintf(call, sizeof call, unary[which].call, x->name);
    net_line(n, "%s\n", call);
    double (*f)(double) = unary[which].f;
    for (int64_t i = 0; i < y->n; i++) {
        const double v = x->v[i], e = x->e[i], slope = unary[which].slope;
        y->v[i] = f ? f(v) : v;
        const double passed = !f ? e : slope > 0 ? slope * e : spread(f, v, e);
        y->e[i] = !f || (unary[which].units == 0 && passed == 0 && e == 0)
                      ? passed
                      : net_bound(y->type, y->v[i],
                                  passed + computed(y, v, y->v[i], unary[which].units,
                                                    unary[which].absolute));
    }
    return true;
}

bool net_clip(net *n)
{
    const net_tensor *x = net_any(n, 0, 5);
    const bool low = net_chance(n, 80), high = !low || net_chance(n, 70);
    const net_tensor *least = low ? net_operand(n, n->type, 0, NULL, 1) : NULL;
    const double above = least ? least->v[0] + 1 : 1;
    const double limit = net_round(n->type, above);
    const net_tensor *most = high ? net_given(n, n->type, 0, NULL, &limit, -1) : NULL;
    net_tensor *y = net_result(n, n->type, x->rank, x->dim);
    y->unit = x->unit;
    net_line(n, "%s = Clip (%s, %s%s%s)\n", y->name, x->name, low ? least->name : "\"\"",
             high ? ", " : "", high ? most->name : "");
    for (int64_t i = 0; i < y->n; i++) {
        y->v[i] = fmax(x->v[i], low ? least->v[0] : -INFINITY);
        y->v[i] = fmin(y->v[i], high ? limit : INFINITY);
        y->e[i] = x->e[i];
    }
    return true;
}

/* ---- two operands ---- */

/* How an element is read with the dims of the result. */
static int64_t spread_at(const net_tensor *t, int rank, const int64_t *index)
{
    int64_t at = 0;
    for (int i = 0; i < t->rank; i++)
        at = at * t->dim[i] + (t->dim[i] == 1 ? 0 : index[rank - t->rank + i]);
    return at;
}

static void pair(const char op, double a, double ea, double b, double eb, double *v, double *e)
{
    switch (op) {
    case 'A':
        *v = a + b;
        *e = ea + eb;
        break;
    case 'S':
        *v = a - b;
        *e = ea + eb;
        break;
    case 'M':
        *v = a * b;
        *e = fabs(a) * eb + fabs(b) * ea + ea * eb;
        break;
    case 'D':
        *v = b == 0 ? 0 : a / b;
        *e = fabs(b) - eb > 1e-30 ? (ea + fabs(*v) * eb) / (fabs(b) - eb) : INFINITY;
        break;
    case 'X':
        *v = fmax(a, b);
        *e = fmax(ea, eb);
        break;
    case 'N':
        *v = fmin(a, b);
        *e = fmax(ea, eb);
        break;
    case 'P': /* PRelu */
        *v = a >= 0 ? a : a * b;
        *e = a - ea >= 0 ? ea : fabs(a) * eb + fmax(1, fabs(b) + eb) * ea + fabs(b) * ea + ea * eb;
        break;
    default: /* Mean of two */
        *v = (a + b) / 2;
        *e = (ea + eb) / 2;
    }
}

static const struct {
    const char *op;
    char kind;
} binary[] = {{"Add", 'A'}, {"Add", 'A'}, {"Mul", 'M'},   {"Mul", 'M'},  {"Sub", 'S'}, {"Div", 'D'},
              {"Max", 'X'}, {"Min", 'N'}, {"PRelu", 'P'}, {"Mean", 'a'}, {"Sum", 'A'}};

/* Some axes of x, most often the channels or the last ones; for PRelu x's axes count. */
static net_tensor *draw_second(net *n, const net_tensor *x)
{
    int64_t dim[NET_RANK];
    int rank = x->rank;
    memcpy(dim, x->dim, sizeof dim);
    net_tensor *found = net_chance(n, 50) ? net_find(n, n->type, rank, dim, x) : NULL;
    if (found)
        return found;
    const uint32_t how = net_below(n, 5);
    for (int a = 0; a < rank; a++)
        if ((how == 0 && a != 1) || (how == 1 && net_chance(n, 50)) ||
            (how == 2 && a != rank - 1) || how == 3)
            dim[a] = 1;
    const int drop = net_chance(n, 50) ? (int)net_below(n, (uint32_t)rank + 1) : 0;
    int leading = 0;
    while (leading < drop && dim[leading] == 1)
        leading++;
    return net_operand(n, n->type, rank - leading, dim + leading, 1);
}

bool net_binary(net *n)
{
    const size_t which = net_below(n, sizeof binary / sizeof *binary);
    const char kind = binary[which].kind;
    const net_tensor *a = net_any(n, 1, 5), *b = draw_second(n, a);
    const int rank = a->rank;
    net_tensor *y = net_result(n, n->type, rank, a->dim);
    const bool swapped = kind != 'P' && net_chance(n, 30);
    if (swapped) {
        const net_tensor *c = a;
        a = b;
        b = c;
    }
    net_line(n, "%s = %s (%s, %s)\n", y->name, binary[which].op, a->name, b->name);
    int64_t index[NET_RANK] = {0};
    for (int64_t i = 0; i < y->n; i++, net_next(rank, y->dim, index)) {
        const int64_t ai = spread_at(a, rank, index), bi = spread_at(b, rank, index);
        double v, e;
        pair(kind, a->v[ai], a->e[ai], b->v[bi], b->e[bi], &v, &e);
        y->v[i] = v;
        y->e[i] = kind == 'X' || kind == 'N'
                      ? e
                      : net_bound(y->type, v, e + 4 * net_sum_unit(y->type) * (fabs(v) + e));
    }
    return true;
}

/* ---- comparisons ---- */

static const char *const comparisons[] = {"Less", "LessOrEqual", "Greater", "GreaterOrEqual",
                                          "Equal"};

static bool compare(int which, double a, double b)
{
    return which == 0   ? a < b
           : which == 1 ? a <= b
           : which == 2 ? a > b
           : which == 3 ? a >= b
                        : a == b;
}

/* A comparison, and what its bools choose: one of the operands, or 0 and 1. */
bool net_compare(net *n)
{
    static const int numbers[] = {[NET_F32] = 1, [NET_F64] = 11, [NET_F16] = 10, [NET_BF16] = 16};
    const int which = (int)net_below(n, 5);
    const bool choose = net_chance(n, 50);
    const net_tensor *a = net_any(n, 1, 5), *b = draw_second(n, a);
    const int rank = a->rank;
    net_tensor *bools = net_result(n, NET_BOOL, rank, a->dim),
               *y = net_result(n, n->type, rank, a->dim);
    if (net_chance(n, 30)) {
        const net_tensor *c = a;
        a = b;
        b = c;
    }
    net_line(n, "%s = %s (%s, %s)\n", bools->name, comparisons[which], a->name, b->name);
    if (choose)
        net_line(n, "%s = Where (%s, %s, %s)\n", y->name, bools->name, a->name, b->name);
    else
        net_line(n, "%s = Cast <to = %d> (%s)\n", y->name, numbers[n->type], bools->name);
    int64_t index[NET_RANK] = {0};
    for (int64_t i = 0; i < y->n; i++, net_next(rank, y->dim, index)) {
        const int64_t ai = spread_at(a, rank, index), bi = spread_at(b, rank, index);
        const double apart = fabs(a->v[ai] - b->v[bi]), e = a->e[ai] + b->e[bi];
        const bool is = compare(which, a->v[ai], b->v[bi]), certain = e == 0 || apart > e;
        bools->v[i] = is;
        bools->e[i] = certain ? 0 : 1;
        y->v[i] = !choose ? is : is ? a->v[ai] : b->v[bi];
        y->e[i] = !choose ? bools->e[i] : certain ? (is ? a->e[ai] : b->e[bi]) : apart + e;
    }
    return true;
}
