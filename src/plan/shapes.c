/* SPDX-License-Identifier: Apache-2.0
 * shapes.c - runs the shape rules before any input is known, in graphs within nodes too: there a
 * value that is captured is known as it is in the graph around. */
#include "graph/build.h"
#include "graph/declared.h"
#include "ops/kit/call_run.h"
#include "plan/planner.h"

#include <string.h>

/* What is known of a value: nothing, its shape, or its elements too (value.data). */
typedef struct known {
    bool shape;
    oc_value value;
} known;

/* What is known in one graph. */
typedef struct inference {
    oc_planner *p;
    oc_graph_plan *g;
    known *slots, *constants; /* all graphs have the constants in common */
    int *readers;             /* of each slot */
    oc_step **maker;          /* of each slot: the step that it is the only output of; NULL: none */
    bool *for_prepare;        /* of each slot: is its one reader a prepare function? */
    const oc_value **in;      /* inputs of the current step */
    oc_value **out;
    oc_layouts *layouts; /* of each step; all 0 where they are not known */
} inference;

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

/* Dims that no value can have are not known. */
static known from_port(const oc_port *p)
{
    int64_t count;
    size_t bytes;
    known k = {.shape = p->kind == OC_TENSOR && p->rank >= 0};
    k.value = (oc_value){.type = p->type, .dims.rank = k.shape ? p->rank : 0};
    for (int i = 0; i < k.value.dims.rank; i++)
        k.value.dims.n[i] = p->dim[i];
    k.shape = k.shape && oc_dims_bytes(&k.value.dims, oc_type_size(p->type), &count, &bytes);
    return k;
}

static known *known_at(const inference *x, int place)
{
    return oc_place_is_slot(place)       ? &x->slots[place]
           : oc_place_is_constant(place) ? &x->constants[oc_constant_at(place)]
                                         : NULL;
}

/* Fills x->in and returns whether the step's shape rule can run. *values tells whether all elements
 * are known too. */
static bool find_inputs(const inference *x, const oc_step *s, bool *values)
{
    static const oc_value unknown = {.dims.rank = -1};
    bool shapes = true;
    *values = true;
    for (int i = 0; i < s->op.n_in; i++) {
        const known *k = known_at(x, s->in[i]);
        const oc_sig_port *port = oc_sig_port_at(s->op.sig->in, s->op.sig->n_in, i);
        x->in[i] = k && !k->shape ? &unknown : k ? &k->value : NULL;
        if (!k)
            continue;
        shapes &= k->shape && (!port->value || k->value.data);
        *values &= k->value.data != NULL;
    }
    return shapes;
}

/* Remarks on outputs that have not the declared dims. */
static oc_status compare_dims(const inference *x, oc_step *s)
{
    for (int i = 0; i < s->op.n_out; i++) {
        oc_declared *d = &s->declared[i];
        char actual[OC_VALUE_TEXT], text[OC_CONTRADICTION];
        if (!x->out[i] || !d->info || oc_declared_fits(&d->info->type, x->out[i]))
            continue;
        d->told = true;
        oc_value_text(x->out[i], actual);
        oc_declared_contradiction(s->op.node, "output", d->info, actual, text);
        OC_TRY(oc_plan_remark(x->p, text));
    }
    return OC_OK;
}

/* Does only a prepare function read what the step makes? A session that looks at all values reads
 * it too; its plan fuses nothing. */
static bool is_weight(const inference *x, const oc_step *s)
{
    return x->p->options->fuse && s->op.n_out == 1 && oc_place_is_slot(s->out[0]) &&
           x->for_prepare[s->out[0]];
}

/* Notes the slots that a prepare function alone reads, and for each slot who makes it. */
static void note_weights(const inference *x, const oc_graph_plan *g)
{
    oc_plan_count_readers(g, x->readers);
    for (int k = 0; k < g->n_step; k++) {
        oc_step *s = &g->step[k];
        for (int i = 0; i < s->op.n_in && s->op.version->prepare; i++)
            if (oc_place_is_slot(s->in[i]) && x->readers[s->in[i]] == 1)
                x->for_prepare[s->in[i]] =
                    oc_sig_port_at(s->op.sig->in, s->op.sig->n_in, i)->prepared;
        if (s->op.n_out == 1 && oc_place_is_slot(s->out[0]))
            x->maker[s->out[0]] = s;
    }
}

/* The step that made input i, a weight that the plan keeps for this step alone; NULL: none did. */
static oc_step *weight_maker(const inference *x, const oc_step *s, int i)
{
    const int place = s->in[i];
    oc_step *maker = oc_place_is_slot(place) ? x->maker[place] : NULL;
    return maker && !maker->folded && is_weight(x, maker) && x->slots[place].value.data ? maker
                                                                                        : NULL;
}

static oc_status prepare(const inference *x, oc_step *s)
{
    uint32_t last = 0;
    for (int i = 0; i < s->op.n_in && i < 32; i++)
        if (weight_maker(x, s, i))
            last |= UINT32_C(1) << i;
    return oc_plan_prepare_step(x->p, s, x->in, last);
}

/* Frees the weights whose dims alone the step needs now. */
static oc_status forget_weights(const inference *x, const oc_step *s)
{
    for (int i = 0; i < s->op.n_in && s->consumed; i++) {
        oc_step *maker = weight_maker(x, s, i);
        if (maker)
            OC_TRY(oc_plan_forget_weight(x->p, maker, &x->slots[s->in[i]].value, s->op.prepared));
    }
    return OC_OK;
}

/* Gives the step's constants aligned elements, but for those that prepare functions read; with all,
 * for those too. */
static oc_status align_inputs(const inference *x, const oc_step *s, bool all)
{
    for (int i = 0; i < s->op.n_in; i++) {
        const oc_sig_port *port = oc_sig_port_at(s->op.sig->in, s->op.sig->n_in, i);
        if (!oc_place_is_constant(s->in[i]) || (!all && s->op.version->prepare && port->prepared))
            continue;
        const int k = oc_constant_at(s->in[i]);
        OC_TRY(oc_plan_align(x->p, s->in[i]));
        x->constants[k].value = x->p->plan->constant[k];
    }
    return OC_OK;
}

/* Has the input the same elements in each call? Large ones may be another process's to change. */
static bool is_same(const inference *x, const oc_step *s, int i)
{
    const int place = s->in[i];
    const oc_step *maker = oc_place_is_slot(place) ? x->maker[place] : NULL;
    return (oc_place_is_constant(place) || (maker && maker->folded)) &&
           oc_value_bytes(x->in[i]) < OC_LEAST_MAPPED;
}

/* May what a version says depend on elements that a call alone knows? */
static bool reads_elements(const inference *x, const oc_step *s)
{
    for (int i = 0; i < s->op.n_in; i++)
        if (x->in[i] && oc_sig_port_at(s->op.sig->in, s->op.sig->n_in, i)->value &&
            !is_same(x, s, i))
            return true;
    return false;
}

/* Keeps what the version says, so that calls with such inputs need not ask again. */
static oc_status keep_planned(const inference *x, oc_step *s, oc_call *c)
{
    oc_planned *planned = NULL;
    oc_call_remember(c, &x->p->plan->arena, &planned);
    s->op.planned = planned && planned->is_set ? planned : NULL;
    return oc_arena_check(&x->p->plan->arena, x->p->e);
}

/* After the shape rule of the step. */
static void note_layouts(const inference *x, const oc_step *s, oc_call *c)
{
    if (x->p->options->nchw16c && oc_step_traits(s))
        x->layouts[s - x->g->step] = oc_call_layouts(c);
}

/* What step s alone reads of a step that puts zeros around an image; NULL: nothing. */
static oc_step *find_pads(const inference *x, const oc_step *s)
{
    const oc_traits *traits = oc_step_traits(s);
    if (!x->p->options->fuse || x->p->listener || !traits || !traits->takes_zeros ||
        !oc_place_is_slot(s->in[0]) || x->readers[s->in[0]] != 1)
        return NULL;
    oc_step *maker = x->maker[s->in[0]];
    const bool alone = maker && !maker->folded && !maker->last && !maker->group;
    const oc_traits *makes = alone ? oc_step_traits(maker) : NULL;
    return makes && makes->adds ? maker : NULL;
}

static oc_status take_pads(const inference *x, oc_step *s)
{
    oc_step *maker = find_pads(x, s);
    const known *weights = maker ? known_at(x, s->in[1]) : NULL;
    bool values, taken;
    if (!weights || !weights->shape)
        return OC_OK;
    const known *made = known_at(x, s->in[0]);
    find_inputs(x, maker, &values);
    OC_TRY(oc_plan_take_pads(x->p, s, maker, x->in, weights->value.dims.rank,
                             made && made->shape ? &made->value : NULL, &taken));
    if (taken)
        x->layouts[maker - x->g->step] = (oc_layouts){0};
    return OC_OK;
}

static oc_status infer_step(const inference *x, oc_step *s)
{
    bool values;
    OC_TRY(take_pads(x, s));
    const bool shapes = find_inputs(x, s, &values);
    OC_TRY(oc_watch_check(x->p->services.watch, x->p->e));
    OC_TRY(align_inputs(x, s, values || x->p->listener));
    if (!x->p->listener)
        OC_TRY(prepare(x, s));
    OC_TRY(align_inputs(x, s, !s->consumed));
    OC_TRY(forget_weights(x, s));
    s->op.by_dims = s->op.version->shape && !s->op.hosts && !reads_elements(x, s);
    if (!s->op.version->shape || !shapes)
        return OC_OK;
    for (int i = 0; i < s->op.n_out; i++)
        x->out[i] = s->out[i] == OC_NOWHERE ? NULL : &x->slots[s->out[i]].value;
    oc_call c = oc_step_call(s, x->in, x->out, &x->p->services);
    OC_TRY(oc_call_plan(&c));
    note_layouts(x, s, &c);
    if (s->op.by_dims)
        OC_TRY(keep_planned(x, s, &c));
    if (values)
        OC_TRY(oc_plan_fold(x->p, s, &c, is_weight(x, s)));
    if (s->folded) /* its results are in NCHW */
        x->layouts[s - x->g->step] = (oc_layouts){0};
    for (int i = 0; i < s->op.n_out; i++)
        if (x->out[i])
            x->slots[s->out[i]].shape = true;
    return x->g->outer ? OC_OK : compare_dims(x, s);
}

static oc_status infer_within(const inference *x, const oc_step *s);

/* A step of a graph within a node may never run: one at fault is left to the runs that reach it. */
static oc_status infer_inner_step(const inference *x, oc_step *s)
{
    const oc_status status = infer_step(x, s);
    if (status == OC_OK || status == OC_CANCELLED || status == OC_DEADLINE || status == OC_NOMEM)
        return status;
    *x->p->e = (oc_error){.code = OC_OK};
    for (int i = 0; i < s->op.n_out; i++)
        if (s->out[i] != OC_NOWHERE) {
            oc_value_unref(&x->slots[s->out[i]].value);
            x->slots[s->out[i]].shape = false;
        }
    return OC_OK;
}

/* May an input's value have other dims than the declared ones? A default value may. */
static bool may_differ(const oc_plan *plan, const oc_graph_plan *g, int input)
{
    const int place = plan->fallback[input];
    return place != OC_NOWHERE &&
           !oc_declared_fits(&g->graph->input[input].type, &plan->constant[oc_constant_at(place)]);
}

/* Sets what is known before the first step: constants, and the declared types of inputs. */
static void begin(const inference *x, const oc_graph_plan *g)
{
    const oc_plan *plan = x->p->plan;
    const oc_port *given = x->p->options->inputs;
    for (int i = 0; i < g->n_input; i++)
        if (!may_differ(plan, g, i))
            x->slots[g->input[i]] =
                given ? from_port(&given[i]) : from_type_info(&g->graph->input[i].type);
}

/* Tells the listener what is known of the outputs of the steps. */
static void tell_values(const inference *x, const oc_graph_plan *g)
{
    for (int i = 0; i < g->n_step; i++) {
        const oc_step *s = &g->step[i];
        for (int k = 0; k < s->node->n_out; k++) {
            const oc_name name = s->node->out[k];
            const known *found = s->op.version && k < s->op.n_out ? known_at(x, s->out[k]) : NULL;
            const oc_known_type type = oc_type_get(&g->types, name);
            oc_value v = {.kind = type.kind, .type = type.type, .dims.rank = -1};
            if (found && found->shape)
                v = (oc_value){.kind = found->value.kind,
                               .type = found->value.type,
                               .dims = found->value.dims};
            if (*name)
                x->p->listener->value(x->p->listener->ctx, name, &v);
        }
    }
}

/* ---- dims that are not known, for layouts alone ---- */

/* Dims of inputs that are not declared, or have names alone, are taken for these. Where that leads
 * to none that operators accept, nothing is known. */
enum { IMAGES = 1, OTHER = 256, LITTLE = 4096 /* bytes of values that dims may depend on */ };

static bool has_little(const oc_call *c)
{
    for (int i = 0; i < c->op->n_out; i++)
        if (c->out[i] && (c->out[i]->kind != OC_TENSOR || oc_value_bytes(c->out[i]) > LITTLE))
            return false;
    return true;
}

/* Are the dims of all outputs known, and with elements the elements too, unless there are many? */
static bool is_known(const inference *x, const oc_step *s, bool elements)
{
    for (int i = 0; i < s->op.n_out; i++) {
        const known *k = s->out[i] == OC_NOWHERE ? NULL : &x->slots[s->out[i]];
        if (k && (!k->shape || (elements && !k->value.data && oc_value_bytes(&k->value) <= LITTLE)))
            return false;
    }
    return true;
}

/* Does the step read no elements of its input? */
static bool reads_dims_alone(const oc_step *s)
{
    return !*s->op.sig->domain &&
           (strcmp(s->op.sig->name, "Shape") == 0 || strcmp(s->op.sig->name, "Size") == 0);
}

static oc_status guess_step(const inference *x, oc_step *s)
{
    bool values;
    const bool shapes = find_inputs(x, s, &values);
    values = (values || reads_dims_alone(s)) && !s->op.sig->random && !s->op.hosts;
    if (s->folded || !shapes || !s->op.version->shape || is_known(x, s, values))
        return OC_OK;
    for (int i = 0; i < s->op.n_out; i++)
        x->out[i] = s->out[i] == OC_NOWHERE ? NULL : &x->slots[s->out[i]].value;
    oc_call c = oc_step_call(s, x->in, x->out, &x->p->services);
    oc_status status = oc_call_plan(&c);
    if (status == OC_OK)
        note_layouts(x, s, &c);
    if (status == OC_OK && values && has_little(&c))
        status = oc_call_run(&c);
    for (int i = 0; i < s->op.n_out; i++)
        if (x->out[i])
            x->slots[s->out[i]].shape = status == OC_OK;
    if (status == OC_CANCELLED || status == OC_DEADLINE || status == OC_NOMEM)
        return status;
    if (status != OC_OK)
        *x->p->e = (oc_error){.code = OC_OK};
    return OC_OK;
}

static void guess_input(known *k, const oc_type_info *t)
{
    if (k->shape || t->kind != OC_TYPE_TENSOR || t->rank < 0 || t->rank > OC_MAX_RANK)
        return;
    k->value = (oc_value){.type = t->type, .dims.rank = t->rank};
    for (int a = 0; a < t->rank; a++)
        k->value.dims.n[a] = t->dims[a].n >= 0 ? t->dims[a].n : a ? OTHER : IMAGES;
    k->shape = true;
}

static void no_remark(void *runtime, const void *about, const char *line)
{
    (void)runtime, (void)about, (void)line;
}

static oc_status guess_steps(const inference *x, const oc_graph_plan *g)
{
    for (int i = 0; i < g->n_input; i++)
        if (!may_differ(x->p->plan, g, i))
            guess_input(&x->slots[g->input[i]], &g->graph->input[i].type);
    for (int i = 0; i < g->n_step; i++) {
        OC_TRY(oc_watch_check(x->p->services.watch, x->p->e));
        if (g->step[i].op.version)
            OC_TRY(guess_step(x, &g->step[i]));
    }
    return OC_OK;
}

/* What is worth a remark is so of real dims. */
static oc_status guess(const inference *x, const oc_graph_plan *g)
{
    const oc_services services = x->p->services;
    x->p->services.remark = no_remark;
    const oc_status status = guess_steps(x, g);
    x->p->services = services;
    return status;
}

static oc_status lay_out(const inference *x)
{
    oc_graph_plan *g = x->g;
    oc_arena scratch = oc_arena_new(&x->p->plan->memory);
    oc_value *values = oc_arena_array(&scratch, (size_t)g->n_slot, sizeof *values);
    oc_status status = oc_arena_check(&scratch, x->p->e);
    for (int i = 0; i < g->n_slot && status == OC_OK; i++)
        values[i] = x->slots[i].shape ? x->slots[i].value : (oc_value){.dims.rank = -1};
    if (status == OC_OK)
        status = oc_plan_lay_out(x->p, g, x->layouts, values);
    oc_arena_free(&scratch);
    return status;
}

/* ---- graphs ---- */

static oc_status infer_main(const inference *x)
{
    const oc_graph_plan *g = x->g;
    oc_status status = OC_OK;
    begin(x, g);
    for (int i = 0; i < g->n_step && status == OC_OK; i++) {
        if (g->step[i].op.version)
            status = oc_plan_fault(x->p, infer_step(x, &g->step[i]));
        if (status == OC_OK)
            status = infer_within(x, &g->step[i]);
    }
    if (status == OC_OK && x->p->listener && x->p->listener->value)
        tell_values(x, g);
    if (status == OC_OK && x->p->options->nchw16c)
        status = guess(x, g);
    return status;
}

static oc_status infer_inner(const inference *x, const inference *outer)
{
    const oc_graph_plan *g = x->g;
    for (int i = 0; i < g->n_capture; i++) {
        const known *from = &outer->slots[g->capture[i].outer];
        x->slots[g->capture[i].inner] = (known){from->shape, oc_value_ref(&from->value)};
    }
    for (int i = 0; i < g->n_step; i++) {
        OC_TRY(infer_inner_step(x, &g->step[i]));
        OC_TRY(infer_within(x, &g->step[i]));
    }
    return OC_OK;
}

static oc_status make_room(inference *x, oc_arena *scratch)
{
    const size_t n = (size_t)x->g->n_slot;
    x->slots = oc_arena_array(scratch, n, sizeof *x->slots);
    x->readers = oc_arena_array(scratch, n, sizeof *x->readers);
    x->maker = oc_arena_array(scratch, n, sizeof *x->maker);
    x->for_prepare = oc_arena_array(scratch, n, sizeof *x->for_prepare);
    x->in = oc_arena_array(scratch, (size_t)x->g->max_in, sizeof *x->in);
    x->out = oc_arena_array(scratch, (size_t)x->g->max_out, sizeof *x->out);
    x->layouts = oc_arena_array(scratch, (size_t)x->g->n_step, sizeof *x->layouts);
    return oc_arena_check(scratch, x->p->e);
}

/* outer: what is known in the graph around; NULL: this is the main graph. */
static oc_status infer(inference *x, const inference *outer)
{
    oc_arena scratch = oc_arena_new(&x->p->plan->memory);
    const int n_slot = x->g->n_slot; /* more come with layouts */
    oc_status status = make_room(x, &scratch);
    if (status == OC_OK) {
        if (!x->p->listener)
            note_weights(x, x->g);
        status = outer ? infer_inner(x, outer) : infer_main(x);
        if (status == OC_OK && x->p->options->nchw16c)
            status = lay_out(x);
        for (int i = 0; i < n_slot; i++)
            oc_value_unref(&x->slots[i].value);
    }
    oc_arena_free(&scratch);
    return status;
}

/* The graphs of a step's attributes. Who listens hears of the main graph alone. */
static oc_status infer_within(const inference *x, const oc_step *s)
{
    for (int a = 0; !x->p->listener && a < s->op.sig->n_attr; a++)
        if (s->graph[a]) {
            inference inner = {.p = x->p, .g = s->graph[a], .constants = x->constants};
            OC_TRY(infer(&inner, x));
        }
    return OC_OK;
}

oc_status oc_plan_check_shapes(oc_planner *p)
{
    const oc_plan *plan = p->plan;
    oc_arena scratch = oc_arena_new(&p->plan->memory);
    inference x = {.p = p, .g = plan->graph[0]};
    p->fold_room = oc_plan_fold_room(p);
    x.constants = oc_arena_array(&scratch, (size_t)plan->n_constant, sizeof *x.constants);
    oc_status status = oc_arena_check(&scratch, p->e);
    for (int i = 0; i < plan->n_constant && status == OC_OK; i++)
        x.constants[i] = (known){true, plan->constant[i]};
    if (status == OC_OK)
        status = infer(&x, NULL);
    oc_arena_free(&scratch);
    return status;
}
