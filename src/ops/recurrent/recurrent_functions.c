/* SPDX-License-Identifier: Apache-2.0
 * recurrent_functions.c - the activation functions of LSTM, GRU and RNN. */

#include "kernels/common/element.h"
#include "kernels/elementwise/row.h"
#include "ops/recurrent/recurrent.h"

/* ---- rows, in place; f is the oc_activation */

#define ROW(name, T, expr)                                                                         \
    OC_ROW(name)                                                                                   \
    {                                                                                              \
        const oc_activation *f = ctx;                                                              \
        const T alpha = (T)f->alpha, beta = (T)f->beta;                                            \
        (void)x_, (void)step, (void)alpha, (void)beta;                                             \
        EACH_IN_PLACE(T, expr)                                                                     \
    }
#define EACH_IN_PLACE(T, expr)                                                                     \
    T *y = y_;                                                                                     \
    OC_EACH1(T, T, y[i], expr)
#define ROWS(name, expr)                                                                           \
    ROW(name##_f32, float, expr)                                                                   \
    ROW(name##_f64, double, expr)

/* NaN stays NaN. */
#define AFFINE (alpha * x + beta)
ROWS(affine, AFFINE)
ROWS(hard_sigmoid, AFFINE<0 ? 0 : AFFINE> 1 ? 1 : AFFINE)
ROWS(leaky_relu, x < 0 ? alpha * x : x)
ROWS(relu, x < 0 ? 0 : x)
ROWS(softsign, x / (1 + (x < 0 ? -x : x)))
ROWS(thresholded_relu, x < alpha ? 0 : x)
ROWS(times_alpha, alpha *x)
ROWS(times_beta, beta *x)

/* Sigmoid and Tanh. */
static void smooth_f32(void *y, const void *const x[], const int64_t step[], int64_t n,
                       const void *f)
{
    oc_curve_row(y, x, step, n, &((const oc_activation *)f)->curve);
}

static void smooth_f64(void *y, const void *const x[], const int64_t step[], int64_t n,
                       const void *f)
{
    oc_elementary_row_f64(y, x, step, n, &((const oc_activation *)f)->fn);
}

static void softplus_f32(void *y, const void *const x[], const int64_t step[], int64_t n,
                         const void *f)
{
    oc_elementary_row_f32(y, x, step, n, &((const oc_activation *)f)->fn);
}

#define softplus_f64 smooth_f64

enum { BLOCK = OC_ELEMENTARY_BLOCK };

#define TEMPLATE "ops/recurrent/recurrent_functions.inc"
#include "kernels/common/floats.inc"

/* ---- names */

/* The functions: whether they have alpha and beta, with the defaults of ONNX's operators, or ones
 * that change nothing. */
static const struct {
    const char *name;
    bool has_alpha, has_beta;
    double alpha, beta;
    oc_row_fn *f32, *f64;
} kinds[] = {
#define KIND(name, a, b, alpha, beta, row)                                                         \
    {                                                                                              \
        name, a, b, alpha, beta, row##_f32, row##_f64                                              \
    }
    KIND("Affine", true, true, 1, 0, affine),
    KIND("Elu", true, false, 1, 0, elu),
    KIND("HardSigmoid", true, true, 0.2f, 0.5, hard_sigmoid),
    KIND("LeakyRelu", true, false, 0.01f, 0, leaky_relu),
    KIND("Relu", false, false, 0, 0, relu),
    KIND("ScaledTanh", true, true, 1, 1, scaled_tanh),
    KIND("Sigmoid", false, false, 0, 0, smooth),
    KIND("Softplus", false, false, 0, 0, softplus),
    KIND("Softsign", false, false, 0, 0, softsign),
    KIND("Tanh", false, false, 0, 0, smooth),
    KIND("ThresholdedRelu", true, false, 1, 0, thresholded_relu),
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool is(oc_string s, const char *name)
{
    return s.size == strlen(name) && memcmp(s.data, name, s.size) == 0;
}

/* Returns the index of the function that has the name, without regard to case; KINDS: there is
 * none. */
static int find_kind(oc_string name)
{
    int k = 0;
    while (k < KINDS && !oc_same_letters(name, kinds[k].name))
        k++;
    return k;
}

/* Returns the functions that the node names; NULL: it names none, and the operator has defaults. */
static const oc_attr *read_names(const oc_call *c)
{
    const oc_attr *names = oc_attr_get(c, "activations");
    return names && names->n ? names : NULL;
}

/* The numbers of a list that the functions have not taken yet. */
typedef struct numbers {
    const float *v;
    int n, taken;
} numbers;

static numbers read_numbers(const oc_call *c, const char *attribute)
{
    const oc_attr *a = oc_attr_get(c, attribute);
    return a ? (numbers){.v = a->u.f, .n = a->n} : (numbers){0};
}

static double take(numbers *list, bool has, double otherwise)
{
    return has && list->taken < list->n ? (double)list->v[list->taken++] : otherwise;
}

static oc_status set_function(oc_call *c, const oc_recurrent *r, oc_string name, numbers *alpha,
                              numbers *beta, oc_activation *f)
{
    const oc_curves *curves = oc_curves_pick(oc_call_cpu(c));
    const oc_elementary *elementary = oc_elementary_pick(oc_call_cpu(c));
    const int k = find_kind(name);
    if (k == KINDS)
        return oc_fail(c, OC_VALUE,
                       "attribute 'activations' has '%.*s', expected Relu, Tanh, Sigmoid, Affine, "
                       "LeakyRelu, ThresholdedRelu, ScaledTanh, HardSigmoid, Elu, Softsign or "
                       "Softplus",
                       (int)(name.size < 40 ? name.size : 40), name.data);
    f->row = r->real == OC_F64 ? kinds[k].f64 : kinds[k].f32;
    f->alpha = take(alpha, kinds[k].has_alpha, kinds[k].alpha);
    f->beta = take(beta, kinds[k].has_beta, kinds[k].beta);
    const char *kind = kinds[k].name;
    const bool is_sigmoid = strcmp(kind, "Sigmoid") == 0;
    f->curve.fn = is_sigmoid ? curves->sigmoid : curves->tanh;
    f->fn = strcmp(kind, "Elu") == 0        ? elementary->less_1
            : strcmp(kind, "Softplus") == 0 ? elementary->softplus
            : is_sigmoid                    ? elementary->sigmoid
                                            : elementary->tanh;
    return OC_OK;
}

static oc_status read_clip(oc_call *c, oc_recurrent *r)
{
    r->clip = oc_attr_has(c, "clip") ? (double)oc_attr_float(c, "clip") : (double)INFINITY;
    if (r->clip >= 0)
        return OC_OK;
    return oc_fail(c, OC_VALUE, "attribute 'clip' is %g, expected 0 or more", r->clip);
}

/* A list for two directions serves one direction as well: RNN's default is such a list. */
oc_status oc_recurrent_functions(oc_call *c, oc_recurrent *r)
{
    const oc_cell *cell = r->cell;
    const oc_attr *names = read_names(c);
    const int each = cell->functions, n = each * r->directions;
    if (names && names->n != n && names->n != OC_RECURRENT_DIRECTIONS * each)
        return oc_fail(c, OC_VALUE, "attribute 'activations' has %d functions, expected %d",
                       names->n, n);
    numbers alpha = read_numbers(c, "activation_alpha");
    numbers beta = read_numbers(c, "activation_beta");
    for (int i = 0; i < n; i++) {
        const char *standard = cell->defaults[i % each];
        const oc_string name = names ? names->u.s[i] : (oc_string){standard, strlen(standard)};
        OC_TRY(set_function(c, r, name, &alpha, &beta, &r->function[i / each][i % each]));
    }
    return read_clip(c, r);
}

void oc_recurrent_remark(const oc_call *c)
{
    const oc_attr *names = read_names(c);
    if (!names && oc_attr_get(c, "activations"))
        oc_remark(c, "attribute 'activations' is empty; the functions are those of the operator");
    for (int i = 0; names && i < names->n; i++) {
        const int k = find_kind(names->u.s[i]);
        if (k < KINDS && !is(names->u.s[i], kinds[k].name))
            oc_remark(c, "attribute 'activations' has '%.*s', which the standard spells '%s'",
                      (int)names->u.s[i].size, names->u.s[i].data, kinds[k].name);
    }
}

/* ---- applied */

ROW(clip_f32, float, x > beta ? beta : x < alpha ? alpha : x)
ROW(clip_f64, double, x > beta ? beta : x < alpha ? alpha : x)

static void apply_row(oc_row_fn *row, const oc_activation *f, void *x, int64_t n)
{
    const void *const operand = x;
    const int64_t step = 1;
    row(x, &operand, &step, n, f);
}

void oc_recurrent_clip(const oc_recurrent *r, void *x, int64_t n)
{
    const oc_activation ends = {.alpha = -r->clip, .beta = r->clip};
    if (r->clip < (double)INFINITY)
        apply_row(r->real == OC_F64 ? clip_f64 : clip_f32, &ends, x, n);
}

void oc_recurrent_activate(const oc_recurrent *r, int direction, int i, void *x, int64_t n)
{
    const oc_activation *f = &r->function[direction][i];
    apply_row(f->row, f, x, n);
}
