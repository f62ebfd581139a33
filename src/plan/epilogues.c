/* SPDX-License-Identifier: Apache-2.0
 * epilogues.c - finds steps that can run on the tiles of the step before them (ops/kit/epilogue.h).
 */
#include "ops/kit/epilogue.h"
#include "plan/planner.h"

enum { MOST = OC_EPILOGUE_STAGES + 1 }; /* steps of an epilogue, the head included */

/* What the pass knows of a graph. */
typedef struct epilogues {
    oc_planner *p;
    oc_graph_plan *g;
    int *readers; /* of each slot */
} epilogues;

/* A candidate: steps in order. */
typedef struct row {
    oc_step *step[MOST];
    int n;
} row;

static bool is_free(const oc_step *s)
{
    return s->op && s->n_out == 1 && !s->fusion && !s->consumer && !s->epilogue &&
           oc_place_is_slot(s->out[0]);
}

/* headed: does the step make tiles? Else, is it element by element itself? */
static bool may_begin(const oc_step *s, bool headed)
{
    if (!is_free(s) || !s->n_in)
        return false;
    return headed ? s->sig->out[0].tiled : s->sig->in[0].tiled;
}

static bool has_value(const row *r, int place)
{
    for (int i = 0; i < r->n; i++)
        if (r->step[i]->out[0] == place)
            return true;
    return false;
}

/* Does the step read a value of the row, and all of those by inputs where it may? */
static bool follows(const row *r, const oc_step *s)
{
    bool any = false;
    if (!is_free(s))
        return false;
    for (int i = 0; i < s->n_in; i++)
        if (oc_place_is_slot(s->in[i]) && has_value(r, s->in[i])) {
            any = true;
            if (!oc_sig_port_at(s->sig->in, s->sig->n_in, i)->tiled)
                return false;
        }
    return any;
}

/* Do only steps of the row read all values but the last? */
static bool is_closed(const epilogues *t, const row *r)
{
    for (int i = 0; i + 1 < r->n; i++) {
        int inside = 0;
        for (int k = i + 1; k < r->n; k++)
            for (int in = 0; in < r->step[k]->n_in; in++)
                inside += r->step[k]->in[in] == r->step[i]->out[0];
        if (inside != t->readers[r->step[i]->out[0]])
            return false;
    }
    return true;
}

static oc_status keep(const epilogues *t, const row *r, int n)
{
    oc_step *last = r->step[n - 1];
    int in = 0, out = 0;
    last->epilogue = oc_arena_array(&t->p->plan->arena, (size_t)n, sizeof *last->epilogue);
    OC_TRY(oc_arena_check(&t->p->plan->arena, t->p->e));
    last->n_epilogue = n;
    for (int i = 0; i < n; i++) {
        last->epilogue[i] = r->step[i];
        r->step[i]->consumer = i + 1 < n ? last : NULL;
        in += r->step[i]->n_in;
        out += r->step[i]->n_out;
    }
    t->g->max_epilogue = n > t->g->max_epilogue ? n : t->g->max_epilogue;
    t->g->epilogue_in = in > t->g->epilogue_in ? in : t->g->epilogue_in;
    t->g->epilogue_out = out > t->g->epilogue_out ? out : t->g->epilogue_out;
    t->p->plan->n_fused += n - 1;
    return OC_OK;
}

/* The longest row from this step on whose values nobody else reads. */
static oc_status find_epilogue(const epilogues *t, int first, int most)
{
    enum { REACH = 64 }; /* steps after the head that are looked at */
    row r = {.step = {&t->g->step[first]}, .n = 1};
    int best = 1;
    for (int i = first + 1; i < t->g->n_step && i < first + REACH && r.n < most; i++) {
        if (!follows(&r, &t->g->step[i]))
            continue;
        r.step[r.n++] = &t->g->step[i];
        if (is_closed(t, &r))
            best = r.n;
    }
    return best > 1 ? keep(t, &r, best) : OC_OK;
}

oc_status oc_plan_find_epilogues(oc_planner *p, oc_graph_plan *g)
{
    oc_arena scratch = oc_arena_new(&p->plan->memory);
    epilogues t = {.p = p, .g = g};
    t.readers = oc_arena_array(&scratch, (size_t)g->n_slot, sizeof *t.readers);
    oc_status status = oc_arena_check(&scratch, p->e);
    if (status == OC_OK)
        oc_plan_count_readers(g, t.readers);
    for (int headed = 1; headed >= 0; headed--)
        for (int i = 0; i < g->n_step && status == OC_OK; i++)
            if (may_begin(&g->step[i], headed))
                status = find_epilogue(&t, i, headed ? MOST : MOST - 1);
    oc_arena_free(&scratch);
    return status;
}
