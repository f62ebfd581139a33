/* SPDX-License-Identifier: Apache-2.0
 * quantise_steps.c - puts steps in the place of others, and drops those that nobody reads. */
#include "plan/quantise/quantise.h"

/* ---- names and constants ---- */

oc_name oc_quantise_name(oc_quantiser *t, const char *text, const char *what)
{
    const char *name = oc_arena_printf(&t->scratch, "%s:%s", text, what);
    return name ? oc_names_intern(&t->names, name, strlen(name)) : NULL;
}

oc_status oc_quantise_constant(oc_quantiser *t, const char *text, const char *what,
                               const oc_value *v, oc_name *name)
{
    int place;
    *name = oc_quantise_name(t, text, what);
    OC_TRY(oc_arena_check(&t->scratch, t->p->e));
    OC_TRY(oc_arena_check(&t->p->plan->arena, t->p->e));
    OC_TRY(oc_plan_add_constant(t->p, v, &place));
    oc_name_map_put(&t->g->place_of, *name, place);
    oc_type_put(&t->g->types, *name, (oc_known_type){OC_TENSOR, v->type});
    return oc_arena_check(&t->p->plan->arena, t->p->e);
}

oc_status oc_quantise_slot(oc_quantiser *t, oc_name name, oc_type type, int *place)
{
    *place = oc_edit_add_slot(t->p, t->g, name);
    OC_TRY(oc_arena_check(t->p->services.strings, t->p->e));
    OC_TRY(oc_arena_check(&t->p->plan->arena, t->p->e));
    oc_type_put(&t->g->types, name, (oc_known_type){OC_TENSOR, type});
    return oc_arena_check(&t->p->plan->arena, t->p->e);
}

oc_status oc_quantise_no_zero(oc_quantiser *t, const oc_scaled *codes, oc_name *name)
{
    static const int32_t zero;
    const oc_value v = oc_value_borrow(codes->type, (oc_dims){0, {0}}, &zero);
    return oc_quantise_constant(t, codes->step->node->out[0], "zero", &v, name);
}

/* ---- steps ---- */

/* Copies the attributes that the version has too. */
static oc_status share_attributes(oc_quantiser *t, const oc_sig *sig, const oc_node *from,
                                  oc_node *node)
{
    oc_attr *attr = oc_arena_array(&t->p->plan->arena, (size_t)from->n_attr, sizeof *attr);
    OC_TRY(oc_arena_check(&t->p->plan->arena, t->p->e));
    for (int i = 0; i < from->n_attr; i++)
        for (int k = 0; k < sig->n_attr; k++)
            if (strcmp(sig->attr[k].name, from->attr[i].name) == 0)
                attr[node->n_attr++] = from->attr[i];
    node->attr = attr;
    return OC_OK;
}

/* Sets what the node needs besides its inputs. */
static oc_status fill_node(oc_quantiser *t, const oc_step *s, const oc_step *from,
                           const oc_op *version, oc_node *node)
{
    const oc_sig *sig;
    oc_name *in = oc_arena_array(&t->p->plan->arena, (size_t)node->n_in, sizeof *in);
    OC_TRY(oc_arena_check(&t->p->plan->arena, t->p->e));
    OC_TRY(oc_sig_cached(&t->p->sigs, version->signature, &sig, t->p->e));
    memcpy(in, node->in, (size_t)node->n_in * sizeof *in);
    node->in = in;
    node->name = from->node->name;
    node->op_type = sig->name;
    node->domain = sig->domain;
    node->overload = node->doc = "";
    node->out = s->node->out;
    node->n_out = s->node->n_out;
    return share_attributes(t, sig, from->node, node);
}

oc_status oc_quantise_insert(oc_quantiser *t, oc_step *next, const oc_op *version,
                             const oc_node *node, oc_type type, const char *text, oc_name *name)
{
    oc_arena *arena = &t->p->plan->arena;
    oc_step *s = oc_arena_alloc(arena, sizeof *s);
    oc_node *own = oc_arena_alloc(arena, sizeof *own);
    oc_name *out = oc_arena_array(arena, 1, sizeof *out);
    int *place = oc_arena_array(arena, 1, sizeof *place);
    *name = oc_quantise_name(t, text, "codes");
    OC_TRY(oc_arena_check(arena, t->p->e));
    OC_TRY(oc_arena_check(&t->scratch, t->p->e));
    *own = *node;
    OC_TRY(fill_node(t, next, next, version, own));
    *out = *name;
    own->out = out;
    own->n_out = 1;
    *s = (oc_step){.node = own, .op = {.version = version, .n_in = own->n_in, .n_out = 1}};
    OC_TRY(oc_plan_make_step(t->p, t->g, s));
    OC_TRY(oc_quantise_slot(t, *name, type, place));
    s->out = place;
    oc_edit_insert(t->g, s, next);
    t->n_inserted++;
    return OC_OK;
}

static oc_status set_limits(oc_quantiser *t, oc_step *s, const int limits[2])
{
    int *own = oc_arena_array(&t->p->plan->arena, 2, sizeof *own);
    OC_TRY(oc_arena_check(&t->p->plan->arena, t->p->e));
    memcpy(own, limits, 2 * sizeof *own);
    s->op.code_limits = own;
    return OC_OK;
}

oc_status oc_quantise_replace(oc_quantiser *t, oc_step *s, const oc_step *from,
                              const oc_op *version, const oc_node *node, const int limits[2])
{
    oc_node *own = oc_arena_alloc(&t->p->plan->arena, sizeof *own);
    OC_TRY(oc_arena_check(&t->p->plan->arena, t->p->e));
    *own = *node;
    OC_TRY(fill_node(t, s, from, version, own));
    oc_step fresh = {.node = own,
                     .op = {.version = version, .n_in = own->n_in, .n_out = own->n_out}};
    OC_TRY(oc_plan_make_step(t->p, t->g, &fresh));
    if (limits)
        OC_TRY(set_limits(t, &fresh, limits));
    oc_edit_replace(t->g, s, &fresh);
    return OC_OK;
}

/* ---- what is read no more ---- */

static int n_readers(const oc_quantiser *t, int place)
{
    return oc_place_is_slot(place) ? t->g->slot[place].n_readers : 0;
}

/* Has the step lost all its readers? A step that nobody ever read stays, for its errors. */
static bool is_dropped(const oc_quantiser *t, const oc_step *s, const int *before)
{
    bool was_read = false;
    if (!s->op.version || s->op.hosts)
        return false;
    for (int a = 0; a < s->op.sig->n_attr; a++)
        if (s->graph[a])
            return false;
    for (int i = 0; i < s->op.n_out; i++) {
        if (n_readers(t, s->out[i]))
            return false;
        was_read |= oc_place_is_slot(s->out[i]) && before[s->out[i]] > 0;
    }
    return was_read;
}

void oc_quantise_drop(oc_quantiser *t, const int *before)
{
    for (oc_step *s = t->g->end, *next; s; s = next) {
        next = s->before;
        if (!is_dropped(t, s, before))
            continue;
        oc_edit_remove(t->g, s);
        t->p->plan->n_fused++;
    }
}
