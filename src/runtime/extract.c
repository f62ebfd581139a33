/* SPDX-License-Identifier: Apache-2.0
 * extract.c - makes a model from a part of another one, with the types and shapes that a plan
 * finds. */
#include "graph/build.h"
#include "graph/check.h"
#include "graph/declared.h"
#include "graph/part.h"
#include "graph/ports.h"
#include "runtime/plans.h"
#include "runtime/session.h"

static void ignore(OC_UNUSED void *ctx, OC_UNUSED oc_status code, OC_UNUSED const char *text) {}

/* Makes *t a type of that kind and element type, without a shape. */
static void set_type(oc_model *m, oc_type_info *t, oc_kind kind, oc_type type)
{
    t->kind = OC_TYPE_TENSOR;
    t->type = type;
    t->rank = -1;
    t->dims = NULL;
    t->item = NULL;
    oc_type_info *item = kind == OC_TENSOR ? NULL : oc_arena_alloc(&m->arena, sizeof *item);
    if (!item)
        return; /* it is a tensor, or the arena has recorded the failure */
    *item = *t;
    t->kind = kind == OC_SEQUENCE ? OC_TYPE_SEQUENCE : OC_TYPE_OPTIONAL;
    t->type = OC_UNDEFINED;
    t->item = item;
}

/* A dim that the plan does not know stays as declared, with its symbol. The denotations of all
 * dims stay. */
static void set_dims(oc_model *m, oc_type_info *t, const oc_dims *known, const char *const *names)
{
    oc_dim *dims = oc_arena_array(&m->arena, (size_t)known->rank, sizeof *dims);
    const oc_name none = oc_model_name(m, "");
    for (int i = 0; dims && i < known->rank; i++) {
        dims[i] = t->rank == known->rank ? t->dims[i] : (oc_dim){.n = -1, .symbol = none};
        if (known->n[i] >= 0 || names[i])
            dims[i] = (oc_dim){known->n[i], names[i] ? oc_model_name(m, names[i]) : none,
                               dims[i].denotation};
    }
    t->dims = dims;
    t->rank = known->rank;
}

static void learn(oc_model *m, oc_type_info *t, const oc_value *known, const char *const *names)
{
    if (known->type == OC_UNDEFINED || t->kind == OC_TYPE_SPARSE)
        return;
    if (!oc_declared_type(t) || !oc_declared_allows(t, known->kind, known->type))
        set_type(m, t, known->kind, known->type);
    if (known->kind == OC_TENSOR && t->kind == OC_TYPE_TENSOR && known->dims.rank >= 0)
        set_dims(m, t, &known->dims, names);
}

/* A model whose declarations become what a plan finds. */
typedef struct learner {
    oc_model *m;
    bool inner;         /* values within, too */
    oc_name_map values; /* to indices of their declarations */
} learner;

/* The declaration of a value within, which is made if there is none; NULL: memory runs out. */
static oc_value_info *declaration_of(learner *l, oc_name name)
{
    oc_graph *g = &l->m->graph;
    const int i = oc_name_map_get(&l->values, name);
    if (i >= 0)
        return &g->value[i];
    const oc_name none = oc_model_name(l->m, "");
    oc_value_info *v = OC_PUSH(&l->m->arena, g->value, g->n_value);
    if (!v || !none || !oc_name_map_put(&l->values, name, g->n_value - 1))
        return NULL;
    *v = (oc_value_info){
        .name = name,
        .doc = "",
        .type = {.rank = -1, .denotation = none, .opaque_domain = none, .opaque_name = none}};
    return v;
}

static void note_fact(void *ctx, oc_name name, const oc_value *known, const char *const *dims)
{
    learner *l = ctx;
    oc_model *m = l->m;
    const int in = oc_name_map_get(&m->inputs, name), out = oc_name_map_get(&m->outputs, name);
    if (in >= 0)
        learn(m, &m->graph.input[in].type, known, dims);
    if (out >= 0)
        learn(m, &m->graph.output[out].type, known, dims);
    if (in >= 0 || out >= 0 || !l->inner || known->type == OC_UNDEFINED)
        return;
    oc_value_info *v = declaration_of(l, name);
    if (v)
        learn(m, &v->type, known, dims);
}

/* The inputs and outputs of the part, a checked model, and with inner the values within, get the
 * types that a plan of the whole model finds for them. */
static oc_status follow_types(const oc_model *whole, oc_model *part, bool inner, oc_error *e)
{
    learner l = {.m = part, .inner = inner, .values = oc_name_map_new(&part->arena)};
    const oc_listener listener = {.tell = ignore, .value = note_fact, .ctx = &l};
    for (int i = 0; i < part->graph.n_value; i++)
        oc_name_map_put(&l.values, part->graph.value[i].name, i);
    oc_session_examine(whole, NULL, &listener, e);
    OC_TRY(e->code);
    return oc_arena_check(&part->arena, e);
}

static oc_status finish_model(const oc_model *whole, oc_model *part, bool inner, oc_error *e)
{
    OC_TRY(oc_model_check(part, e));
    OC_TRY(oc_model_count_usage(part, e));
    OC_TRY(oc_model_index_ports(part, e));
    OC_TRY(follow_types(whole, part, inner, e));
    return oc_plans_new(part, e);
}

/* Returns the extracted model; part NULL: the whole, with all declared. It holds m: for the new
 * model when that borrows from m, else for the time of the call. */
static oc_model *extract(const oc_model *m, const oc_part *part, oc_error *e)
{
    oc_model *out = NULL;
    oc_watch watch;
    oc_watch_begin(&watch, part ? "extracting" : "declaring shapes", &m->options.limits);
    oc_model_hold(m);
    if (oc_part_extract(m, part, &watch, &out, e) != OC_OK) {
        oc_model_drop(m);
        return NULL;
    }
    out->source = m;
    oc_model_leave_as(out, m);
    const oc_status status = finish_model(m, out, !part, e);
    oc_model_end_watch(out);
    if (status == OC_OK && e->code == OC_OK) /* a callback may have set e */
        return out;
    oc_model_free(out);
    return NULL;
}

oc_model *oc_model_extract(const oc_model *m, const oc_cut *from, int n_from, const char *const *to,
                           int n_to, oc_error *e)
{
    if (!oc_error_is_clear(e))
        return NULL;
    bool named = n_from >= 0 && (from || n_from == 0) && n_to >= 0 && (to || n_to == 0);
    for (int i = 0; named && i < n_from; i++)
        named = from[i].name != NULL;
    for (int i = 0; named && i < n_to; i++)
        named = to[i] != NULL;
    if (!m || !named) {
        oc_error_set(e, OC_ARGUMENT, "oc_model_extract: there is no model, or a name is missing");
        return NULL;
    }
    const oc_part part = {.from = from, .n_from = n_from, .to = n_to ? to : NULL, .n_to = n_to};
    return extract(m, &part, e);
}

oc_model *oc_model_declare(const oc_model *m, oc_error *e)
{
    if (!oc_error_is_clear(e))
        return NULL;
    if (m)
        return extract(m, NULL, e);
    oc_error_set(e, OC_ARGUMENT, "oc_model_declare: there is no model");
    return NULL;
}
