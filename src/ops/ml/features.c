/* SPDX-License-Identifier: Apache-2.0
 * features.c - Binarizer, Imputer, Scaler, Normalizer, FeatureVectorizer: rows of features made fit
 * for a model. All but the first two give floats, computed in double and rounded once. */
#include "ops/ml/ml.h"

#include <math.h>

#define NUMBERS "float double int64 int32"

/* ---- Binarizer: is an element above the threshold? */

static oc_status binarizer_run(oc_call *c)
{
    const double threshold = (double)oc_attr_float(c, "threshold");
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    enum { BLOCK = 256 };
    const int64_t n = oc_value_n(x);
    const size_t size = oc_type_size(x->type);
    const oc_work w = oc_call_work(c, 0);
    OC_LOOP (&w, i, oc_div_up(n, BLOCK), 1) {
        const int64_t at = i * BLOCK, part = oc_min(n - at, BLOCK);
        double block[BLOCK];
        oc_convert(block, OC_F64, (const char *)x->data + size * (size_t)at, x->type, part, false);
        for (int64_t k = 0; k < part; k++)
            block[k] = block[k] > threshold;
        oc_convert((char *)y->data + size * (size_t)at, y->type, block, OC_F64, part, false);
    }
    return OC_OK;
}

/* ---- Imputer: elements that equal a value, or NaN, are replaced by their column's */

/* Defines impute_T of n elements: element i, of column i % width, becomes with[column * step]. */
#define IS_SAME(T, x, value) ((x) == (T)(value) || ((value) != (value) && (x) != (x)))
#define IMPUTE(T, V)                                                                               \
    static void impute_##T(const oc_work *w, T *y, const T *x, int64_t n, int64_t width, V value,  \
                           const V *with, int64_t step)                                            \
    {                                                                                              \
        OC_LOOP (w, i, n, 64)                                                                      \
            y[i] = IS_SAME(T, x[i], value) ? (T)with[i % width * step] : x[i];                     \
    }

IMPUTE(float, float)
IMPUTE(double, float)
IMPUTE(int32_t, int64_t)
IMPUTE(int64_t, int64_t)

static oc_status imputer_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    const bool floats = oc_type_in(x->type, OC_SET_IEEE);
    const char *name = floats ? "imputed_value_floats" : "imputed_value_int64s";
    const oc_attr *a = oc_attr_get(c, name);
    int64_t rows, width;
    OC_TRY(oc_ml_matrix(c, 0, &rows, &width));
    if (!a || (a->n != 1 && a->n != width))
        return oc_fail(c, OC_VALUE,
                       "attribute '%s' has %d values, expected 1 or %" PRId64
                       ", one for each column",
                       name, a ? a->n : 0, width);
    const float value = oc_attr_float(c, "replaced_value_float");
    const int64_t number = oc_attr_int(c, "replaced_value_int64"), n = rows * width;
    const int64_t step = a->n > 1;
    const oc_work w = oc_call_work(c, 0);
    if (x->type == OC_F32)
        impute_float(&w, y->data, x->data, n, width, value, a->u.f, step);
    else if (x->type == OC_F64)
        impute_double(&w, y->data, x->data, n, width, value, a->u.f, step);
    else if (x->type == OC_I64)
        impute_int64_t(&w, y->data, x->data, n, width, number, a->u.i, step);
    else if (number == (int32_t)number)
        impute_int32_t(&w, y->data, x->data, n, width, number, a->u.i, step);
    else /* no int32 equals it */
        oc_call_copy(c, y->data, x->data, oc_value_bytes(x));
    return OC_OK;
}

/* ---- rows of doubles, rounded to float */

OC_CALL_FN(float_shape, oc_set_out(c, 0, OC_F32, &oc_in(c, 0)->dims))

typedef struct scaling {
    oc_reals offset, scale;
} scaling;

typedef void row_fn(const oc_work *w, double *x, int64_t n, const void *ctx);

static oc_status each_row(oc_call *c, int64_t width, row_fn *fn, const void *ctx)
{
    const oc_value *x = oc_in(c, 0);
    const size_t size = oc_type_size(x->type) * (size_t)width;
    const int64_t rows = width ? oc_value_n(x) / width : 0;
    float *y = oc_out(c, 0)->data;
    double *row;
    OC_TRY(OC_SCRATCH(c, row, width));
    const oc_work w = oc_call_work(c, 0);
    OC_CALL_LOOP (c, r, rows, 1) {
        oc_work_convert(&w, 0, row, OC_F64, (const char *)x->data + size * (size_t)r, x->type,
                        width);
        fn(&w, row, width, ctx);
        oc_work_convert(&w, 0, y + r * width, OC_F32, row, OC_F64, width);
    }
    return OC_OK;
}

static void scale_row(const oc_work *w, double *x, int64_t n, const void *ctx)
{
    const scaling *s = ctx;
    OC_LOOP (w, i, n, 1024)
        x[i] = (x[i] - s->offset.v[s->offset.n > 1 ? i : 0]) * s->scale.v[s->scale.n > 1 ? i : 0];
}

static oc_status scaler_run(oc_call *c)
{
    const oc_dims *d = &oc_in(c, 0)->dims;
    const int64_t width = d->rank ? d->n[d->rank - 1] : 1;
    scaling s;
    OC_TRY(oc_ml_reals(c, "offset", NULL, &s.offset));
    OC_TRY(oc_ml_reals(c, "scale", NULL, &s.scale));
    if (s.offset.n != s.scale.n || (s.offset.n != 1 && s.offset.n != width))
        return oc_fail(c, OC_VALUE,
                       "offset has %" PRId64 " values and scale %" PRId64
                       ", expected both 1 or %" PRId64 ", one for each column",
                       s.offset.n, s.scale.n, width);
    return each_row(c, width, scale_row, &s);
}

enum { MAX, L1, L2 };

/* MAX divides by the greatest element, as the text says, not by the greatest magnitude. */
static void normalize_row(const oc_work *w, double *x, int64_t n, const void *ctx)
{
    const int norm = *(const int *)ctx;
    double divisor = norm == MAX && n ? x[0] : 0;
    OC_LOOP (w, i, n, 1024)
        if (norm == MAX)
            divisor = x[i] > divisor ? x[i] : divisor;
        else
            divisor += norm == L1 ? fabs(x[i]) : x[i] * x[i];
    if (norm == L2)
        divisor = sqrt(divisor);
    OC_LOOP (w, i, divisor != 0 ? n : 0, 1024)
        x[i] /= divisor;
}

static oc_status normalizer_run(oc_call *c)
{
    static const char *const names[] = {"MAX", "L1", "L2", NULL};
    int64_t rows, width;
    int norm;
    OC_TRY(oc_attr_enum(c, "norm", names, &norm));
    OC_TRY(oc_ml_matrix(c, 0, &rows, &width));
    return each_row(c, width, normalize_row, &norm);
}

/* ---- FeatureVectorizer: inputs side by side */

/* Finds the rows and columns of input i, and the columns that it takes in the output: those of
 * attribute inputdimensions, else its own. */
static oc_status columns_of(oc_call *c, int i, int64_t *rows, int64_t *in, int64_t *out)
{
    const oc_ints sizes = oc_attr_ints(c, "inputdimensions");
    OC_TRY(oc_ml_matrix(c, i, rows, in));
    if (sizes.n && sizes.n != oc_n_in(c))
        return oc_fail(
            c, OC_VALUE,
            "attribute 'inputdimensions' has %d values, expected one for each of %d inputs",
            sizes.n, oc_n_in(c));
    *out = sizes.n ? sizes.v[i] : *in;
    return *out >= 0 ? OC_OK
                     : oc_fail(c, OC_VALUE, "attribute 'inputdimensions' has %" PRId64 " at [%d]",
                               *out, i);
}

static oc_status vectorizer_shape(oc_call *c)
{
    int64_t rows = 0, width = 0;
    for (int i = 0; i < oc_n_in(c); i++) {
        int64_t r, in, out;
        OC_TRY(columns_of(c, i, &r, &in, &out));
        rows = i ? rows : r;
        if (r != rows)
            return oc_fail_dims(c, i, "expected %" PRId64 " rows as input 0", rows);
        if (!oc_i64_add(width, out, &width))
            return oc_fail(c, OC_LIMIT, "the output is too wide");
    }
    return oc_set_out(c, 0, OC_F32, &(oc_dims){2, {rows, width}});
}

/* An input that takes more columns than it has is followed by zeros. */
static oc_status vectorizer_run(oc_call *c)
{
    const oc_value *y = oc_out(c, 0);
    const int64_t width = y->dims.n[1];
    int64_t at = 0;
    oc_call_zero(c, y->data, oc_value_bytes(y));
    for (int i = 0; i < oc_n_in(c); i++) {
        const oc_value *x = oc_in(c, i);
        int64_t rows, in, out;
        OC_TRY(columns_of(c, i, &rows, &in, &out));
        const int64_t used = in < out ? in : out;
        const size_t size = oc_type_size(x->type) * (size_t)in;
        OC_CALL_LOOP (c, r, rows, 64)
            oc_call_convert(c, (float *)y->data + r * width + at, OC_F32,
                            (const char *)x->data + size * (size_t)r, x->type, used);
        at += out;
    }
    return OC_OK;
}

/* clang-format off */
const oc_op oc_ops_features[] = {
    {1, "ai.onnx.ml::Binarizer <float threshold = 0.0> (T X) => (T Y) | T: " NUMBERS,
        oc_same_shape, binarizer_run},
    {1, "ai.onnx.ml::Imputer <floats imputed_value_floats?, ints imputed_value_int64s?, "
        "float replaced_value_float = 0.0, int replaced_value_int64 = 0> (T X) => (T Y) | T: " NUMBERS,
        oc_same_shape, imputer_run},
    {1, "ai.onnx.ml::Scaler <floats offset?, floats scale?> (T X) => (float Y) | T: " NUMBERS,
        float_shape, scaler_run},
    {1, "ai.onnx.ml::Normalizer <string norm = \"MAX\"> (T X) => (float Y) | T: " NUMBERS,
        float_shape, normalizer_run},
    {1, "ai.onnx.ml::FeatureVectorizer <ints inputdimensions?> (T1 X...) => (float Y) | T1: int32 int64 float double",
        vectorizer_shape, vectorizer_run},
    {0}
};
