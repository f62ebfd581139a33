/* SPDX-License-Identifier: Apache-2.0
 * groups.c - finds steps that run as one: a producer and its stages, a chain of stages, a stage and
 * the step that reads its value tile by tile (ops/kit/stages.h). */
#include "ops/kit/stages.h"
#include "plan/ahead.h"
#include "plan/passes.h"

enum { MOST = OC_MAX_STAGES + 1 }; /* steps of a group, the producer included */

/* What the pass knows of a graph. */
typedef struct search {
    oc_planner *p;
    oc_graph_plan *g;
    bool *fixed; /* true for a slot whose value constants alone decide: it may be computed ahead */
} search;

/* Steps, in their order, that may become a group. */
typedef struct candidate {
    oc_step *step[MOST];
    int n;
} candidate;

/* ---- what a step can be of a group ---- */

static bool has_stage(const oc_step *s)
{
    const oc_traits *traits = oc_step_traits(s);
    return traits && traits->stage;
}

static bool reads_tiles(const oc_step *s, int i)
{
    return oc_sig_port_at(s->op.sig->in, s->op.sig->n_in, i)->tiled;
}

static bool is_free(const oc_step *s)
{
    return s->op.version && s->op.n_out == 1 && !s->group && !s->last &&
           oc_place_is_slot(s->out[0]);
}

/* Does the step make tiles that stages may take? */
static bool is_producer(const oc_step *s)
{
    return is_free(s) && s->op.sig->out[0].tiled && !has_stage(s);
}

/* May the step begin a chain? */
static bool is_stage(const oc_step *s)
{
    return is_free(s) && s->op.n_in && has_stage(s) && reads_tiles(s, 0);
}

/* Does a stage make the step's value, which a reader may take tile by tile? */
static bool is_source(const oc_step *s)
{
    return is_free(s) && s->op.sig->out[0].tiled && has_stage(s);
}

static bool has_value(const candidate *r, int place)
{
    for (int i = 0; i < r->n; i++)
        if (r->step[i]->out[0] == place)
            return true;
    return false;
}

/* Does the step read a value of the candidate, and are all such inputs ones that allow it? */
static bool follows(const candidate *r, const oc_step *s)
{
    bool any = false;
    if (!is_free(s) || !has_stage(s))
        return false;
    for (int i = 0; i < s->op.n_in; i++)
        if (oc_place_is_slot(s->in[i]) && has_value(r, s->in[i])) {
            any = true;
            if (!reads_tiles(s, i))
                return false;
        }
    return any;
}

/* Do only steps of the candidate read all values but the last? */
static bool is_closed(const search *t, const candidate *r)
{
    for (int i = 0; i + 1 < r->n; i++) {
        int inside = 0;
        for (int k = i + 1; k < r->n; k++)
            for (int in = 0; in < r->step[k]->op.n_in; in++)
                inside += r->step[k]->in[in] == r->step[i]->out[0];
        if (inside != t->g->slot[r->step[i]->out[0]].n_readers)
            return false;
    }
    return true;
}

/* ---- the search ---- */

/* "Conv+Relu" */
static const char *name_of(oc_arena *arena, const candidate *r, int n)
{
    char *name = NULL;
    int length = 0;
    for (int i = 0; i < n; i++) {
        const char *op = r->step[i]->node->op_type;
        if (i > 0)
            oc_arena_append(arena, &name, &length, "+", 1);
        oc_arena_append(arena, &name, &length, op, strlen(op));
    }
    return name;
}

static oc_status keep_group(const search *t, const candidate *r, int n)
{
    oc_arena *arena = &t->p->plan->arena;
    oc_step *last = r->step[n - 1];
    oc_group *group = oc_arena_alloc(arena, sizeof *group);
    oc_step **step = oc_arena_array(arena, (size_t)n, sizeof *step);
    const char *name = name_of(arena, r, n);
    OC_TRY(oc_arena_check(arena, t->p->e));
    *group = (oc_group){.step = step, .n = n, .name = name};
    for (int i = 0; i < n; i++) {
        step[i] = r->step[i];
        step[i]->last = i + 1 < n ? last : NULL;
        group->n_in += step[i]->op.n_in;
        group->n_out += step[i]->op.n_out;
    }
    last->group = group;
    t->p->plan->n_fused += n - 1;
    return OC_OK;
}

/* A step that is computed once, ahead, does not join a group that each run computes. */
static bool is_fixed(const search *t, const oc_step *s)
{
    for (int i = 0; i < s->op.n_in; i++)
        if (oc_place_is_slot(s->in[i]) && !t->fixed[s->in[i]])
            return false;
    return !t->p->options->no_folding && oc_ahead_may(s);
}

static void note_outputs(const search *t, const oc_step *s)
{
    const bool fixed = is_fixed(t, s);
    for (int i = 0; i < s->op.n_out; i++)
        if (oc_place_is_slot(s->out[i]))
            t->fixed[s->out[i]] = fixed;
}

/* Finds the stage that makes the input of a step, which reads it tile by tile and is its only
 * reader. */
static oc_status find_source(const search *t, oc_step *s)
{
    for (int i = 0; i < s->op.n_in && s->op.version; i++) {
        oc_step *source = oc_edit_maker(t->g, s->in[i]);
        const candidate r = {{source, s}, 2};
        if (source && t->g->slot[s->in[i]].n_readers == 1 && reads_tiles(s, i) &&
            is_source(source) && is_free(s) && !has_stage(s))
            OC_TRY(keep_group(t, &r, 2));
    }
    note_outputs(t, s);
    return OC_OK;
}

/* Finds the longest group of a step and the stages after it whose values nobody else reads. */
static oc_status find_stages(const search *t, oc_step *first, int most)
{
    enum { REACH = 64 }; /* steps after the first that are looked at */
    candidate r = {.step = {first}, .n = 1};
    int best = 1, left = REACH;
    for (oc_step *s = first->after; s && --left > 0 && r.n < most; s = s->after) {
        if (!follows(&r, s))
            continue;
        r.step[r.n++] = s;
        if (is_closed(t, &r))
            best = r.n;
    }
    return best > 1 ? keep_group(t, &r, best) : OC_OK;
}

static oc_status find_groups(const search *t)
{
    for (oc_step *s = t->g->first; s; s = s->after)
        OC_TRY(find_source(t, s));
    for (oc_step *s = t->g->first; s; s = s->after)
        if (is_producer(s) && !t->fixed[s->out[0]])
            OC_TRY(find_stages(t, s, MOST));
    for (oc_step *s = t->g->first; s; s = s->after)
        if (is_stage(s) && !t->fixed[s->out[0]])
            OC_TRY(find_stages(t, s, MOST - 1));
    return OC_OK;
}

OC_PASS(oc_plan_groups)
{
    oc_arena scratch = oc_arena_new(&p->plan->memory);
    const search t = {
        .p = p, .g = g, .fixed = oc_arena_array(&scratch, (size_t)g->n_slot, sizeof *t.fixed)};
    oc_status status = oc_arena_check(&scratch, p->e);
    if (status == OC_OK)
        status = find_groups(&t);
    oc_arena_free(&scratch);
    return status;
}
