/* SPDX-License-Identifier: Apache-2.0
 * mutate.c - changes a case at random: its numbers, sizes, types and attributes. */
#include "check/mutate.h"

#include "check/draw.h"
#include "check/form.h"
#include "values/fill.h"

mutator mutator_new(const check_family *family, uint64_t seed)
{
    mutator m = {.family = family, .key = fill_key(seed, family->op)};
    m.n_versions = check_family_versions(family, m.version);
    return m;
}

static uint64_t next(mutator *m)
{
    return fill_bits(m->key, m->counter++);
}

int mutate_below(mutator *m, int n)
{
    return (int)((next(m) >> 33) % (uint64_t)n);
}

/* ---- opening ---- */

static int64_t count_all(const check_case *c)
{
    int64_t n = 0;
    for (int i = 0; i < c->n_in; i++)
        n += oc_value_count(c->in[i]);
    return n;
}

bool mutate_open(const mutator *m, check_case *c, oc_error *e)
{
    if (count_all(c) > MUTATE_MOST)
        return false;
    if (!c->form.opset || c->form.open)
        return true;
    check_inputs *own = tool_alloc(1, sizeof *own);
    *own = *c->form.inputs;
    c->form.inputs = own;
    c->form.open = true;
    oc_value *in[CHECK_INPUTS];
    int n = 0, before = 0;
    for (int k = 0; k < own->n; k++)
        if (own->in[k].kind == CHECK_GIVEN)
            in[n++] = check_form_given(&own->in[k], &c->form, e);
        else if (own->in[k].kind != CHECK_MISSING)
            in[n++] = c->in[before++];
    memcpy(c->in, in, sizeof(oc_value *) * (size_t)n);
    c->n_in = n;
    const compare_bound bound = c->bound;
    free(c->model);
    check_form_make(m->family, &c->form, c);
    c->bound = bound;
    return count_all(c) <= MUTATE_MOST;
}

/* ---- numbers ---- */

/* Returns what the marks say about input k; without marks any number is allowed. */
static draw_rule rule_of(const mutator *m, const check_case *c, int k)
{
    static const check_input any = {.kind = CHECK_ANY};
    const check_input *in = &any;
    for (int i = 0, n = 0; c->form.opset && i < c->form.inputs->n; i++)
        if (c->form.inputs->in[i].kind != CHECK_MISSING && n++ == k)
            in = &c->form.inputs->in[i];
    return draw_rule_of(in, &m->family->spec, c->form.opset ? &c->form : NULL,
                        oc_value_type(c->in[k]));
}

void mutate_numbers(mutator *m, const check_case *c)
{
    for (int tries = 0, left = 1 + mutate_below(m, 3); c->n_in && left > 0 && tries < 8; tries++) {
        const int k = mutate_below(m, c->n_in);
        const draw_rule rule = rule_of(m, c, k);
        const uint64_t key = next(m);
        if (draw_change(&rule, c->in[k], key))
            left--;
    }
}

/* ---- forms ---- */

/* Returns the number of elements with these dims, at most MUTATE_MOST + 1. */
static int64_t count_dims(const check_input *in)
{
    int64_t n = 1;
    for (int a = 0; a < in->rank; a++)
        n = n * in->dim[a] > MUTATE_MOST ? MUTATE_MOST + 1 : n * in->dim[a];
    return n;
}

static int64_t change_dim(mutator *m, int64_t d)
{
    switch (mutate_below(m, 8)) {
    case 7:
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        return d + 1;
    case 3:
        return d > 0 ? d - 1 : 2;
    case 4:
        return 2 * d;
    case 5:
        return 8 + mutate_below(m, 3);
    default:
        return 1 + mutate_below(m, 40);
    }
}

/* Changes a size wherever it stands, or in one place, from *from to *to. */
static bool change_dims(mutator *m, check_inputs *own, int64_t *from, int64_t *to)
{
    const int k = mutate_below(m, own->n), rank = own->in[k].rank;
    if (own->in[k].kind == CHECK_MISSING || !rank)
        return false;
    const int axis = mutate_below(m, rank);
    *from = own->in[k].dim[axis];
    *to = change_dim(m, *from);
    if (mutate_below(m, 4) == 0) {
        own->in[k].dim[axis] = *to;
        return *to != *from;
    }
    for (int i = 0; i < own->n; i++)
        for (int a = 0; a < own->in[i].rank; a++)
            if (own->in[i].dim[a] == *from)
                own->in[i].dim[a] = *to;
    return *to != *from;
}

/* Returns one of the family's sets of attributes; NULL when there is none for this opset, or
 * when the list of inputs has attributes of its own. */
static const char *choose_attributes(mutator *m, const check_inputs *own, int opset)
{
    const check_spec *s = &m->family->spec;
    if (own->own || !s->n_attributes)
        return NULL;
    const check_attributes *a = &s->attributes[mutate_below(m, s->n_attributes)];
    return check_scope_has(a->scope, opset) ? a->text : NULL;
}

static bool choose_type(mutator *m, check_form *f)
{
    const check_spec *s = &m->family->spec;
    oc_type_mask types = 0;
    for (int i = 0; i < m->n_versions; i++)
        if (m->version[i].opset == f->opset)
            types = m->version[i].types;
    oc_type type = (oc_type)(1 + mutate_below(m, OC_N_TYPES - 1));
    if (s->n_types)
        type = s->types[mutate_below(m, s->n_types)];
    else if (!(types >> type & 1))
        return false;
    const bool changed = type != f->type;
    f->type = type;
    return changed;
}

/* Changes a size, the set of attributes, the type or the opset. */
static bool change_form(mutator *m, check_form *f, check_inputs *own, int64_t *from, int64_t *to)
{
    const int what = mutate_below(m, 8);
    if (what < 4)
        return change_dims(m, own, from, to);
    if (what == 4) {
        const int opset = m->version[mutate_below(m, m->n_versions)].opset;
        const bool changed = opset != f->opset && check_scope_has(own->scope, opset);
        f->opset = opset;
        return changed;
    }
    if (what == 5)
        return choose_type(m, f);
    const char *text = choose_attributes(m, own, f->opset);
    const bool changed = text && strcmp(text, f->attributes) != 0;
    f->attributes = text ? text : "";
    return changed;
}

static void name_case(check_case *c)
{
    snprintf(c->group, sizeof c->group, "%d %s%s%.200s", c->form.opset, oc_type_name(c->form.type),
             *c->form.attributes ? " " : "", c->form.attributes);
    size_t n = (size_t)snprintf(c->name, sizeof c->name, "%.220s (", c->group);
    for (int k = 0; k < c->n_in && n < sizeof c->name - 80; k++) {
        n += (size_t)snprintf(c->name + n, 40, "%s%s[", k ? "; " : "",
                              oc_type_name(oc_value_type(c->in[k])));
        for (int a = 0; a < oc_value_rank(c->in[k]) && n < sizeof c->name - 40; a++)
            n += (size_t)snprintf(c->name + n, 30, a ? ",%" PRId64 : "%" PRId64,
                                  oc_value_dims(c->in[k])[a]);
        n += (size_t)snprintf(c->name + n, 4, "]");
    }
    snprintf(c->name + n, sizeof c->name - n, ")");
}

/* Returns a tensor of the input's type and dims that repeats the old one's elements. A changed
 * size also changes where it stands among whole numbers. NULL: there is no such tensor. */
static oc_value *refill(mutator *m, const check_case *c, OC_UNUSED int k, const check_input *in,
                        const oc_value *old, const int64_t *size, oc_error *e)
{
    const oc_type type = check_input_type(in, &c->form);
    const int64_t count = oc_value_count(old);
    if ((type == OC_STRING) != (oc_value_type(old) == OC_STRING) || type == OC_STRING)
        return NULL;
    oc_value *v = oc_tensor_new(type, in->rank, in->dim, NULL, e);
    const draw_rule rule = draw_rule_of(in, &m->family->spec, &c->form, type);
    for (int64_t i = 0; v && i < oc_value_count(v); i++) {
        if (count)
            draw_take(&rule, v, i, old, i % count, next(m));
        else
            draw_new(&rule, v, i, next(m));
        if (in->kind == CHECK_GIVEN && type == OC_I64 &&
            ((const int64_t *)oc_value_data(v))[i] == size[0])
            ((int64_t *)oc_value_mutable_data(v))[i] = mutate_below(m, 2) ? size[0] : size[1];
    }
    return v;
}

bool mutate_form(mutator *m, const check_case *from, check_case *out, oc_error *e)
{
    if (!from->form.opset)
        return false;
    check_inputs *own = tool_alloc(1, sizeof *own);
    *own = *from->form.inputs;
    int64_t size[2] = {-1, -1}, n = 0;
    *out = (check_case){.form = from->form};
    out->form.inputs = own;
    bool made = change_form(m, &out->form, own, &size[0], &size[1]);
    for (int i = 0; i < own->n; i++)
        n += own->in[i].kind == CHECK_MISSING ? 0 : count_dims(&own->in[i]);
    made = made && n <= MUTATE_MOST;
    if (made)
        check_form_make(m->family, &out->form, out);
    for (int i = 0; i < own->n && made; i++)
        if (own->in[i].kind != CHECK_MISSING) {
            out->in[out->n_in] =
                refill(m, out, out->n_in, &own->in[i], from->in[out->n_in], size, e);
            made = out->in[out->n_in++] != NULL;
        }
    if (made)
        name_case(out);
    else
        check_case_free(out);
    return made;
}
