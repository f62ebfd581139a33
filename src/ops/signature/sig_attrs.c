/* SPDX-License-Identifier: Apache-2.0
 * sig_attrs.c - parses the attributes of a signature. */
#include "ops/signature/sig_parser.h"

static oc_status parse_number(oc_sig_parser *p, oc_attr_kind kind, void *out)
{
    if (oc_attr_item(kind) == OC_ATTR_INT)
        return oc_lex_int(&p->lex, "a default", out, p->e);
    double d;
    OC_TRY(oc_lex_float(&p->lex, "a default", &d, p->e));
    *(float *)out = (float)d;
    return OC_OK;
}

static oc_status parse_string(oc_sig_parser *p, oc_string *s)
{
    OC_TRY(oc_lex_string(&p->lex, "a default", &s->data, &s->size, p->e));
    s->data = oc_arena_text(p->arena, s->data, s->size);
    return oc_arena_check(p->arena, p->e);
}

/* "[1, 2]" of an ints, floats or strings attribute. */
static oc_status parse_list(oc_sig_parser *p, oc_attr *a)
{
    const size_t size = a->kind == OC_ATTR_INTS     ? sizeof(int64_t)
                        : a->kind == OC_ATTR_FLOATS ? sizeof(float)
                                                    : sizeof(oc_string);
    char *items = oc_arena_array(p->arena, 16, size);
    OC_TRY(oc_arena_check(p->arena, p->e));
    OC_TRY(oc_lex_want(&p->lex, "[", p->e));
    while (!oc_lex_take(&p->lex, "]")) {
        if (a->n == 16)
            return oc_lex_fail(&p->lex, p->e, "expected at most 16 default elements");
        void *item = items + size * (size_t)a->n++;
        OC_TRY(a->kind == OC_ATTR_STRINGS ? parse_string(p, item) : parse_number(p, a->kind, item));
        if (!oc_lex_is(&p->lex, "]"))
            OC_TRY(oc_lex_want(&p->lex, ",", p->e));
    }
    a->u.items = items;
    return OC_OK;
}

static oc_status parse_default(oc_sig_parser *p, oc_attr *a)
{
    if (a->kind == OC_ATTR_INTS || a->kind == OC_ATTR_FLOATS || a->kind == OC_ATTR_STRINGS)
        return parse_list(p, a);
    a->n = 1;
    if (a->kind == OC_ATTR_STRING) {
        oc_string *s = oc_arena_alloc(p->arena, sizeof *s);
        OC_TRY(oc_arena_check(p->arena, p->e));
        a->u.s = s;
        return parse_string(p, s);
    }
    if (a->kind != OC_ATTR_INT && a->kind != OC_ATTR_FLOAT)
        return oc_lex_fail(&p->lex, p->e, "expected no default for an attribute of this kind");
    void *one = oc_arena_alloc(p->arena, sizeof(int64_t));
    OC_TRY(oc_arena_check(p->arena, p->e));
    a->u.items = one;
    return parse_number(p, a->kind, one);
}

static oc_status parse_kind(oc_sig_parser *p, oc_attr_kind *kind)
{
    for (*kind = OC_ATTR_FLOAT; *kind < OC_N_ATTR_KINDS; ++*kind)
        if (oc_lex_take(&p->lex, oc_attr_kind_name(*kind)))
            return OC_OK;
    return oc_lex_fail(&p->lex, p->e, "expected an attribute kind");
}

/* "+", "@T", ":T": marks behind an attribute's name. */
static oc_status parse_marks(oc_sig_parser *p, oc_sig_attr *a)
{
    a->neutral = oc_lex_take(&p->lex, "+");
    a->names_type = oc_lex_take(&p->lex, "@");
    if (a->names_type || oc_lex_take(&p->lex, ":"))
        OC_TRY(oc_sig_name(p, "a type variable", &a->var_name));
    return OC_OK;
}

/* "from port", "gives 1", "gives all": marks behind a graph attribute. */
static oc_status parse_graph_marks(oc_sig_parser *p, oc_sig_attr *a)
{
    int64_t first;
    if (oc_lex_take(&p->lex, "from"))
        OC_TRY(oc_sig_name(p, "an input", &a->from_name));
    if (!oc_lex_take(&p->lex, "gives"))
        return OC_OK;
    a->gives_all = oc_lex_take(&p->lex, "all");
    a->gives = 0;
    if (a->gives_all)
        return OC_OK;
    OC_TRY(oc_lex_int(&p->lex, "the number of an output", &first, p->e));
    if (first < 0 || first > OC_SIG_PORTS)
        return oc_lex_fail(&p->lex, p->e, "expected the number of an output before it");
    a->gives = (int)first;
    return OC_OK;
}

/* An identifier, or any bytes in quotes. */
static oc_status parse_attr_name(oc_sig_parser *p, const char **name)
{
    oc_string quoted;
    if (p->lex.token != OC_TOK_STRING)
        return oc_sig_name(p, "an attribute name", name);
    OC_TRY(parse_string(p, &quoted));
    *name = quoted.data;
    return OC_OK;
}

oc_status oc_sig_parse_attr(oc_sig_parser *p)
{
    oc_sig *s = p->sig;
    if (s->n_attr == OC_SIG_ATTRS)
        return oc_lex_fail(&p->lex, p->e, "expected at most %d attributes", OC_SIG_ATTRS);
    oc_sig_attr *a = &s->attr[s->n_attr++];
    *a = (oc_sig_attr){.var = -1, .from = -1, .gives = -1};
    a->option = oc_lex_take(&p->lex, "option");
    OC_TRY(parse_kind(p, &a->value.kind));
    OC_TRY(parse_attr_name(p, &a->name));
    a->value.name = a->name;
    a->value.doc = "";
    OC_TRY(parse_marks(p, a));
    if (a->value.kind == OC_ATTR_GRAPH)
        OC_TRY(parse_graph_marks(p, a));
    if (oc_lex_take(&p->lex, "?"))
        return OC_OK;
    a->has_default = oc_lex_take(&p->lex, "=");
    a->required = !a->has_default;
    if (a->option && !a->has_default)
        return oc_lex_fail(&p->lex, p->e, "expected a default of the option");
    return a->has_default ? parse_default(p, &a->value) : OC_OK;
}

oc_status oc_sig_link_attrs(oc_sig_parser *p)
{
    oc_sig *s = p->sig;
    for (int i = 0; i < s->n_attr; i++) {
        oc_sig_attr *a = &s->attr[i];
        for (int v = 0; a->var_name && v < s->n_var; v++)
            if (strcmp(s->var[v], a->var_name) == 0)
                a->var = v;
        for (int k = 0; a->from_name && k < s->n_in; k++)
            if (strcmp(s->in[k].name, a->from_name) == 0)
                a->from = k;
        if ((a->var_name && a->var < 0) || (a->from_name && a->from < 0))
            return oc_error_set(p->e, OC_ARGUMENT,
                                "attribute '%s' names '%s', which is not a type variable or input",
                                a->name, a->var_name ? a->var_name : a->from_name);
    }
    return OC_OK;
}
