/* SPDX-License-Identifier: Apache-2.0
 * recurrent.c - the shapes of LSTM, GRU and RNN, and their operands. */
#include "ops/recurrent/recurrent.h"

/* ---- geometry */

static oc_status too_large(oc_call *c)
{
    return oc_fail(c, OC_LIMIT, "the states are too large");
}

/* Reads the sizes that the weights tell. */
static oc_status read_weights(oc_call *c, const oc_cell *cell, oc_recurrent *r)
{
    static const char *const names[] = {"forward", "reverse", "bidirectional", NULL};
    const oc_dims *w = &oc_in(c, OC_RECURRENT_W)->dims,
                  *recurrent = &oc_in(c, OC_RECURRENT_R)->dims;
    const oc_type type = oc_in(c, OC_RECURRENT_W)->type;
    int direction;
    OC_TRY(oc_attr_enum(c, "direction", names, &direction));
    OC_TRY(oc_expect_rank(c, OC_RECURRENT_W, 3, 3));
    OC_TRY(oc_expect_rank(c, OC_RECURRENT_R, 3, 3));
    *r = (oc_recurrent){.cell = cell,
                        .input = w->n[2],
                        .hidden = recurrent->n[2],
                        .directions = direction == 2 ? 2 : 1,
                        .reverse = direction == 1,
                        .real = oc_type_real(type)};
    if (oc_attr_has(c, "hidden_size"))
        r->hidden = oc_attr_int(c, "hidden_size");
    if (r->hidden < 1)
        return oc_fail(c, OC_VALUE, "the hidden size is %" PRId64 ", expected 1 or more",
                       r->hidden);
    if (r->hidden > INT64_MAX / 64)
        return too_large(c);
    const int64_t rows = cell->gates * r->hidden;
    OC_TRY(oc_expect_dims(c, OC_RECURRENT_W, &(oc_dims){3, {r->directions, rows, -1}}, NULL));
    return oc_expect_dims(c, OC_RECURRENT_R, &(oc_dims){3, {r->directions, rows, r->hidden}}, NULL);
}

/* Returns dims [directions, batch, hidden], or with the batch first. */
static oc_dims state_dims(const oc_recurrent *r)
{
    return r->by_batch ? (oc_dims){3, {r->batch, r->directions, r->hidden}}
                       : (oc_dims){3, {r->directions, r->batch, r->hidden}};
}

static oc_status expect_others(oc_call *c, const oc_recurrent *r)
{
    const oc_dims state = state_dims(r);
    const int64_t biases = 2 * r->cell->gates * r->hidden;
    OC_TRY(oc_expect_dims(c, OC_RECURRENT_B, &(oc_dims){2, {r->directions, biases}}, NULL));
    OC_TRY(
        oc_expect_dims(c, OC_RECURRENT_LENS, &(oc_dims){1, {r->batch}}, ", one for each sequence"));
    OC_TRY(oc_expect_dims(c, OC_RECURRENT_INITIAL_H, &state, NULL));
    if (!r->cell->has_c)
        return OC_OK;
    OC_TRY(oc_expect_dims(c, OC_RECURRENT_INITIAL_C, &state, NULL));
    return oc_expect_dims(c, OC_RECURRENT_P, &(oc_dims){2, {r->directions, 3 * r->hidden}}, NULL);
}

static oc_status read_geometry(oc_call *c, const oc_cell *cell, oc_recurrent *r)
{
    const oc_dims *x = &oc_in(c, OC_RECURRENT_X)->dims;
    int64_t all;
    OC_TRY(read_weights(c, cell, r));
    OC_TRY(oc_expect_rank(c, OC_RECURRENT_X, 3, 3));
    r->by_batch = oc_call_since(c) >= 14 && oc_attr_int(c, "layout") != 0;
    r->steps = x->n[r->by_batch ? 1 : 0];
    r->batch = x->n[r->by_batch ? 0 : 1];
    OC_TRY(oc_expect_dims(c, OC_RECURRENT_X, &(oc_dims){3, {-1, -1, r->input}}, " as input 1"));
    if (r->input < 1)
        return oc_fail_dims(c, OC_RECURRENT_X, "expected an input size of 1 or more");
    if (!oc_i64_mul(r->batch, 2 * cell->gates * r->hidden, &all))
        return too_large(c);
    return expect_others(c, r);
}

oc_status oc_recurrent_shape(oc_call *c, const oc_cell *cell)
{
    const oc_type type = oc_in(c, OC_RECURRENT_X)->type;
    oc_recurrent r;
    OC_TRY(read_geometry(c, cell, &r));
    OC_TRY(oc_recurrent_functions(c, &r));
    const oc_dims y = r.by_batch ? (oc_dims){4, {r.batch, r.steps, r.directions, r.hidden}}
                                 : (oc_dims){4, {r.steps, r.directions, r.batch, r.hidden}};
    const oc_dims state = state_dims(&r);
    OC_TRY(oc_set_out(c, OC_RECURRENT_Y, type, &y));
    OC_TRY(oc_set_out(c, OC_RECURRENT_Y_H, type, &state));
    return cell->has_c ? oc_set_out(c, OC_RECURRENT_Y_C, type, &state) : OC_OK;
}

oc_status oc_recurrent_prepare(oc_call *c, const oc_cell *cell)
{
    oc_recurrent r;
    const oc_recurrent_weights *weights;
    OC_TRY(read_weights(c, cell, &r));
    return oc_recurrent_make_weights(c, &r, true, &weights);
}

/* ---- all directions */

static oc_status read_lens(oc_call *c, const oc_recurrent *r, const int64_t **lens)
{
    oc_ints list = {NULL, 0};
    *lens = NULL;
    if (!oc_in_or_null(c, OC_RECURRENT_LENS))
        return OC_OK;
    OC_TRY(oc_in_ints(c, OC_RECURRENT_LENS, &list));
    *lens = list.v;
    for (int i = 0; i < list.n; i++)
        if (list.v[i] < 0 || list.v[i] > r->steps)
            return oc_fail(c, OC_VALUE,
                           "input %d 'sequence_lens' has %" PRId64 ", expected 0 to %" PRId64,
                           OC_RECURRENT_LENS, list.v[i], r->steps);
    return OC_OK;
}

/* Reads the inputs in type real; a missing one is NULL. */
static oc_status read_operands(oc_call *c, const oc_recurrent *r, oc_recurrent_operands *o)
{
    *o = (oc_recurrent_operands){.weights = oc_call_prepared(c)};
    if (!o->weights)
        OC_TRY(oc_recurrent_make_weights(c, r, false, &o->weights));
    OC_TRY(read_lens(c, r, &o->lens));
    OC_TRY(oc_in_as(c, OC_RECURRENT_X, r->real, &o->x));
    OC_TRY(oc_in_as(c, OC_RECURRENT_B, r->real, &o->biases));
    OC_TRY(oc_in_as(c, OC_RECURRENT_INITIAL_H, r->real, &o->h));
    if (!r->cell->has_c)
        return OC_OK;
    OC_TRY(oc_in_as(c, OC_RECURRENT_INITIAL_C, r->real, &o->c));
    return oc_in_as(c, OC_RECURRENT_P, r->real, &o->peepholes);
}

oc_status oc_recurrent_run(oc_call *c, const oc_cell *cell)
{
    oc_recurrent r;
    oc_recurrent_operands o;
    OC_TRY(read_geometry(c, cell, &r));
    OC_TRY(oc_recurrent_functions(c, &r));
    oc_recurrent_remark(c);
    r.late_bias = cell->joint < cell->gates && oc_call_since(c) >= 3 &&
                  oc_attr_int(c, "linear_before_reset") != 0;
    r.coupled = cell->has_c && oc_attr_int(c, "input_forget") != 0;
    OC_TRY(read_operands(c, &r, &o));
    for (int d = 0; d < r.directions; d++)
        OC_TRY(oc_recurrent_walk(c, &r, &o, d));
    return OC_OK;
}
