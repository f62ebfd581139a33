/* SPDX-License-Identifier: Apache-2.0
 * products.c - DequantizeLinear, a product and QuantizeLinear become a product of codes.
 *
 *     x --- DequantizeLinear --- Conv --- Relu --- QuantizeLinear --- y
 *     w --- DequantizeLinear ----'  '--- bias
 *
 *     x, w, bias --- QLinearConv --- y
 *
 * The sums of the codes are exact, where those of floats are rounded at each step; so bits change,
 * by a step of y's scale at most (docs/numerics.md). Which products are computed so depends on the
 * graph alone. What only limits the product, as Relu does, limits the codes: both round to the same
 * side. A bias is taken in units of the product of the scales, as quantisers write it, or rounded
 * to one, unless these units are too large beside y's scale. */
#include "ops/kit/registry.h"
#include "plan/quantise/quantise.h"

#include <math.h>

enum {
    CLAMPS = 4, /* most steps that limit a product */
    PORTS = 12, /* most inputs of a product of codes */
    CLAMP_INPUTS = 3,
    LARGEST = 255 /* greatest difference of a code and its zero point */
};

typedef struct product {
    oc_step *step;                /* the product of floats */
    const oc_on_codes *how;       /* its trait */
    const oc_step *clamp[CLAMPS]; /* the steps after it that limit it, in order */
    int n_clamp;
    oc_scaled x, w, y;
    oc_name codes[2]; /* names of the codes of x and w */
    int moved[2];     /* slots of these codes if a step that moves codes makes them, else OC_NOWHERE
                       * */
    oc_name bias;     /* "": none */
} product;

static const oc_traits *traits_of(const oc_step *s)
{
    return s && s->op.version ? oc_step_traits(s) : NULL;
}

/* Finds the operator whose value, maybe limited, the step quantises, if nothing else reads it. With
 * `exact` it must be an operator whose codes have the bits of its numbers. */
static bool find_product(oc_quantiser *t, const oc_step *quantise, bool exact, product *r)
{
    int place = quantise->in[0];
    r->n_clamp = 0;
    for (;;) {
        oc_step *s = oc_edit_maker(t->g, place);
        const oc_traits *traits = traits_of(s);
        if (!traits || t->g->slot[place].n_readers != 1 || s->op.n_out != 1)
            return false;
        if (traits->on_codes && traits->on_codes->exact == exact) {
            r->step = s;
            r->how = traits->on_codes;
            return true;
        }
        if (traits->codes != OC_CLAMPS || r->n_clamp == CLAMPS)
            return false;
        memmove(r->clamp + 1, r->clamp, (size_t)r->n_clamp++ * sizeof *r->clamp);
        r->clamp[0] = s;
        place = s->in[0];
    }
}

/* ---- operands ---- */

static bool is_byte(oc_type type)
{
    return type == OC_U8 || type == OC_I8;
}

/* Are all products of scales normal floats, and can no sum or operand become infinite? */
static bool are_scales_fit(const product *r)
{
    for (int64_t i = 0; i < r->w.n; i++) {
        const float of_sum = r->x.scale[0] * r->w.scale[i], factor = of_sum / r->y.scale[0];
        if (!isnormal(of_sum) || !isnormal(factor) || !isfinite(of_sum * (float)INT32_MAX) ||
            !isfinite(r->x.scale[0] * LARGEST) || !isfinite(r->w.scale[i] * LARGEST))
            return false;
    }
    return true;
}

/* Can the product have these operands? *taps becomes the number of codes that are added for an
 * output, or 0 if it is not known. */
static bool suits(oc_quantiser *t, const product *r, int64_t *taps)
{
    const oc_call c = oc_step_call(r->step, NULL, NULL, &t->p->services);
    oc_dims w;
    int columns;
    *taps = 0;
    if (!is_byte(r->x.type) || !is_byte(r->w.type) || !is_byte(r->y.type) ||
        !oc_quantise_is_single(&r->x) || !oc_quantise_is_single(&r->y) ||
        !r->how->columns(&c, &columns) || !are_scales_fit(r))
        return false;
    if (!oc_quantise_dims(t, r->w.step->in[0], &w))
        return oc_quantise_is_single(&r->w);
    const bool several = columns < 0 && w.rank > 2; /* matrices: QLinearMatMul wants other scales */
    columns += columns < 0 ? w.rank : 0;
    if (w.rank < 2 || (!oc_quantise_is_single(&r->w) &&
                       (several || r->w.n != w.n[columns] ||
                        columns != (r->w.axis < 0 ? r->w.axis + w.rank : r->w.axis))))
        return false;
    *taps = w.n[columns] ? oc_dims_count(&w) / w.n[columns] : 0;
    return true;
}

/* ---- the bias ---- */

/* Returns the unit of bias number i: the product of the scales. */
static double unit_of(const product *r, int64_t i)
{
    return (double)(r->x.scale[0] * r->w.scale[r->w.n == 1 ? 0 : i]);
}

/* Is each code within half a step of y's scale of the bias? The codes of every bias must be
 * (docs/numerics.md). */
static bool are_near(const product *r, const float *bias, const int32_t *codes, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (!(fabs((double)bias[i] - codes[i] * unit_of(r, i)) <= (double)r->y.scale[0] / 2))
            return false;
    return true;
}

/* Is the bias quantised in these units? */
static bool is_in_units(oc_quantiser *t, const product *r, const oc_step *dequantise)
{
    enum { MOST_APART = 100000 }; /* part of a scale by which the scale of a bias may differ */
    oc_scaled b;
    if (!oc_quantise_scaled(t, dequantise, OC_DEQUANTISES, &b) || b.type != OC_I32 ||
        (r->w.n != 1 && b.n != r->w.n))
        return false;
    for (int64_t i = 0; i < b.n; i++) {
        const double unit = unit_of(r, i);
        if (fabs((double)b.scale[i] - unit) * MOST_APART > unit || oc_quantise_zero(&b, i) != 0)
            return false;
    }
    return true;
}

/* Returns whether a sum of `taps` products of codes and a bias may pass int32. taps is 0 if the
 * number of products is not known: then the bias may take only half of the range. */
static bool may_pass(const int32_t *codes, int64_t n, int64_t taps)
{
    enum { PRODUCT = LARGEST * LARGEST };
    const int64_t room = taps == 0                    ? INT32_MAX / 2
                         : taps < INT32_MAX / PRODUCT ? INT32_MAX - taps * PRODUCT
                                                      : 0;
    for (int64_t i = 0; i < n; i++)
        if (codes[i] > room || codes[i] < -room)
            return true;
    return room == 0;
}

/* Makes a new constant of the codes nearest to a bias of floats. */
static oc_status round_bias(oc_quantiser *t, product *r, const oc_value *b, int64_t taps,
                            bool *done)
{
    const int64_t n = oc_value_n(b);
    const float *x = b->data;
    int32_t *codes = oc_arena_array(&t->p->plan->arena, (size_t)n, sizeof *codes);
    OC_TRY(oc_arena_check(&t->p->plan->arena, t->p->e));
    for (int64_t i = 0; i < n; i++) {
        const double code = rint((double)x[i] / unit_of(r, i));
        *done = fabs(code) < INT32_MAX;
        if (!*done)
            return OC_OK;
        codes[i] = (int32_t)code;
    }
    *done = !may_pass(codes, n, taps) && are_near(r, x, codes, n);
    const oc_value v = oc_value_borrow(OC_I32, b->dims, codes);
    return *done ? oc_quantise_constant(t, r->step->node->in[2], "int32", &v, &r->bias) : OC_OK;
}

/* *done is false if the product cannot have this bias. */
static oc_status find_bias(oc_quantiser *t, product *r, int64_t taps, bool *done)
{
    const oc_step *s = r->step;
    oc_value b, codes;
    r->bias = "";
    *done = true;
    if (s->op.n_in < 3 || s->in[2] == OC_NOWHERE) {
        *done = !may_pass(NULL, 0, taps);
        return OC_OK;
    }
    const oc_step *maker = oc_edit_maker(t->g, s->in[2]);
    *done = oc_ahead_known(t->p, t->g, s->in[2], &b) && b.type == OC_F32 && b.dims.rank >= 1 &&
            b.dims.n[b.dims.rank - 1] == oc_value_n(&b) &&
            (r->w.n == 1 || r->w.n == oc_value_n(&b));
    if (*done && b.dims.rank == 1 && is_in_units(t, r, maker) &&
        oc_ahead_known(t->p, t->g, maker->in[0], &codes) &&
        !may_pass(codes.data, oc_value_n(&b), taps) &&
        are_near(r, b.data, codes.data, oc_value_n(&b))) {
        r->bias = maker->node->in[0];
        return OC_OK;
    }
    return *done ? round_bias(t, r, &b, taps, done) : OC_OK;
}

/* ---- limits ---- */

/* Computes the codes of -Inf and Inf behind the steps that limit the product. */
static oc_status find_limits(oc_quantiser *t, const product *r, const oc_step *quantise,
                             oc_value *codes, bool *done)
{
    static const float ends[] = {-INFINITY, INFINITY};
    oc_value x = oc_value_borrow(OC_F32, oc_dims_1d(2), ends);
    oc_status status = OC_OK;
    *done = true;
    for (int i = 0; i <= r->n_clamp && *done && status == OC_OK; i++) {
        const oc_step *s = i < r->n_clamp ? r->clamp[i] : quantise;
        const oc_value *given[CLAMP_INPUTS] = {&x};
        oc_value y = {0};
        *done = s->op.n_in <= CLAMP_INPUTS;
        if (*done)
            status = oc_quantise_try(t, s, given, &y, done);
        oc_value_unref(&x);
        x = y;
    }
    *codes = x;
    return status;
}

static int code_at(const oc_value *v, int i)
{
    return v->type == OC_I8 ? ((const int8_t *)v->data)[i] : ((const uint8_t *)v->data)[i];
}

/* Limits the codes that the step's version makes to these. */
static oc_status limit(oc_quantiser *t, const product *r, const oc_step *quantise, int limits[2],
                       bool *done)
{
    oc_value codes = {0};
    const oc_status status = find_limits(t, r, quantise, &codes, done);
    *done = *done && codes.data && oc_value_n(&codes) == 2 && is_byte(codes.type);
    for (int i = 0; i < 2 && *done; i++)
        limits[i] = code_at(&codes, i);
    oc_value_unref(&codes);
    return status;
}

/* ---- the new step ---- */

/* Finds the value of a port (oc_on_codes.ports). */
static oc_status port_name(oc_quantiser *t, const product *r, const char *port, oc_name *name)
{
    const oc_scaled *codes = *port == '0' ? &r->x : *port == '1' ? &r->w : &r->y;
    const oc_node *n = codes->step->node;
    if (*port == '2') {
        *name = r->bias;
        return OC_OK;
    }
    *name = port[1] == 'x' ? r->codes[*port - '0'] : port[1] == 's' ? n->in[1] : "";
    if (port[1] != 'z')
        return OC_OK;
    if (codes->zero) {
        *name = n->in[2];
        return OC_OK;
    }
    return oc_quantise_no_zero(t, codes, name);
}

static oc_status replace(oc_quantiser *t, oc_step *quantise, const product *r, const oc_op *version,
                         const int limits[2])
{
    oc_name in[PORTS];
    oc_node node = {.in = in, .n_in = (int)strlen(r->how->ports) / 2};
    for (int i = 0; i < node.n_in; i++)
        OC_TRY(port_name(t, r, r->how->ports + 2 * i, &in[i]));
    return oc_quantise_replace(t, quantise, r->step, version, &node, limits);
}

/* Returns the version that computes on codes; NULL: this build has none. */
static const oc_op *version_of(const product *r)
{
    int oldest;
    if (r->how->version)
        return r->how->version;
    return oc_op_find(NULL, r->how->domain, r->how->name, OC_MAX_OPSET, &oldest);
}

/* Finds the DequantizeLinear that makes operand i of the product. */
static bool find_operand(oc_quantiser *t, product *r, int i, oc_scaled *codes)
{
    if (!oc_quantise_scaled(t, oc_edit_maker(t->g, r->step->in[i]), OC_DEQUANTISES, codes))
        return false;
    r->codes[i] = codes->step->node->in[0];
    return true;
}

oc_status oc_quantise_product(oc_quantiser *t, oc_step *s)
{
    product r;
    int64_t taps;
    int limits[2];
    bool done;
    if (!oc_quantise_scaled(t, s, OC_QUANTISES, &r.y) || !find_product(t, s, false, &r) ||
        !find_operand(t, &r, 0, &r.x) || !find_operand(t, &r, 1, &r.w) || !suits(t, &r, &taps) ||
        !version_of(&r))
        return OC_OK;
    OC_TRY(find_bias(t, &r, taps, &done));
    if (done)
        OC_TRY(limit(t, &r, s, limits, &done));
    return done ? replace(t, s, &r, version_of(&r), limits) : OC_OK;
}

/* ---- with the bits of the numbers ---- */

/* Finds what operand i dequantises, maybe behind steps that move it. Returns true also if the
 * operator of codes has no such operand. */
static bool find_exact(oc_quantiser *t, product *r, int i, oc_scaled *codes)
{
    const char operand[] = {(char)('0' + i), 'x', 0};
    if (!strstr(r->how->ports, operand))
        return true;
    if (!find_operand(t, r, i, codes)) {
        const int place = r->step->in[i];
        const oc_code_function *f = oc_place_is_slot(place) ? &t->function[place] : NULL;
        if (!f || !f->dequantise || f->largest ||
            !oc_quantise_scaled(t, f->dequantise, OC_DEQUANTISES, codes))
            return false;
        r->codes[i] = f->name;
        r->moved[i] = f->codes;
    }
    return oc_quantise_is_single(codes) && codes->type == r->y.type;
}

oc_status oc_quantise_exact(oc_quantiser *t, oc_step *s)
{
    product r = {.moved = {OC_NOWHERE, OC_NOWHERE}};
    int limits[2];
    bool done;
    if (!oc_quantise_scaled(t, s, OC_QUANTISES, &r.y) || !is_byte(r.y.type) ||
        !oc_quantise_is_single(&r.y) || !find_product(t, s, true, &r) ||
        !find_exact(t, &r, 0, &r.x) || !find_exact(t, &r, 1, &r.w) || !version_of(&r))
        return OC_OK;
    OC_TRY(limit(t, &r, s, limits, &done));
    if (!done)
        return OC_OK;
    for (int i = 0; i < 2; i++)
        if (r.moved[i] != OC_NOWHERE)
            t->needed[r.moved[i]] = true;
    return replace(t, s, &r, version_of(&r), limits);
}
