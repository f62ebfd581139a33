/* SPDX-License-Identifier: Apache-2.0
 * spec.c - makes cases from a family's lists. */
#include "check/form.h"
#include "check/numbers.h"
#include "values/fill.h"
#include "common/number.h"
#include "common/signals.h"

#include <math.h>

enum { MANY = 10000 }; /* inputs with more elements than this are tried less often */

/* ---- lists */

bool check_scope_has(check_scope scope, int opset)
{
    return opset >= scope.since && opset < scope.before;
}

void check_spec_add_attributes(check_spec *s, const check_attributes *one)
{
    s->attributes = tool_push(s->attributes, (size_t)s->n_attributes, sizeof *s->attributes);
    s->attributes[s->n_attributes++] = *one;
}

void check_spec_add_inputs(check_spec *s, const check_inputs *one)
{
    s->inputs = tool_push(s->inputs, (size_t)s->n_inputs, sizeof *s->inputs);
    s->inputs[s->n_inputs++] = *one;
}

void check_spec_free(check_spec *s)
{
    free(s->attributes);
    free(s->inputs);
    *s = (check_spec){0};
}

/* ---- values */

/* What a case is made of. */
typedef struct choice {
    check_form form;
    bool repeated; /* true: the opset's kernel and body are those of the opset before */
    bool first;    /* true: the set of attributes is the family's first */
    check_fill fill;
} choice;

static double number_of(const check_input *in, const choice *c, check_fill fill, uint64_t key,
                        uint64_t i)
{
    const int64_t row = in->rank ? in->dim[in->rank - 1] : 1;
    switch (in->kind) {
    case CHECK_BELOW:
        return floor(fill_unit(key, i) * in->below);
    case CHECK_UNIT:
        return fill_unit(key, i);
    case CHECK_MODEST:
        return check_number(check_input_type(in, &c->form), CHECK_PLAIN, key, i, 1);
    case CHECK_POSITIVE:
        return 0.25 + 4 * fill_unit(key, i);
    default:
        return check_number(check_input_type(in, &c->form), fill, key, i, (uint64_t)row);
    }
}

static oc_value *make_input(const check_input *in, const choice *c, const char *name, uint64_t seed,
                            check_fill fill, oc_error *e)
{
    const oc_type type = check_input_type(in, &c->form);
    oc_value *v = oc_tensor_new(type, in->rank, in->dim, NULL, e);
    const uint64_t key = fill_key(seed, name);
    for (int64_t i = 0; v && e->code == OC_OK && i < oc_value_count(v); i++) {
        if (signals_end_at(i))
            tool_fail(e, OC_CANCELLED, "check: interrupted");
        number_set(type, oc_value_mutable_data(v), i, number_of(in, c, fill, key, (uint64_t)i));
    }
    return v;
}

/* ---- choices */

/* Returns the most elements of an input that holds any numbers, at most MANY + 1; -1 when no
 * input does. */
static int64_t count_numbers(const check_inputs *inputs)
{
    int64_t most = -1;
    for (int k = 0; k < inputs->n; k++) {
        const check_input *in = &inputs->in[k];
        double n = 1;
        for (int a = 0; a < in->rank; a++)
            n *= (double)in->dim[a];
        if (in->kind == CHECK_ANY)
            most = (int64_t)fmax((double)most, fmin(n, MANY + 1));
    }
    return most;
}

/* Returns how many fills to try, from c->fill on. All of them only when kernel or body is a new
 * version and the attributes are the first. One, when no number depends on the fill, or when
 * there are many numbers. None, for many numbers that an earlier case has tried. */
static int count_fills(const check_spec *s, choice *c)
{
    const int64_t n = count_numbers(c->form.inputs);
    const bool fixed = n < 0 || c->form.inputs->refused;
    const bool is_new = c->first && !c->repeated;
    c->fill = fixed || (is_new && n < MANY) ? CHECK_PLAIN : CHECK_SPECIAL;
    if (n >= MANY && !is_new)
        return 0;
    if (fixed || n >= MANY || !is_new)
        return 1;
    return s->mild ? 2 : CHECK_N_FILLS;
}

/* Chooses the n-th choice of inputs for one opset, type and set of attributes. Past the last it
 * returns false, with the number of choices subtracted from *n. */
static bool choose_inputs(const check_spec *s, choice *c, int *n)
{
    const char *attributes = c->form.attributes;
    for (int k = 0; k < s->n_inputs; k++) {
        c->form.inputs = &s->inputs[k];
        c->form.attributes = c->form.inputs->own ? c->form.inputs->own : attributes;
        if (!check_scope_has(c->form.inputs->scope, c->form.opset) ||
            (!c->first && (c->form.inputs->own || c->form.inputs->refused)))
            continue;
        const int fills = count_fills(s, c);
        c->fill += (check_fill)*n;
        if (s->mild && c->fill == CHECK_SPECIAL)
            c->fill = CHECK_MILD;
        if (*n < fills)
            return true;
        *n -= fills;
    }
    return false;
}

/* Chooses the n-th of the family's types, or of those that the operator has. */
static bool choose_type(const check_spec *s, oc_type_mask types, int n, oc_type *out)
{
    for (int t = 1; s->n_types == 0 && t < OC_N_TYPES; t++)
        if (types >> t & 1 && n-- == 0) {
            *out = (oc_type)t;
            return true;
        }
    if (n >= s->n_types)
        return false;
    *out = s->types[n];
    return true;
}

static bool choose_attributes(const check_spec *s, choice *c, int *n)
{
    c->first = true;
    c->form.attributes = "";
    if (s->n_attributes == 0)
        return choose_inputs(s, c, n);
    for (int a = 0; a < s->n_attributes; a++) {
        if (!check_scope_has(s->attributes[a].scope, c->form.opset))
            continue;
        c->form.attributes = s->attributes[a].text;
        if (choose_inputs(s, c, n))
            return true;
        c->first = false;
    }
    return false;
}

/* Chooses the i-th choice of all. The search begins at the opset and type of the last one. */
static bool choose(check_maker *m, choice *c, int i)
{
    const check_spec *s = &m->family->spec;
    if (!m->n_opsets)
        m->n_opsets = check_family_versions(m->family, m->version);
    if (i < m->before)
        m->at = m->type = m->before = 0;
    for (int n = i - m->before; m->at < m->n_opsets; m->at++, m->type = 0) {
        const check_version *v = &m->version[m->at];
        c->form.opset = v->opset;
        c->repeated = v->repeated;
        for (; choose_type(s, v->types, m->type, &c->form.type); m->type++) {
            m->before = i - n;
            if (choose_attributes(s, c, &n))
                return true;
        }
    }
    return false;
}

/* ---- cases */

bool check_spec_make(check_maker *maker, int i, check_case *out, oc_error *e)
{
    const check_family *family = maker->family;
    const check_spec *s = &family->spec;
    choice c = {0};
    if (!choose(maker, &c, i))
        return false;
    const bool mixed = check_form_is_mixed(s, &c.form);
    snprintf(out->group, sizeof out->group, "%d %s%s%s", c.form.opset, oc_type_name(c.form.type),
             *c.form.attributes ? " " : "", c.form.attributes);
    snprintf(out->name, sizeof out->name, "%.220s (%.160s)%s", out->group, c.form.inputs->text,
             check_fill_names[c.fill]);
    check_form_make(family, &c.form, out);
    for (int k = 0; k < c.form.inputs->n; k++) {
        const check_input *in = &c.form.inputs->in[k];
        char name[96];
        snprintf(name, sizeof name, "%.80s x%d", family->op, k);
        if (in->kind != CHECK_MISSING && in->kind != CHECK_GIVEN)
            out->in[out->n_in++] = make_input(in, &c, name, maker->seed + (uint64_t)i,
                                              mixed ? CHECK_PLAIN : c.fill, e);
    }
    return true;
}
