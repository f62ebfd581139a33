/* SPDX-License-Identifier: Apache-2.0
 * sequence_map.c - SequenceMap: a graph run once for each item of a sequence. */
#include "ops/kit/op.h"

typedef struct map {
    int n_in, n_out;
    int64_t n;          /* items */
    oc_value *in;       /* inputs of the body, borrowed */
    oc_value *out;      /* outputs of the body */
    oc_value *sequence; /* the sequences that are made, one for each output of the body */
} map;

static oc_status check_ports(oc_call *c, map *m)
{
    const int n_in = oc_graph_n_in(c, "body"), n_out = oc_graph_n_out(c, "body");
    if (n_in != oc_n_in(c) || n_out < oc_n_out(c))
        return oc_fail(c, OC_MODEL,
                       "the body has %d inputs and %d outputs, which does not fit a node with %d "
                       "inputs and %d outputs",
                       n_in, n_out, oc_n_in(c), oc_n_out(c));
    m->n_in = n_in;
    m->n_out = n_out;
    m->n = oc_value_n(oc_in(c, 0));
    for (int i = 0; i < n_in; i++) {
        const oc_value *x = oc_in_or_null(c, i);
        if (!x)
            return oc_fail(c, OC_MODEL, "input %d is missing, expected a sequence or tensor", i);
        if (x->kind == OC_SEQUENCE && oc_value_n(x) != m->n)
            return oc_fail(c, OC_SHAPE,
                           "input %d has %" PRId64 " items, expected %" PRId64 " as input 0", i,
                           oc_value_n(x), m->n);
    }
    return OC_OK;
}

static oc_status prepare(oc_call *c, map *m)
{
    OC_TRY(check_ports(c, m));
    const size_t n = (size_t)m->n_in + 2 * (size_t)m->n_out;
    oc_value *values;
    OC_TRY(OC_SCRATCH(c, values, n));
    memset(values, 0, n * sizeof *values);
    m->in = values;
    m->out = values + m->n_in;
    for (int k = 0; k < m->n_out; k++)
        OC_TRY(oc_value_new_list(oc_call_pool(c), OC_SEQUENCE, oc_graph_out(c, "body", k).type,
                                 m->n, &m->out[m->n_out + k], oc_call_error(c)));
    m->sequence = m->out + m->n_out;
    return OC_OK;
}

/* Moves the outputs of the body to place i of the sequences. */
static oc_status keep_item(oc_call *c, map *m, int64_t i)
{
    for (int k = 0; k < m->n_out; k++) {
        oc_value *y = &m->sequence[k], *item = &m->out[k];
        char have[OC_VALUE_TEXT];
        if (i == 0)
            y->type = item->type;
        if (item->kind != OC_TENSOR || item->type != y->type)
            return oc_fail(c, OC_TYPE, "output %d of the body is %s, expected a tensor of %s", k,
                           oc_value_text(item, have), oc_type_name(y->type));
        oc_value_items(y)[i] = *item;
        *item = (oc_value){0};
    }
    return OC_OK;
}

static oc_status iterate(oc_call *c, map *m)
{
    for (int64_t i = 0; i < m->n; i++) {
        for (int k = 0; k < m->n_in; k++) {
            const oc_value *x = oc_in_or_null(c, k);
            m->in[k] = x->kind == OC_SEQUENCE ? oc_value_items(x)[i] : *x;
        }
        OC_TRY(oc_run_graph(c, "body", m->in, m->n_in, m->out, m->n_out));
        OC_TRY(keep_item(c, m, i));
    }
    return OC_OK;
}

static oc_status map_run(oc_call *c)
{
    map m = {0};
    oc_status status = prepare(c, &m);
    if (status == OC_OK)
        status = iterate(c, &m);
    for (int k = 0; status == OC_OK && k < m.n_out; k++)
        oc_give_out(c, k, &m.sequence[k]);
    for (int k = 0; m.out && k < 2 * m.n_out; k++)
        oc_value_unref(&m.out[k]);
    return status;
}

/* clang-format off */
const oc_op oc_ops_sequence_map[] = {
    {17, "SequenceMap <graph body gives 0> (S input_sequence, V additional_inputs~?...)"
         " => (S out_sequence~...) | S: seq(all); V: all seq(all)", NULL, map_run},
    {0}
};
