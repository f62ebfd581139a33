/* SPDX-License-Identifier: Apache-2.0
 * range.c - Range: start, start + delta, ... before limit; each element is start + i * delta. */
#include "ops/kit/op.h"

#include <math.h>

/* The three operands, converted to wide types. */
typedef struct geometry {
    bool is_float;
    double f_start, f_limit, f_delta;
    int64_t start, limit, delta;
} geometry;

static oc_status read_geometry(oc_call *c, geometry *g)
{
    for (int i = 0; i < 3; i++)
        OC_TRY(oc_expect_one(c, i));
    const oc_type type = oc_in(c, 0)->type;
    double f[3] = {0};
    int64_t i64[3] = {0};
    const bool is_float = oc_type_in(type, OC_SET_FLOAT);
    for (int i = 0; i < 3; i++)
        if (is_float)
            oc_convert(&f[i], OC_F64, oc_in(c, i)->data, type, 1, false);
        else
            oc_convert(&i64[i], OC_I64, oc_in(c, i)->data, type, 1, false);
    *g = (geometry){is_float, f[0], f[1], f[2], i64[0], i64[1], i64[2]};
    if (g->is_float ? g->f_delta == 0 : g->delta == 0)
        return oc_fail(c, OC_VALUE, "delta is 0, expected another value");
    return OC_OK;
}

/* Counts the elements. Distances are unsigned, because they may exceed INT64_MAX. */
static uint64_t count_integers(const geometry *g)
{
    const uint64_t start = (uint64_t)g->start, limit = (uint64_t)g->limit;
    if (g->delta > 0)
        return g->limit > g->start ? (limit - start - 1) / (uint64_t)g->delta + 1 : 0;
    return g->limit < g->start ? (start - limit - 1) / (0 - (uint64_t)g->delta) + 1 : 0;
}

static oc_status count_floats(oc_call *c, const geometry *g, uint64_t *n)
{
    const double count = ceil((g->f_limit - g->f_start) / g->f_delta);
    if (isnan(count) || (count > 0 && isinf(count)))
        return oc_fail(c, OC_VALUE, "start %g, limit %g, delta %g: expected finite values",
                       g->f_start, g->f_limit, g->f_delta);
    if (!(count < 9e15))
        return oc_fail(c, OC_VALUE, "the range has %g elements, which is too many", count);
    *n = count > 0 ? (uint64_t)count : 0;
    return OC_OK;
}

static oc_status range_shape(oc_call *c)
{
    geometry g;
    uint64_t n = 0;
    OC_TRY(read_geometry(c, &g));
    if (g.is_float)
        OC_TRY(count_floats(c, &g, &n));
    else
        n = count_integers(&g);
    if (n > INT64_MAX)
        return oc_fail(c, OC_VALUE, "the range has %g elements, which is too many", (double)n);
    return oc_set_out(c, 0, oc_in(c, 0)->type, &(oc_dims){1, {(int64_t)n}});
}

enum { BLOCK = 256 }; /* elements made at a time */

/* Integers wrap: a product may overflow, but every element is between start and limit. Floats are
 * computed in double and rounded once. */
static oc_status range_run(oc_call *c)
{
    union {
        int64_t whole;
        double real;
    } block[BLOCK];
    geometry g;
    OC_TRY(read_geometry(c, &g));
    const oc_value *y = oc_out(c, 0);
    char *dst = y->data;
    OC_CALL_PIECES (c, p, oc_value_n(y), BLOCK)
        for (int64_t done = p.first; done < p.end; done += BLOCK) {
            const int64_t part = oc_min(p.end - done, BLOCK);
            for (int64_t i = 0; i < part; i++)
                if (g.is_float)
                    block[i].real = g.f_start + (double)(done + i) * g.f_delta;
                else
                    block[i].whole =
                        (int64_t)((uint64_t)g.start + (uint64_t)(done + i) * (uint64_t)g.delta);
            oc_convert(dst, y->type, block, g.is_float ? OC_F64 : OC_I64, part, false);
            dst += oc_type_size(y->type) * (size_t)part;
        }
    return OC_OK;
}

/* clang-format off */
#define SIG(attrs, set) "Range" attrs " (T start!, T limit!, T delta!) => (T output) | T: int16 int32 int64 " set
const oc_op oc_ops_range[] = {
    {27, SIG(" <int stash_type+ = 1>", "float_ir4"), range_shape, range_run}, /* + float16, bfloat16 */
    {11, SIG("", "float double"),                   range_shape, range_run},
    {0}
};
