/* SPDX-License-Identifier: Apache-2.0
 * pads.c - lets a step pad its input itself, in place of a Pad before it.
 *
 * A convolution computes with zeros beside its input as it would with those of a Pad before it,
 * to the bit; then nobody writes and reads the larger tensor. */
#include "plan/edit.h"
#include "plan/passes.h"

enum { MOST = 1 << 16 }; /* most zeros on one side */

static int find_attr(const oc_step *s, const char *name)
{
    for (int a = 0; a < s->op.sig->n_attr; a++)
        if (strcmp(s->op.sig->attr[a].name, name) == 0)
            return a;
    return -1;
}

/* Does only an attribute state the pads of the step, and are they n numbers or absent? */
static bool has_plain_pads(const oc_step *s, int n)
{
    const oc_attr *pads = s->op.attr[find_attr(s, "pads")];
    const int a = find_attr(s, "auto_pad");
    const oc_attr *mode = a < 0 ? NULL : s->op.attr[a];
    return (!pads || pads->n == n) &&
           (!mode || (mode->u.s->size == 6 && memcmp(mode->u.s->data, "NOTSET", 6) == 0));
}

/* Adds `more` to the step's pads, on axes from number 2 on. */
static oc_status add_pads(oc_planner *p, oc_step *s, const int64_t *more, int rank)
{
    const int axes = rank - 2, a = find_attr(s, "pads");
    const oc_attr *had = s->op.attr[a];
    int64_t *list = oc_arena_array(&p->plan->arena, 2 * (size_t)axes, sizeof *list);
    oc_attr *pads = oc_arena_alloc(&p->plan->arena, sizeof *pads);
    OC_TRY(oc_arena_check(&p->plan->arena, p->e));
    for (int i = 0; i < 2 * axes; i++)
        list[i] = (had ? had->u.i[i] : 0) + more[i < axes ? i + 2 : i + 4];
    *pads = (oc_attr){.name = s->op.sig->attr[a].name,
                      .doc = "",
                      .kind = OC_ATTR_INTS,
                      .n = 2 * axes,
                      .u.i = list};
    s->op.attr[a] = pads;
    return OC_OK;
}

static bool fit(const oc_step *s, const int64_t *more, int rank)
{
    const oc_attr *had = s->op.attr[find_attr(s, "pads")];
    for (int i = 0; i < 2 * rank; i++)
        if (more[i] > (i % rank < 2 ? 0 : MOST))
            return false;
    for (int i = 0; had && i < had->n; i++)
        if (had->u.i[i] < 0 || had->u.i[i] > MOST)
            return false;
    return true;
}

/* Returns the step that puts zeros around an image that only s reads; NULL: there is none. */
static oc_step *find_maker(const oc_walk *w, const oc_step *s)
{
    const oc_traits *traits = oc_step_traits(s);
    if (w->p->options->no_fusion || w->p->listener || !traits || !traits->takes_zeros ||
        !oc_place_is_slot(s->in[0]) || w->g->slot[s->in[0]].n_readers != 1)
        return NULL;
    oc_step *maker = oc_edit_maker(w->g, s->in[0]);
    const bool alone =
        maker && maker->op.n_out == 1 && !maker->computed && !maker->last && !maker->group;
    const oc_traits *makes = alone ? oc_step_traits(maker) : NULL;
    return makes && makes->adds ? maker : NULL;
}

/* Finds the zeros that the maker puts around an image of this rank; false: they are not known. */
static bool find_zeros(oc_walk *w, oc_step *maker, int rank, int64_t *more)
{
    oc_value image = {.type = OC_F32, .dims.rank = rank};
    for (int a = 0; a < rank; a++)
        image.dims.n[a] = 1;
    oc_plan_find_inputs(w, maker);
    w->in[0] = &image;
    oc_call c = oc_step_call(maker, w->in, NULL, &w->p->services);
    const bool found = oc_step_traits(maker)->adds(&c, more);
    *w->p->e = (oc_error){.code = OC_OK}; /* an error of the maker is told by its own call */
    oc_call_release(&c);
    return found;
}

OC_STEP_PASS(oc_plan_take_pads)
{
    int64_t more[2 * OC_MAX_RANK];
    oc_step *maker = find_maker(w, s);
    const oc_value *weights = maker ? oc_walk_known(w, s->in[1]) : NULL;
    const int rank = weights ? weights->dims.rank : 0;
    if (rank <= 2 || !find_zeros(w, maker, rank, more) || !has_plain_pads(s, 2 * (rank - 2)) ||
        !fit(s, more, rank))
        return OC_OK;
    OC_TRY(add_pads(w->p, s, more, rank));
    oc_edit_read(w->g, &s->in[0], maker->in[0]);
    oc_edit_remove(w->g, maker);
    w->p->plan->n_fused++;
    return OC_OK;
}
