/* SPDX-License-Identifier: Apache-2.0
 * prepare.c - lets operators prepare data from constant inputs once, when the plan is made.
 *
 * Steps that have constants, dims and attributes in common share what one of them has made: a
 * network that applies layers again and again packs their weights once. */
#include "graph/build.h"
#include "ops/kit/call_run.h"
#include "plan/edit.h"
#include "plan/passes.h"

static bool marks_none(const oc_sig *sig)
{
    for (int i = 0; i < sig->n_in; i++)
        if (sig->in[i].prepared)
            return false;
    return true;
}

/* Does the step have inputs that the signature marks for prepare, all of them known or missing?
 * Operators of the host prepare also where their signature marks none. */
static bool is_ready(const oc_step *s, const oc_value *const *in)
{
    bool marked = s->op.hosts && marks_none(s->op.sig);
    for (int i = 0; i < s->op.n_in; i++) {
        const oc_sig_port *port = oc_sig_port_at(s->op.sig->in, s->op.sig->n_in, i);
        if (port->prepared && in[i] && !in[i]->data)
            return false;
        marked |= port->prepared && in[i];
    }
    return marked;
}

/* ---- steps that prepare the same ---- */

enum { SEARCHED = 64 }; /* the last steps of a list that are compared */

/* A step that has prepared, and the inputs that it had then. */
typedef struct oc_prepared {
    struct oc_prepared *next;
    const oc_step *step;
    const oc_value *in; /* an input that is all 0 is missing */
} oc_prepared;

static bool is_marked(const oc_step *s, int i)
{
    return oc_sig_port_at(s->op.sig->in, s->op.sig->n_in, i)->prepared;
}

/* Returns the list of steps for a step whose marked inputs are all the model's own elements, which
 * do not move; NULL for another step. */
static oc_prepared **list_of(oc_planner *p, const oc_step *s, const oc_value *const *in)
{
    oc_prepared **list = NULL;
    for (int i = 0; i < s->op.n_in; i++) {
        if (!is_marked(s, i) || !in[i])
            continue;
        if (in[i]->buffer)
            return NULL;
        if (!list)
            list = &p->prepared[(uintptr_t)in[i]->data / OC_ALIGN % OC_PREPARED_LISTS];
    }
    return list;
}

static bool same_attr(const oc_attr *a, const oc_attr *b)
{
    if (!a || !b || a == b)
        return a == b;
    const bool whole = a->kind == OC_ATTR_INT || a->kind == OC_ATTR_INTS;
    const bool real = a->kind == OC_ATTR_FLOAT || a->kind == OC_ATTR_FLOATS;
    const size_t size = whole ? sizeof *a->u.i : sizeof *a->u.f;
    return a->kind == b->kind && a->n == b->n && (whole || real) &&
           (a->n == 0 || memcmp(a->u.i, b->u.i, (size_t)a->n * size) == 0);
}

/* Does the step see what q's step saw, so that prepare would give an equal result? */
static bool is_twin(const oc_prepared *q, const oc_step *s, const oc_value *const *in)
{
    if (q->step->op.version != s->op.version || q->step->op.n_in != s->op.n_in)
        return false;
    for (int i = 0; i < s->op.n_in; i++) {
        const oc_value none = {0}, *then = &q->in[i], *now = in[i] ? in[i] : &none;
        if (then->data != now->data || then->type != now->type ||
            !oc_dims_equal(&then->dims, &now->dims))
            return false;
    }
    for (int i = 0; i < s->op.sig->n_attr; i++)
        if (!same_attr(q->step->op.attr[i], s->op.attr[i]))
            return false;
    return true;
}

/* Only the last ones are compared: a model may have any number of steps that almost agree. */
static const oc_prepared *find_twin(const oc_prepared *q, const oc_step *s,
                                    const oc_value *const *in)
{
    int left = SEARCHED;
    while (q && left > 0 && !is_twin(q, s, in)) {
        q = q->next;
        left--;
    }
    return left > 0 ? q : NULL;
}

static oc_status remember(oc_planner *p, oc_prepared **list, const oc_step *s,
                          const oc_value *const *in)
{
    oc_prepared *q = oc_arena_alloc(p->services.strings, sizeof *q);
    oc_value *copies = oc_arena_array(p->services.strings, (size_t)s->op.n_in, sizeof *copies);
    OC_TRY(oc_arena_check(p->services.strings, p->e));
    for (int i = 0; i < s->op.n_in; i++)
        if (in[i])
            copies[i] = *in[i];
    *q = (oc_prepared){*list, s, copies};
    *list = q;
    return OC_OK;
}

/* ---- preparing ---- */

/* Calls the version's prepare function. given has the step's inputs, all aligned. */
static oc_status prepare(oc_planner *p, oc_step *s, const oc_value *const *given, uint32_t last)
{
    oc_call c = oc_step_call(s, given, NULL, &p->services);
    oc_keeping keep = {.arena = &p->plan->arena, .last = last};
    c.keep = &keep;
    OC_TRY(oc_call_prepare(&c));
    s->op.prepared = keep.prepared;
    s->consumed = keep.prepared && keep.consumed;
    return OC_OK;
}

/* Calls it with aligned copies of inputs that are not aligned, which live as long as the call. */
static oc_status prepare_aligned(oc_planner *p, oc_step *s, const oc_value *const *in,
                                 uint32_t last, oc_arena *scratch)
{
    const oc_value **given = oc_arena_array(scratch, (size_t)s->op.n_in, sizeof *given);
    oc_value *copies = oc_arena_array(scratch, (size_t)s->op.n_in, sizeof *copies);
    OC_TRY(oc_arena_check(scratch, p->e));
    for (int i = 0; i < s->op.n_in; i++) {
        given[i] = in[i];
        if (!in[i] || !in[i]->data || oc_value_is_aligned(in[i]))
            continue;
        copies[i] = *in[i];
        OC_TRY(oc_plan_copy_aligned(p, scratch, &copies[i]));
        given[i] = &copies[i];
    }
    return prepare(p, s, given, last);
}

/* Bit i of `last` is set if nobody reads input i later. */
static oc_status prepare_step(oc_planner *p, oc_step *s, const oc_value *const *in, uint32_t last)
{
    if (!s->op.version->prepare || !is_ready(s, in))
        return OC_OK;
    oc_prepared **list = list_of(p, s, in);
    const oc_prepared *twin = list ? find_twin(*list, s, in) : NULL;
    if (twin) {
        s->op.prepared = twin->step->op.prepared;
        s->consumed = twin->step->consumed;
        return OC_OK;
    }
    oc_arena scratch = oc_arena_new(&p->plan->memory);
    oc_status status = prepare_aligned(p, s, in, last, &scratch);
    oc_arena_free(&scratch);
    if (status == OC_OK && list)
        status = remember(p, list, s, in);
    for (int i = 0; i < s->op.n_in && s->consumed; i++)
        if (in[i] && in[i]->data && is_marked(s, i))
            oc_model_leave(p->plan->model, in[i]->data, oc_value_bytes(in[i]));
    return status;
}

/* ---- weights that the plan keeps for one step ---- */

/* Returns the step that made input i, a known weight, for this step alone; NULL: none did. */
static oc_step *weight_maker(const oc_walk *w, const oc_step *s, int i)
{
    oc_step *maker = oc_edit_maker(w->g, s->in[i]);
    return maker && !maker->computed && oc_walk_is_weight(w, maker) && w->in[i]->data ? maker
                                                                                      : NULL;
}

/* Frees the elements of weights that the step has prepared: it needs their dims alone now. */
static oc_status forget_weights(oc_walk *w, const oc_step *s)
{
    for (int i = 0; i < s->op.n_in && s->consumed; i++) {
        oc_step *maker = weight_maker(w, s, i);
        if (maker)
            OC_TRY(oc_plan_forget_weight(w, maker, s->op.prepared));
    }
    for (int i = 0; i < s->op.n_in; i++)
        w->in[i] = oc_walk_known(w, s->in[i]); /* the plan has more constants, elsewhere */
    return OC_OK;
}

/* Gives the step's constants aligned elements. Those that only prepare functions read are left out
 * unless `all` is set. */
static oc_status align_inputs(const oc_walk *w, const oc_step *s, bool all)
{
    for (int i = 0; i < s->op.n_in; i++)
        if (all || !s->op.version->prepare || !is_marked(s, i))
            OC_TRY(oc_plan_align(w->p, s->in[i]));
    return OC_OK;
}

OC_STEP_PASS(oc_plan_prepare)
{
    uint32_t last = 0;
    OC_TRY(oc_watch_check(w->p->services.watch, w->p->e));
    OC_TRY(align_inputs(w, s, w->has_values || w->p->listener));
    for (int i = 0; i < s->op.n_in && i < 32; i++)
        if (weight_maker(w, s, i))
            last |= UINT32_C(1) << i;
    if (!w->p->listener)
        OC_TRY(prepare_step(w->p, s, w->in, last));
    OC_TRY(align_inputs(w, s, !s->consumed));
    return forget_weights(w, s);
}
