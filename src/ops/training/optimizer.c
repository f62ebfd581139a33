/* SPDX-License-Identifier: Apache-2.0
 * optimizer.c - the tensors of an optimizer: their shapes, and the walk over their elements. */
#include "ops/training/optimizer.h"

enum { RATE, COUNT, FIRST }; /* inputs */

/* Inputs for each X: X itself, G, the states. */
static oc_status count_tensors(oc_call *c, int states, int *n)
{
    const int all = oc_n_in(c) - FIRST, each = 2 + states;
    *n = all / each;
    if (all % each)
        return oc_fail(c, OC_MODEL, "there are %d inputs after R and T, expected a multiple of %d",
                       all, each);
    if (oc_n_out(c) > *n * (1 + states))
        return oc_fail(c, OC_MODEL, "there are %d outputs, expected at most %d", oc_n_out(c),
                       *n * (1 + states));
    return OC_OK;
}

oc_status oc_optimizer_shape(oc_call *c, int states)
{
    int n;
    OC_TRY(count_tensors(c, states, &n));
    OC_TRY(oc_expect_one(c, RATE));
    OC_TRY(oc_expect_one(c, COUNT));
    for (int i = 0; i < n * (2 + states); i++) {
        const oc_value *x = oc_in(c, FIRST + i % n), *other = oc_in(c, FIRST + i);
        if (other->type != x->type)
            return oc_fail(c, OC_TYPE, "input %d is %s, expected %s as input %d", FIRST + i,
                           oc_type_name(other->type), oc_type_name(x->type), FIRST + i % n);
        OC_TRY(oc_expect_dims(c, FIRST + i, &x->dims, ", the dims of the tensor that it updates"));
    }
    for (int i = 0; i < oc_n_out(c); i++)
        OC_TRY(oc_set_out(c, i, oc_in(c, FIRST + i % n)->type, &oc_in(c, FIRST + i % n)->dims));
    return OC_OK;
}

oc_status oc_optimizer_inputs(oc_call *c, oc_optimizer *o, int64_t *count)
{
    o->rate = oc_element_f64(oc_in(c, RATE)->type, oc_in(c, RATE)->data, 0);
    return oc_in_int(c, COUNT, count);
}

typedef struct job {
    const oc_optimizer *o;
    oc_update_fn *fn;
    int states;
    size_t elem;
    char *y[1 + OC_OPTIMIZER_STATES];
    const char *x[2 + OC_OPTIMIZER_STATES];
} job;

static void update_elements(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const job *t = arg;
    const size_t at = (size_t)first * t->elem;
    void *y[1 + OC_OPTIMIZER_STATES];
    const void *x[2 + OC_OPTIMIZER_STATES];
    for (int i = 0; i < 1 + t->states; i++)
        y[i] = t->y[i] + at;
    for (int i = 0; i < 2 + t->states; i++)
        x[i] = t->x[i] + at;
    t->fn(y, x, end - first, t->o);
}

/* Updates tensor i of n. */
static oc_status update_tensor(oc_call *c, job *t, int i, int n)
{
    const oc_value *x = oc_in(c, FIRST + i);
    t->elem = oc_type_size(x->type);
    const int64_t n_elements = oc_value_n(x);
    for (int k = 0; k < 2 + t->states; k++)
        t->x[k] = oc_in(c, FIRST + i + k * n)->data;
    for (int k = 0; k < 1 + t->states; k++) {
        void *memory;
        OC_TRY(oc_out_as(c, i + k * n, x->type, n_elements, &memory));
        t->y[k] = memory;
    }
    return oc_call_units(c, (double)n_elements * OC_ELEMENT, n_elements, update_elements, t);
}

oc_status oc_optimizer_run(oc_call *c, int states, oc_update_fn *f32, oc_update_fn *f64,
                           const oc_optimizer *o)
{
    int n;
    OC_TRY(count_tensors(c, states, &n));
    for (int i = 0; i < n; i++) {
        job t = {.o = o, .fn = oc_in(c, FIRST + i)->type == OC_F64 ? f64 : f32, .states = states};
        OC_TRY(update_tensor(c, &t, i, n));
    }
    return OC_OK;
}
