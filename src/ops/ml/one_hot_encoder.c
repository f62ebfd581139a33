/* SPDX-License-Identifier: Apache-2.0
 * one_hot_encoder.c - OneHotEncoder: each element becomes a row with 1 at its category. Numbers are
 * truncated to int64 before they are looked up. */
#include "ops/kit/strings.h"
#include "ops/ml/ml.h"

static oc_status one_hot_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    oc_labels cats;
    oc_dims y = x->dims;
    OC_TRY(oc_ml_labels(c, "cats_int64s", "cats_strings", &cats));
    if ((x->type == OC_STRING) != (cats.number == NULL))
        return oc_fail(c, OC_TYPE, "input 0 is of %s, expected %s as the categories",
                       oc_type_name(x->type), cats.number ? "numbers" : "string");
    if (y.rank == OC_MAX_RANK)
        return oc_fail(c, OC_LIMIT, "the output has rank %d, the most is %d", y.rank + 1,
                       OC_MAX_RANK);
    y.n[y.rank++] = cats.n;
    return oc_set_out(c, 0, OC_F32, &y);
}

/* The category of an element, which is text[i] or number[i]; -1: none. */
static int find(const oc_work *w, const oc_labels *cats, const oc_string *text,
                const int64_t *number, int64_t i)
{
    for (int k = 0; k < cats->n; k++)
        if (text ? oc_same_string(w, text[i], cats->string[k]) : number[i] == cats->number[k])
            return k;
    return -1;
}

static oc_status one_hot_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    oc_labels cats;
    const void *elements;
    OC_TRY(oc_ml_labels(c, "cats_int64s", "cats_strings", &cats));
    OC_TRY(oc_in_as(c, 0, cats.number ? OC_I64 : OC_STRING, &elements));
    oc_call_zero(c, y->data, oc_value_bytes(y));
    const oc_work w = oc_call_work(c, 0);
    OC_CALL_LOOP (c, i, oc_value_n(x), 4) {
        const int k = find(&w, &cats, cats.number ? NULL : elements, elements, i);
        if (k >= 0)
            ((float *)y->data)[i * cats.n + k] = 1;
        else if (!oc_attr_int(c, "zeros"))
            return oc_fail(c, OC_VALUE, "element %lld of input 0 is in no category", (long long)i);
    }
    return OC_OK;
}

/* clang-format off */
const oc_op oc_ops_one_hot_encoder[] = {
    {1, "ai.onnx.ml::OneHotEncoder <ints cats_int64s?, strings cats_strings?, int zeros = 1> "
        "(T X) => (float Y) | T: string int64 int32 float double", one_hot_shape, one_hot_run},
    {0}
};
