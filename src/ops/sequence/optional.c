/* SPDX-License-Identifier: Apache-2.0
 * optional.c - Optional, OptionalHasElement, OptionalGetElement; the element is not copied. */
#include "ops/kit/op.h"

static oc_status optional_run(oc_call *c)
{
    const oc_value *x = oc_in_or_null(c, 0);
    const oc_value type = oc_attr_type(c, "type");
    char have[OC_VALUE_TEXT];
    oc_value y;
    if (!x && !type.type)
        return oc_fail(c, OC_MODEL,
                       "input 0 is missing, expected attribute 'type' to be that of a tensor or "
                       "sequence");
    if (x && type.type && (x->kind != type.kind || x->type != type.type))
        return oc_fail(c, OC_TYPE, "input 0 is %s, expected a %s of %s as attribute 'type' says",
                       oc_value_text(x, have), type.kind == OC_TENSOR ? "tensor" : "sequence",
                       oc_type_name(type.type));
    OC_TRY(oc_value_new_list(oc_call_pool(c), OC_OPTIONAL, x ? x->type : type.type, x ? 1 : 0, &y,
                             oc_call_error(c)));
    if (x)
        oc_value_items(&y)[0] = oc_value_ref(x);
    oc_give_out(c, 0, &y);
    return OC_OK;
}

static oc_status has_shape(oc_call *c)
{
    return oc_set_out(c, 0, OC_BOOL, &(oc_dims){.rank = 0});
}

static oc_status has_run(oc_call *c)
{
    const oc_value *x = oc_in_or_null(c, 0);
    *(uint8_t *)oc_out(c, 0)->data = x && (x->kind != OC_OPTIONAL || oc_value_n(x) > 0);
    return OC_OK;
}

static oc_status get_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    if (x->kind == OC_OPTIONAL && oc_value_n(x) == 0)
        return oc_fail(c, OC_VALUE, "input 0 is an empty optional, expected one with an element");
    oc_value y = oc_value_ref(x->kind == OC_OPTIONAL ? oc_value_items(x) : x);
    oc_give_out(c, 0, &y);
    return OC_OK;
}

/* clang-format off */
#define O15 "opt(all) opt(seq(all))"
#define O18 O15 " all seq(all)"
#define HAS(opt, set) "OptionalHasElement (O input" opt ") => (bool output) | O: " set
#define GET(set) "OptionalGetElement (O input) => (V output) | V: all seq(all); O: " set
const oc_op oc_ops_optional[] = {
    {15, "Optional <type_proto type?> (V input?) => (O output) | V: all seq(all); O: " O15, NULL, optional_run,
     OC_TRAITS(.outline = oc_outline_first)},
    {18, HAS("?", O18), has_shape, has_run},
    {15, HAS("",  O15), has_shape, has_run},
    {18, GET(O18),      NULL, get_run, OC_TRAITS(.outline = oc_outline_first)},
    {15, GET(O15),      NULL, get_run, OC_TRAITS(.outline = oc_outline_first)},
    {0}
};
