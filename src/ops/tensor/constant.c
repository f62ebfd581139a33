/* SPDX-License-Identifier: Apache-2.0
 * constant.c - Constant: its elements are the model's own, borrowed without a copy. */
#include "ops/kit/op.h"
#include "tensor/sparse.h"

/* Finds the one attribute that has the value. */
static oc_status find_given(oc_call *c, const oc_attr **given)
{
    static const char *const names[] = {"value",        "sparse_value", "value_int",
                                        "value_ints",   "value_float",  "value_floats",
                                        "value_string", "value_strings"};
    *given = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const oc_attr *a = oc_attr_get(c, names[i]);
        if (a && *given)
            return oc_fail(c, OC_MODEL, "attributes '%s' and '%s' are given, expected one",
                           (*given)->name, names[i]);
        if (a)
            *given = a;
    }
    if (!*given)
        return oc_fail(c, OC_MODEL, "no attribute holds the value, expected one");
    return OC_OK;
}

/* Returns the value of the attribute; a sparse one has no data yet. */
static oc_value given_value(const oc_attr *a)
{
    const oc_dims scalar = {.rank = 0};
    switch (a->kind) {
    case OC_ATTR_INT:
        return oc_value_borrow(OC_I64, scalar, a->u.i);
    case OC_ATTR_INTS:
        return oc_value_borrow(OC_I64, oc_dims_1d(a->n), a->u.i);
    case OC_ATTR_FLOAT:
        return oc_value_borrow(OC_F32, scalar, a->u.f);
    case OC_ATTR_FLOATS:
        return oc_value_borrow(OC_F32, oc_dims_1d(a->n), a->u.f);
    case OC_ATTR_STRING:
        return oc_value_borrow(OC_STRING, scalar, a->u.s);
    case OC_ATTR_STRINGS:
        return oc_value_borrow(OC_STRING, oc_dims_1d(a->n), a->u.s);
    case OC_ATTR_SPARSE_TENSOR:
        return oc_value_borrow(a->u.sparse->values.value.type, a->u.sparse->dims, NULL);
    default:
        return oc_value_borrow(a->u.t->value.type, a->u.t->value.dims, a->u.t->value.data);
    }
}

static oc_status constant_shape(oc_call *c)
{
    const oc_attr *a;
    OC_TRY(find_given(c, &a));
    const oc_value v = given_value(a);
    OC_TRY(oc_set_out(c, 0, v.type, &v.dims));
    oc_out(c, 0)->data = v.data;
    return OC_OK;
}

static oc_status constant_run(oc_call *c)
{
    const oc_attr *a;
    OC_TRY(find_given(c, &a));
    if (a->kind != OC_ATTR_SPARSE_TENSOR)
        return OC_OK;
    const oc_value *y = oc_out(c, 0);
    oc_call_zero(c, y->data, oc_value_bytes(y));
    OC_CALL_LOOP (c, k, a->u.sparse->values.value.dims.n[0], 64)
        oc_sparse_put(a->u.sparse, k, y->data, oc_value_n(y));
    return OC_OK;
}

/* clang-format off */
#define VALUES ", int value_int+:T?, ints value_ints+:T?, float value_float+:T?" \
               ", floats value_floats+:T?, string value_string+:T?, strings value_strings+:T?"
#define SPARSE ", sparse_tensor sparse_value+:T?"
#define SIG(attrs, set) "Constant <tensor value:T" attrs "> () => (T output) | T: " set
const oc_op oc_ops_constant[] = {
    {25, SIG("?" SPARSE VALUES, "all_ir13"), constant_shape, constant_run},
    {24, SIG("?" SPARSE VALUES, "all_ir12"), constant_shape, constant_run},
    {23, SIG("?" SPARSE VALUES, "all_ir11"), constant_shape, constant_run},
    {21, SIG("?" SPARSE VALUES, "all_ir10"), constant_shape, constant_run},
    {19, SIG("?" SPARSE VALUES, "all_ir9"),  constant_shape, constant_run},
    {13, SIG("?" SPARSE VALUES, "all_ir4"),  constant_shape, constant_run},
    {12, SIG("?" SPARSE VALUES, "all"),      constant_shape, constant_run},
    {11, SIG("?" SPARSE,        "all"),      constant_shape, constant_run},
    { 9, SIG("",                "all"),      constant_shape, constant_run},
    /* The standard lists three float types, but exporters of that version wrote every type. */
    { 1, SIG("",                "all"),      constant_shape, constant_run},
    {0}
};
