/* SPDX-License-Identifier: Apache-2.0
 * sequence.c - makes, reads and changes sequences. Items are shared, never copied. */
#include "ops/kit/op.h"

static oc_status new_sequence(oc_call *c, oc_type type, int64_t n, oc_value *v)
{
    return oc_value_new_list(oc_call_pool(c), OC_SEQUENCE, type, n, v, oc_call_error(c));
}

/* Writes references to n items to `to` and the places after it. */
static void share(oc_call *c, oc_value *to, const oc_value *from, int64_t n)
{
    OC_CALL_LOOP (c, i, n, 64)
        to[i] = oc_value_ref(&from[i]);
}

/* Reads input i as a position in [-n, last], made >= 0; n is the length of input 0. A missing input
 * is the last position. */
static oc_status read_position(oc_call *c, int i, int64_t last, int64_t *at)
{
    const int64_t n = oc_value_n(oc_in(c, 0));
    if (last < 0)
        return oc_fail(c, OC_VALUE, "input 0 is an empty sequence, expected an item to be there");
    *at = last;
    if (!oc_in_or_null(c, i))
        return OC_OK;
    OC_TRY(oc_in_int(c, i, at));
    if (*at < -n || *at > last)
        return oc_fail(c, OC_VALUE,
                       "input %d is %" PRId64 ", expected a position in [%" PRId64 ", %" PRId64 "]",
                       i, *at, -n, last);
    *at += *at < 0 ? n : 0;
    return OC_OK;
}

static oc_status construct_run(oc_call *c)
{
    oc_value y;
    OC_TRY(new_sequence(c, oc_in(c, 0)->type, oc_n_in(c), &y));
    for (int i = 0; i < oc_n_in(c); i++)
        oc_value_items(&y)[i] = oc_value_ref(oc_in(c, i));
    oc_give_out(c, 0, &y);
    return OC_OK;
}

static oc_status empty_run(oc_call *c)
{
    const int64_t type = oc_attr_has(c, "dtype") ? oc_attr_int(c, "dtype") : OC_F32;
    oc_value y;
    if (!oc_type_is_listed(type))
        return oc_fail(c, OC_VALUE,
                       "attribute 'dtype' is %" PRId64 ", which is not an element type", type);
    OC_TRY(new_sequence(c, (oc_type)type, 0, &y));
    oc_give_out(c, 0, &y);
    return OC_OK;
}

static oc_status at_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    int64_t at;
    OC_TRY(read_position(c, 1, oc_value_n(x) - 1, &at));
    oc_value y = oc_value_ref(&oc_value_items(x)[at]);
    oc_give_out(c, 0, &y);
    return OC_OK;
}

static oc_status insert_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *item = oc_in(c, 1);
    const int64_t n = oc_value_n(x);
    int64_t at;
    oc_value y;
    if (x->type != item->type && x->type)
        return oc_fail(c, OC_TYPE, "input 1 is %s, expected %s as the items of input 0",
                       oc_type_name(item->type), oc_type_name(x->type));
    OC_TRY(read_position(c, 2, n, &at));
    OC_TRY(new_sequence(c, item->type, n + 1, &y));
    oc_value *items = oc_value_items(&y);
    share(c, items, oc_value_items(x), at);
    items[at] = oc_value_ref(item);
    share(c, items + at + 1, oc_value_items(x) + at, n - at);
    oc_give_out(c, 0, &y);
    return OC_OK;
}

OC_CALL_FN(insert_outline, oc_outline_shared(c, 2))
OC_CALL_FN(construct_outline, oc_outline_shared(c, oc_n_in(c)))

static oc_status erase_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    const int64_t n = oc_value_n(x);
    int64_t at;
    oc_value y;
    OC_TRY(read_position(c, 1, n - 1, &at));
    OC_TRY(new_sequence(c, x->type, n - 1, &y));
    share(c, oc_value_items(&y), oc_value_items(x), at);
    share(c, oc_value_items(&y) + at, oc_value_items(x) + at + 1, n - at - 1);
    oc_give_out(c, 0, &y);
    return OC_OK;
}

static oc_status length_shape(oc_call *c)
{
    return oc_set_out(c, 0, OC_I64, &(oc_dims){.rank = 0});
}

static oc_status length_run(oc_call *c)
{
    *(int64_t *)oc_out(c, 0)->data = oc_value_n(oc_in(c, 0));
    return OC_OK;
}

/* clang-format off */
#define TS " | T: all; S: seq(all)"
const oc_op oc_ops_sequence[] = {
    {11, "SequenceConstruct (T inputs...) => (S output_sequence)" TS, NULL, construct_run, OC_TRAITS(.outline = construct_outline)},
    {11, "SequenceEmpty <int dtype@S?> () => (S output) | S: seq(all) = float", NULL, empty_run},
    {11, "SequenceAt (S input_sequence, I position) => (T tensor)" TS "; I: index", NULL, at_run, OC_TRAITS(.outline = oc_outline_first)},
    {11, "SequenceInsert (S input_sequence, T tensor, I position?) => (S output_sequence)" TS "; I: index", NULL, insert_run, OC_TRAITS(.outline = insert_outline)},
    {11, "SequenceErase (S input_sequence, I position?) => (S output_sequence) | S: seq(all); I: index", NULL, erase_run, OC_TRAITS(.outline = oc_outline_first)},
    {11, "SequenceLength (S input_sequence) => (int64 length) | S: seq(all)", length_shape, length_run},
    {0}
};
