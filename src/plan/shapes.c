/* SPDX-License-Identifier: Apache-2.0
 * shapes.c - the shape rules run before any input is known. */
#include "plan/plan.h"

#include <string.h>

enum { FOLD_BYTES = 4096 }; /* values up to this size are computed when they are constant */

/* What is known of one slot: nothing, its shape, or its elements too (value.data). */
typedef struct known {
    bool shape;
    oc_value value;
} known;

static known from_type_info(const oc_type_info *t)
{
    known k = {.shape = t->kind == OC_TYPE_TENSOR && t->rank >= 0 && t->rank <= OC_MAX_RANK};
    if (!k.shape)
        return k;
    k.value = (oc_value){.type = t->type, .dims.rank = t->rank};
    for (int i = 0; i < t->rank; i++) {
        k.value.dims.n[i] = t->dims[i].n;
        k.shape &= t->dims[i].n >= 0;
    }
    return k;
}

/* Can the step's shape rule run? values tells whether all elements are known as well. */
static bool inputs_known(const oc_step *s, known *slots, bool *values)
{
    *values = true;
    for (int i = 0; i < s->n_in; i++) {
        s->in_value[i] = s->in[i] < 0 ? NULL : &slots[s->in[i]].value;
        if (s->in[i] < 0)
            continue;
        const known *k = &slots[s->in[i]];
        const oc_sig_port *port = &s->sig->in[i < s->sig->n_in ? i : s->sig->n_in - 1];
        if (!k->shape || (port->value && !k->value.data))
            return false;
        *values &= k->value.data != NULL;
    }
    return true;
}

/* Constants, and what is computed from constants alone by an operator that always gives the same.
 */
static bool may_fold(const oc_step *s)
{
    if (strcmp(s->sig->domain, "") != 0 || !s->row->shape)
        return false;
    if (s->n_in == 0)
        return strcmp(s->sig->name, "Constant") == 0;
    return strncmp(s->sig->name, "Random", 6) != 0;
}

static size_t output_bytes(const oc_step *s)
{
    size_t total = 0;
    for (int i = 0; i < s->n_out; i++)
        if (s->out_value[i])
            total += oc_value_bytes(s->out_value[i]);
    return total;
}

static oc_status infer_step(const oc_step *s, known *slots, oc_services *services)
{
    bool values;
    if (!s->row->shape || !inputs_known(s, slots, &values))
        return OC_OK;
    for (int i = 0; i < s->n_out; i++)
        s->out_value[i] = s->out[i] < 0 ? NULL : &slots[s->out[i]].value;
    oc_call c = {.row = s->row,
                 .sig = s->sig,
                 .node = s->label,
                 .attr = s->attr,
                 .in = s->in_value,
                 .out = s->out_value,
                 .n_in = s->n_in,
                 .n_out = s->n_out,
                 .step = s,
                 .services = services};
    OC_TRY(oc_call_plan(&c));
    if (values && may_fold(s) && output_bytes(s) <= FOLD_BYTES)
        OC_TRY(oc_call_run(&c));
    for (int i = 0; i < s->n_out; i++)
        if (s->out[i] >= 0)
            slots[s->out[i]].shape = true;
    return OC_OK;
}

/* Initializers are known, unless they are inputs whose value the host may replace. */
static void known_at_start(const oc_plan *plan, known *slots)
{
    for (int i = 0; i < plan->n_slot; i++)
        if (plan->keep[i])
            slots[i] = (known){true, plan->slot[i]};
    for (int i = 0; i < plan->n_input; i++)
        slots[plan->input[i]] = from_type_info(&plan->graph->input[i].type);
}

oc_status oc_plan_check_shapes(const oc_plan *plan, oc_services *s, oc_arena *arena)
{
    known *slots = oc_arena_array(arena, (size_t)plan->n_slot, sizeof *slots);
    OC_TRY(oc_arena_check(arena, s->error));
    known_at_start(plan, slots);
    oc_status status = OC_OK;
    for (int i = 0; i < plan->n_step && status == OC_OK; i++)
        status = infer_step(&plan->step[i], slots, s);
    for (int i = 0; i < plan->n_slot; i++)
        oc_value_unref(&slots[i].value);
    return status;
}
