/* SPDX-License-Identifier: Apache-2.0
 * engine_runs.c - runs a model and compares what its nodes give with the values that another engine
 * has written. */
#include "model_check/engine_check.h"

#include "common/number.h"
#include "common/signals.h"
#include "model_check/origin.h"
#include "values/trace_compare.h"

#include <math.h>

/* One run of the model. */
typedef struct value_run {
    engine_check *c;
    bool gives; /* true: the nodes that follow get the engine's values */
    oc_error *e;
} value_run;

/* The bound for a value. Sums of products in another order differ by a share of what was summed,
 * not of the sum: without --atol a float may differ by rtol times the value's greatest element. */
static compare_bound bound_of(const value_run *r, const oc_value *ours)
{
    const oc_type type = oc_value_type(ours);
    compare_bound b = value_bound_of(&r->c->bound, type);
    const void *y = oc_value_data(ours);
    for (int64_t i = 0; r->c->bound.atol < 0 && number_is_float(type) && i < oc_value_count(ours);
         i++) {
        const double size = fabs(number_get(type, y, i));
        if (isfinite(size) && size * b.rtol > b.atol)
            b.atol = size * b.rtol;
        if (signals_end_at(i))
            break; /* the comparison that follows tells of it */
    }
    return b;
}

/* Compares a value of this run with the engine's at that place. Returns the engine's value, which
 * is NULL where its file is malformed: then the two differ. Free it with oc_value_free. */
static oc_value *compare(value_run *r, const engine_place *place, const oc_value *ours,
                         compare_result *out)
{
    oc_error why = {0};
    oc_value *v = check_engine_read(&place->part->test, place->output, ours, &why);
    const compare_bound bound = bound_of(r, ours);
    if (v) {
        *out = compare_values(v, ours, &bound);
    } else if (tool_ends_all(why.code)) {
        tool_fail(r->e, why.code, "%s", why.text);
    } else {
        *out = (compare_result){.first = -1, .worst = -1};
        snprintf(out->text, sizeof out->text, "%.*s", COMPARE_TEXT - 1, why.text);
    }
    if (v && out->cancelled)
        tool_fail(r->e, OC_CANCELLED, "check: interrupted");
    return v;
}

/* Overwrites a value by the engine's. Returns whether the two are equal then, bit by bit. */
static bool give(const oc_value *ours, const oc_value *engines)
{
    if (!engines || oc_value_type(ours) == OC_STRING || !compare_same_form(ours, engines))
        return false;
    const size_t bytes = (size_t)oc_value_count(ours) * oc_type_size(oc_value_type(ours));
    if (bytes == 0 || memcmp(oc_value_data(ours), oc_value_data(engines), bytes) == 0)
        return true;
    void *elements = oc_value_mutable_data((oc_value *)ours);
    if (elements)
        memcpy(elements, oc_value_data(engines), bytes);
    return elements != NULL;
}

/* Are all inputs of its node the engine's, bit by bit? */
static bool has_equal_inputs(const engine_check *c, const graph_node *node)
{
    for (int i = 0; i < node->n_in; i++)
        if (node->in[i].value >= 0 && !c->value[node->in[i].value].is_given)
            return false;
    return true;
}

static void compare_apart(value_run *r, engine_value *v, const oc_value *ours)
{
    oc_value *engines = compare(r, &v->inner, ours, &v->result);
    v->is_compared = true;
    if (!v->result.agrees && r->e->code == OC_OK)
        axis_find_greatest(v->greatest, engines, ours, r->e);
    oc_value_free(engines);
}

static void compare_given(value_run *r, engine_value *v, const graph_node *node,
                          const oc_value *ours)
{
    compare_result result = {0};
    oc_value *engines = compare(r, &v->inner, ours, &result);
    v->is_node_judged = has_equal_inputs(r->c, node);
    v->differs_on_them = !result.agrees;
    if (r->e->code == OC_OK)
        v->is_given = give(ours, engines);
    oc_value_free(engines);
}

static void on_node(void *run, const oc_node_event *event)
{
    value_run *r = run;
    engine_check *c = r->c;
    for (int i = 0; i < event->n_out && !event->begin && event->depth == 0; i++) {
        const oc_value *ours = event->out[i];
        const int at = ours ? text_index_find(&c->graph.names, event->out_name[i]) : -1;
        if (at < 0 || oc_value_kind(ours) != OC_TENSOR || r->e->code != OC_OK)
            continue;
        engine_value *v = &c->value[at];
        if (v->inner.part && r->gives)
            compare_given(r, v, &c->graph.node[c->graph.item[at].node], ours);
        else if (v->inner.part)
            compare_apart(r, v, ours);
        if (v->alone.part && !r->gives) {
            oc_value_free(compare(r, &v->alone, ours, &v->of_alone));
            v->is_alone_compared = true;
        }
    }
}

static void run(engine_check *c, bool gives, oc_error *e)
{
    oc_error within = {0};
    value_run r = {c, gives, &within};
    oc_session_options o = session_args_options(&c->options->session);
    o.no_fusion = true; /* so that every node gives its outputs in the run */
    o.no_folding = true;
    o.observer.on_node = on_node;
    o.observer.on_node_ctx = &r;
    oc_session *s = e->code == OC_OK ? oc_session_new(c->model, &o, e) : NULL;
    if (s)
        inputs_bind(c->in, s, e);
    oc_run(s, e);
    oc_session_free(s);
    if (within.code != OC_OK)
        tool_fail(e, within.code, "%s", within.text);
}

/* Tells origins from values that follow. Values stand behind those that they depend on. */
static bool judge(engine_check *c)
{
    bool any = false;
    for (int i = 0; i < c->graph.n; i++) {
        engine_value *v = &c->value[i];
        const graph_node *node = &c->graph.node[c->graph.item[i].node];
        bool follows = false;
        for (int k = 0; k < node->n_in; k++)
            follows |= node->in[k].value >= 0 && c->value[node->in[k].value].is_off;
        const bool differs = v->is_compared && !v->result.agrees;
        v->is_off = v->is_compared ? differs : follows;
        v->is_origin = differs && (!follows || (v->is_node_judged && v->differs_on_them));
        any |= differs;
    }
    return any;
}

void engine_compare_values(engine_check *c, oc_error *e)
{
    run(c, false, e);
    if (e->code != OC_OK || !judge(c))
        return;
    run(c, true, e);
    judge(c);
}
