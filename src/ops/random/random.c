/* SPDX-License-Identifier: Apache-2.0
 * random.c - RandomUniform, RandomNormal, their Like forms, Bernoulli.
 *
 * Element i is made from random number i of the node's key, a normal one from numbers 2i and 2i +
 * 1. It is computed in double and rounded once. A number in [0, 1) has as many bits as the result's
 * type, so that it stays below 1. Normal numbers use the method of Box and Muller. */
#include "ops/kit/op.h"

#include "base/counter_random.h"
#include "kernels/elementwise/elementary.h"

#include <math.h>

enum { BLOCK = 256 }; /* elements drawn at a time */

static int precision(oc_type type)
{
    return type == OC_F64 ? 53 : type == OC_F32 ? 24 : type == OC_F16 ? 11 : 8;
}

/* ---- shapes */

/* Reads attribute dtype; *type becomes otherwise if it is missing. */
static oc_status read_type(oc_call *c, oc_type otherwise, oc_type *type)
{
    const int64_t number = oc_attr_has(c, "dtype") ? oc_attr_int(c, "dtype") : (int64_t)otherwise;
    *type = (oc_type)number;
    return oc_type_is_listed(number)
               ? OC_OK
               : oc_fail(c, OC_VALUE,
                         "attribute 'dtype' is %" PRId64 ", expected a data type's number", number);
}

static oc_status like_shape(oc_call *c)
{
    oc_type type;
    OC_TRY(read_type(c, oc_in(c, 0)->type, &type));
    return oc_set_out(c, 0, type, &oc_in(c, 0)->dims);
}

static oc_status given_shape(oc_call *c)
{
    const oc_ints shape = oc_attr_ints(c, "shape");
    oc_dims dims = {.rank = shape.n};
    oc_type type;
    OC_TRY(read_type(c, OC_F32, &type));
    if (shape.n > OC_MAX_RANK)
        return oc_fail(c, OC_LIMIT, "attribute 'shape' asks for rank %d, the most is %d", shape.n,
                       OC_MAX_RANK);
    for (int a = 0; a < shape.n; a++)
        dims.n[a] = shape.v[a];
    return oc_set_out(c, 0, type, &dims);
}

/* ---- distributions: n elements from number `first` on */

typedef struct source {
    uint64_t key;
    int bits;
    double base, scale; /* y = base + scale * drawn */
    const oc_elementary *functions;
} source;

typedef void draw_fn(const source *s, double *y, uint64_t first, int64_t n);

static void draw_uniform(const source *s, double *y, uint64_t first, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = s->base + s->scale * oc_random_unit(s->key, first + (uint64_t)i, s->bits);
}

static void draw_normal(const source *s, double *y, uint64_t first, int64_t n)
{
    double logarithm[BLOCK], cosine[BLOCK];
    for (int64_t i = 0; i < n; i++) {
        const uint64_t at = 2 * (first + (uint64_t)i);
        logarithm[i] = 1 - oc_random_unit(s->key, at, 53);
        cosine[i] = oc_random_unit(s->key, at + 1, 53) * 6.28318530717958648;
    }
    oc_elementary_apply(s->functions->log, logarithm, n);
    oc_elementary_apply(s->functions->cos, cosine, n);
    for (int64_t i = 0; i < n; i++)
        y[i] = s->base + s->scale * (sqrt(-2 * logarithm[i]) * cosine[i]);
}

static oc_status draw(oc_call *c, draw_fn *fn, double base, double scale)
{
    const oc_value *y = oc_out(c, 0);
    const source s = {oc_call_key(c), precision(y->type), base, scale,
                      oc_elementary_pick(oc_call_cpu(c))};
    char *dst = y->data;
    OC_CALL_PIECES (c, p, oc_value_n(y), BLOCK)
        for (int64_t done = p.first; done < p.end; done += BLOCK) {
            const int64_t part = oc_min(p.end - done, BLOCK);
            double block[BLOCK];
            fn(&s, block, (uint64_t)done, part);
            oc_convert(dst, y->type, block, OC_F64, part, true);
            dst += oc_type_size(y->type) * (size_t)part;
        }
    return OC_OK;
}

static oc_status uniform_run(oc_call *c)
{
    const double low = (double)oc_attr_float(c, "low"), high = (double)oc_attr_float(c, "high");
    return draw(c, draw_uniform, low, high - low);
}

OC_CALL_FN(normal_run, draw(c, draw_normal, (double)oc_attr_float(c, "mean"),
                            (double)oc_attr_float(c, "scale")))

/* An element is 1 if a number in [0, 1) is below p: always for p >= 1, never for p <= 0 or NaN. */
static oc_status bernoulli_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    const uint64_t key = oc_call_key(c);
    const size_t x_size = oc_type_size(x->type), y_size = oc_type_size(y->type);
    OC_CALL_PIECES (c, q, oc_value_n(x), BLOCK)
        for (int64_t done = q.first; done < q.end; done += BLOCK) {
            const int64_t part = oc_min(q.end - done, BLOCK);
            const size_t at = (size_t)done;
            double p[BLOCK];
            oc_convert(p, OC_F64, (const char *)x->data + x_size * at, x->type, part, true);
            for (int64_t i = 0; i < part; i++)
                p[i] = oc_random_unit(key, (uint64_t)(done + i), 53) < p[i];
            oc_convert((char *)y->data + y_size * at, y->type, p, OC_F64, part, true);
        }
    return OC_OK;
}

/* clang-format off */
#define UNIFORM "float high = 1.0, float low = 0.0, float seed?"
#define NORMAL  "float mean = 0.0, float scale = 1.0, float seed?"
#define GIVEN(name, attrs, set) \
    name " <int dtype@T = 1, " attrs ", ints shape> () => (T output) | T: " set "; random"
#define LIKE(name, attrs, in, out) \
    name "Like <int dtype@T2?, " attrs "> (T1 input) => (T2 output) | T1: " in "; T2: " out \
    " = T1; random"
#define BERNOULLI(in) \
    "Bernoulli <int dtype@T2?, float seed?> (T1 input) => (T2 output) | T1: " in \
    "; T2: bool numeric_ir4 = T1; random"
const oc_op oc_ops_random[] = {
    {22, GIVEN("RandomUniform", UNIFORM, "float_ir4"), given_shape, uniform_run},
    { 1, GIVEN("RandomUniform", UNIFORM, "ieee"),      given_shape, uniform_run},
    {22, LIKE("RandomUniform", UNIFORM, "all_ir4", "float_ir4"), like_shape, uniform_run},
    { 1, LIKE("RandomUniform", UNIFORM, "all", "ieee"),          like_shape, uniform_run},
    {22, GIVEN("RandomNormal", NORMAL, "float_ir4"), given_shape, normal_run},
    { 1, GIVEN("RandomNormal", NORMAL, "ieee"),      given_shape, normal_run},
    {22, LIKE("RandomNormal", NORMAL, "all_ir4", "float_ir4"), like_shape, normal_run},
    { 1, LIKE("RandomNormal", NORMAL, "all", "ieee"),          like_shape, normal_run},
    {22, BERNOULLI("float_ir4"), like_shape, bernoulli_run},
    {15, BERNOULLI("ieee"),      like_shape, bernoulli_run},
    {0}
};
