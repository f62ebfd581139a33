/* SPDX-License-Identifier: Apache-2.0
 * reshape.c - Reshape: the same elements under other dims. */
#include "ops/kit/op.h"

/* Reads one wanted dimension: *n becomes its size, or -1 if it is to be inferred. */
static oc_status wanted_dim(oc_call *c, oc_ints want, int i, bool allow_zero, int64_t *n)
{
    const oc_dims *x = &oc_in(c, 0)->dims;
    *n = want.v[i];
    if (*n < -1)
        return oc_fail(c, OC_VALUE, "the shape has %" PRId64 " at [%d], expected a value >= -1", *n,
                       i);
    if (*n != 0 || allow_zero)
        return OC_OK;
    if (i >= x->rank)
        return oc_fail(c, OC_SHAPE, "the shape has 0 at [%d], but the input has only %d axes", i,
                       x->rank);
    *n = x->n[i];
    return OC_OK;
}

static oc_status reshape_to(oc_call *c, oc_ints want, bool allow_zero)
{
    const oc_value *x = oc_in(c, 0);
    const int64_t count = oc_value_n(x);
    oc_dims y = {.rank = want.n};
    int64_t product = 1;
    int inferred = -1;
    char text[OC_DIMS_TEXT];
    if (want.n > OC_MAX_RANK)
        return oc_fail(c, OC_LIMIT, "the shape has rank %d, the most is %d", want.n, OC_MAX_RANK);
    for (int i = 0; i < want.n; i++) {
        OC_TRY(wanted_dim(c, want, i, allow_zero, &y.n[i]));
        if (y.n[i] < 0 && inferred >= 0)
            return oc_fail(c, OC_VALUE, "the shape has -1 twice, at [%d] and [%d]", inferred, i);
        if (y.n[i] < 0)
            inferred = i;
        else if (!oc_i64_mul(product, y.n[i], &product))
            return oc_fail(c, OC_SHAPE, "the shape has too many elements");
    }
    if (inferred >= 0 && product > 0 && count % product == 0) {
        y.n[inferred] = count / product;
        product = count;
    }
    if ((inferred >= 0 && y.n[inferred] < 0) || product != count)
        return oc_fail_dims(c, 0, "which does not fit into %s", oc_dims_text(&y, text));
    return oc_set_out(c, 0, x->type, &y);
}

static oc_status reshape_shape(oc_call *c)
{
    oc_ints want;
    OC_TRY(oc_in_ints(c, 1, &want));
    return reshape_to(c, want, oc_attr_int(c, "allowzero") != 0);
}

OC_CALL_FN(reshape_shape_1, reshape_to(c, oc_attr_ints(c, "shape"), false))

/* clang-format off */
#define SIG(attrs, in, set) "Reshape" attrs " (T data" in ") => (T reshaped) | T: " set
#define SIG14(set) SIG(" <int allowzero+ = 0>", ", int64 shape!", set)
#define SIG1       SIG(" <ints shape?, ints consumed_inputs?>", "", "ieee")
#define RESHAPE reshape_shape, oc_alias, OC_TRAITS(.moves = oc_moves_first)
const oc_op oc_ops_reshape[] = {
    {25, SIG14("all_ir13"),                   RESHAPE},
    {24, SIG14("all_ir12"),                   RESHAPE},
    {23, SIG14("all_ir11"),                   RESHAPE},
    {21, SIG14("all_ir10"),                   RESHAPE},
    {19, SIG14("all_ir9"),                    RESHAPE},
    {14, SIG14("all_ir4"),                    RESHAPE}, /* + allowzero */
    {13, SIG("", ", int64 shape!", "all_ir4"), RESHAPE},
    { 5, SIG("", ", int64 shape!", "all"),     RESHAPE}, /* shape is an input */
    { 1, SIG1,                                reshape_shape_1, oc_alias},
    {0}
};
