/* SPDX-License-Identifier: Apache-2.0
 * sig.c - signature strings to data, through the shared lexer. */
#include "ops/kit/sig.h"

#include "base/lex.h"

#include <string.h>

/* ---- sets of types ---- */

#define SET_ALL                                                                                    \
    (OC_SET_IEEE | OC_SET_SIGNED | OC_SET_UNSIGNED | OC_SET_COMPLEX | OC_SET_(BOOL) |              \
     OC_SET_(STRING))
#define SET_IR4  (SET_ALL | OC_SET_(BF16))
#define SET_IR9  (SET_IR4 | OC_SET_F8)
#define SET_IR10 (SET_IR9 | OC_SET_(U4) | OC_SET_(I4))
#define SET_IR11 (SET_IR10 | OC_SET_(F4E2M1))
#define SET_IR12 (SET_IR11 | OC_SET_(F8E8M0))
#define SET_IR13 (SET_IR12 | OC_SET_(U2) | OC_SET_(I2))

static const struct {
    const char *name;
    uint32_t set;
} sets[] = {
    {"all", SET_ALL},
    {"all_ir4", SET_IR4},
    {"all_ir9", SET_IR9},
    {"all_ir10", SET_IR10},
    {"all_ir11", SET_IR11},
    {"all_ir12", SET_IR12},
    {"all_ir13", SET_IR13},
    {"numeric", OC_SET_IEEE | OC_SET_SIGNED | OC_SET_UNSIGNED},
    {"numeric_ir4", OC_SET_FLOAT | OC_SET_SIGNED | OC_SET_UNSIGNED},
    {"high_precision", OC_SET_IEEE | OC_SET_(U32) | OC_SET_(U64) | OC_SET_(I32) | OC_SET_(I64)},
    {"high_precision_ir4",
     OC_SET_FLOAT | OC_SET_(U32) | OC_SET_(U64) | OC_SET_(I32) | OC_SET_(I64)},
    {"ieee", OC_SET_IEEE},
    {"float_ir4", OC_SET_FLOAT},
    {"float8", OC_SET_F8},
    {"signed", OC_SET_SIGNED},
    {"unsigned", OC_SET_UNSIGNED},
    {"index", OC_SET_(I32) | OC_SET_(I64)},
};

static uint32_t find_set(const char *text, size_t size)
{
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (strlen(sets[i].name) == size && memcmp(sets[i].name, text, size) == 0)
            return sets[i].set;
    const oc_type t = oc_type_find(text, size);
    return t ? oc_type_bit(t) : 0;
}

uint32_t oc_type_set(const char *name)
{
    return find_set(name, strlen(name));
}

/* ---- the parser ---- */

typedef struct parser {
    oc_lex lex;
    oc_arena *arena;
    oc_error *e;
    oc_sig *sig;
} parser;

static const char *copy_name(parser *p, const char *text, size_t size)
{
    return oc_arena_text(p->arena, text, size);
}

static oc_status want_name(parser *p, const char *what, const char **name)
{
    const char *text;
    size_t size;
    OC_TRY(oc_lex_name(&p->lex, what, &text, &size, p->e));
    *name = copy_name(p, text, size);
    return oc_arena_check(p->arena, p->e);
}

static oc_status parse_number(parser *p, oc_attr_kind kind, void *out)
{
    if (kind == OC_ATTR_INT || kind == OC_ATTR_INTS)
        return oc_lex_int(&p->lex, "a default", out, p->e);
    double d;
    OC_TRY(oc_lex_float(&p->lex, "a default", &d, p->e));
    *(float *)out = (float)d;
    return OC_OK;
}

/* "[1, 2]" of an ints or floats attribute. */
static oc_status parse_list(parser *p, oc_attr *a)
{
    const size_t size = a->kind == OC_ATTR_INTS ? sizeof(int64_t) : sizeof(float);
    char *items = oc_arena_array(p->arena, 16, size);
    OC_TRY(oc_arena_check(p->arena, p->e));
    OC_TRY(oc_lex_want(&p->lex, "[", p->e));
    while (!oc_lex_take(&p->lex, "]")) {
        if (a->n == 16)
            return oc_lex_fail(&p->lex, p->e, "expected at most 16 default elements");
        OC_TRY(parse_number(p, a->kind, items + size * (size_t)a->n++));
        if (!oc_lex_is(&p->lex, "]"))
            OC_TRY(oc_lex_want(&p->lex, ",", p->e));
    }
    if (a->kind == OC_ATTR_INTS)
        a->u.i = (const int64_t *)items;
    else
        a->u.f = (const float *)items;
    return OC_OK;
}

static oc_status parse_default(parser *p, oc_attr *a)
{
    if (a->kind == OC_ATTR_INTS || a->kind == OC_ATTR_FLOATS)
        return parse_list(p, a);
    a->n = 1;
    if (a->kind == OC_ATTR_STRING) {
        oc_string *s = oc_arena_alloc(p->arena, sizeof *s);
        OC_TRY(oc_arena_check(p->arena, p->e));
        OC_TRY(oc_lex_string(&p->lex, "a default", &s->data, &s->size, p->e));
        s->data = copy_name(p, s->data, s->size);
        a->u.s = s;
        return oc_arena_check(p->arena, p->e);
    }
    if (a->kind != OC_ATTR_INT && a->kind != OC_ATTR_FLOAT)
        return oc_lex_fail(&p->lex, p->e, "expected no default for an attribute of this kind");
    void *one = oc_arena_alloc(p->arena, sizeof(int64_t));
    OC_TRY(oc_arena_check(p->arena, p->e));
    if (a->kind == OC_ATTR_INT)
        a->u.i = one;
    else
        a->u.f = one;
    return parse_number(p, a->kind, one);
}

static oc_status parse_kind(parser *p, oc_attr_kind *kind)
{
    static const struct {
        const char *name;
        oc_attr_kind kind;
    } kinds[] = {
#define X(name, number, text) {text, OC_ATTR_##name},
        OC_ATTR_MAP(X)
#undef X
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (oc_lex_take(&p->lex, kinds[i].name)) {
            *kind = kinds[i].kind;
            return OC_OK;
        }
    return oc_lex_fail(&p->lex, p->e, "expected an attribute kind");
}

static oc_status parse_attr(parser *p)
{
    oc_sig *s = p->sig;
    if (s->n_attr == OC_SIG_ATTRS)
        return oc_lex_fail(&p->lex, p->e, "expected at most %d attributes", OC_SIG_ATTRS);
    oc_sig_attr *a = &s->attr[s->n_attr++];
    OC_TRY(parse_kind(p, &a->value.kind));
    OC_TRY(want_name(p, "an attribute name", &a->name));
    a->value.name = a->name;
    a->value.doc = "";
    if (oc_lex_take(&p->lex, "?"))
        return OC_OK;
    if (!oc_lex_take(&p->lex, "=")) {
        a->required = true;
        return OC_OK;
    }
    a->has_default = true;
    return parse_default(p, &a->value);
}

static int find_var(const oc_sig *s, const char *name)
{
    for (int i = 0; i < s->n_var; i++)
        if (strcmp(s->var[i], name) == 0)
            return i;
    return -1;
}

/* "set", "seq(set)", "opt(set)" or "opt(seq(set))", added to *set. False when it is none. */
static oc_status parse_set(parser *p, oc_sig_set *set)
{
    const bool opt = oc_lex_take(&p->lex, "opt");
    if (opt)
        OC_TRY(oc_lex_want(&p->lex, "(", p->e));
    const bool seq = oc_lex_take(&p->lex, "seq");
    if (seq)
        OC_TRY(oc_lex_want(&p->lex, "(", p->e));
    const char *text;
    size_t size;
    OC_TRY(oc_lex_name(&p->lex, "a type or set of types", &text, &size, p->e));
    const uint32_t bits = find_set(text, size);
    if (!bits)
        return oc_error_set(p->e, OC_ARGUMENT, "signature: '%.*s' is no type or set of types",
                            (int)size, text);
    *(opt   ? (seq ? &set->opt_sequence : &set->optional)
      : seq ? &set->sequence
            : &set->tensor) |= bits;
    if (seq)
        OC_TRY(oc_lex_want(&p->lex, ")", p->e));
    if (opt)
        OC_TRY(oc_lex_want(&p->lex, ")", p->e));
    return OC_OK;
}

/* A type variable is one capital letter, alone or with more capitals or digits: T, T1, Tind. */
static bool is_var(const oc_lex *l)
{
    return l->token == OC_TOK_NAME && l->size > 0 && l->text[0] >= 'A' && l->text[0] <= 'Z';
}

static oc_status parse_port_type(parser *p, oc_sig_port *port)
{
    port->var = -1;
    if (!is_var(&p->lex))
        return parse_set(p, &port->set);
    const char *name;
    OC_TRY(want_name(p, "a type", &name));
    port->var = find_var(p->sig, name);
    if (port->var >= 0)
        return OC_OK;
    if (p->sig->n_var == OC_SIG_VARS)
        return oc_lex_fail(&p->lex, p->e, "expected at most %d type variables", OC_SIG_VARS);
    port->var = p->sig->n_var;
    p->sig->var[p->sig->n_var++] = name;
    return OC_OK;
}

static oc_status parse_ports(parser *p, oc_sig_port *ports, int *n, int *min)
{
    OC_TRY(oc_lex_want(&p->lex, "(", p->e));
    while (!oc_lex_take(&p->lex, ")")) {
        if (*n == OC_SIG_PORTS)
            return oc_lex_fail(&p->lex, p->e, "expected at most %d ports", OC_SIG_PORTS);
        oc_sig_port *port = &ports[(*n)++];
        OC_TRY(parse_port_type(p, port));
        OC_TRY(want_name(p, "a port name", &port->name));
        for (bool more = true; more;) {
            more = false;
            if (oc_lex_take(&p->lex, "!"))
                more = port->value = true;
            if (oc_lex_take(&p->lex, "="))
                more = port->prepared = true;
            if (oc_lex_take(&p->lex, "~"))
                more = port->mixed = true;
            if (oc_lex_take(&p->lex, "?"))
                more = port->optional = true;
            if (oc_lex_take(&p->lex, "..."))
                more = port->variadic = true;
        }
        if (!port->optional)
            *min = *n;
        if (oc_lex_is(&p->lex, ")"))
            continue;
        if (port->variadic)
            return oc_lex_fail(&p->lex, p->e, "expected ')' after a variadic port");
        OC_TRY(oc_lex_want(&p->lex, ",", p->e));
    }
    return OC_OK;
}

static void resolve(oc_sig_port *ports, int n, int var, const oc_sig_set *set)
{
    for (int i = 0; i < n; i++)
        if (ports[i].var == var)
            ports[i].set = *set;
}

/* "T: set set" */
static oc_status parse_var(parser *p, unsigned *seen)
{
    oc_sig *s = p->sig;
    const char *name;
    OC_TRY(want_name(p, "a type variable", &name));
    const int var = find_var(s, name);
    if (var < 0)
        return oc_lex_fail(&p->lex, p->e, "expected a type variable that a port has");
    OC_TRY(oc_lex_want(&p->lex, ":", p->e));
    oc_sig_set set = {0};
    while (p->lex.token == OC_TOK_NAME)
        OC_TRY(parse_set(p, &set));
    resolve(s->in, s->n_in, var, &set);
    resolve(s->out, s->n_out, var, &set);
    *seen |= 1u << var;
    return OC_OK;
}

/* What follows the ports: variables and marks of the whole operator. */
static oc_status parse_rest(parser *p)
{
    oc_sig *s = p->sig;
    unsigned seen = 0;
    if (oc_lex_take(&p->lex, "|"))
        do {
            if (oc_lex_take(&p->lex, "random"))
                s->random = true;
            else
                OC_TRY(parse_var(p, &seen));
        } while (oc_lex_take(&p->lex, ";"));
    for (int v = 0; v < s->n_var; v++)
        if (!(seen >> v & 1))
            return oc_lex_fail(&p->lex, p->e, "expected the types of variable %s", s->var[v]);
    return OC_OK;
}

/* "Name" or "domain.parts::Name". */
static oc_status parse_name(parser *p)
{
    const char *start = p->lex.at, *text;
    size_t size;
    OC_TRY(oc_lex_name(&p->lex, "an operator name", &text, &size, p->e));
    while (oc_lex_take(&p->lex, "."))
        OC_TRY(oc_lex_name(&p->lex, "a domain", &text, &size, p->e));
    p->sig->domain = "";
    if (oc_lex_is(&p->lex, "::")) {
        p->sig->domain = copy_name(p, start, (size_t)(p->lex.at - start));
        oc_lex_next(&p->lex);
        OC_TRY(oc_lex_name(&p->lex, "an operator name", &text, &size, p->e));
    }
    p->sig->name = copy_name(p, text, size);
    return oc_arena_check(p->arena, p->e);
}

oc_status oc_sig_parse(const char *text, oc_arena *arena, const oc_sig **sig, oc_error *e)
{
    parser p = {.arena = arena, .e = e, .lex = oc_lex_new(text, strlen(text), arena)};
    p.sig = oc_arena_alloc(arena, sizeof *p.sig);
    OC_TRY(oc_arena_check(arena, e));
    OC_TRY(parse_name(&p));
    if (oc_lex_take(&p.lex, "<"))
        while (!oc_lex_take(&p.lex, ">")) {
            OC_TRY(parse_attr(&p));
            if (!oc_lex_is(&p.lex, ">"))
                OC_TRY(oc_lex_want(&p.lex, ",", e));
        }
    OC_TRY(parse_ports(&p, p.sig->in, &p.sig->n_in, &p.sig->min_in));
    OC_TRY(oc_lex_want(&p.lex, "=>", e));
    OC_TRY(parse_ports(&p, p.sig->out, &p.sig->n_out, &p.sig->min_out));
    OC_TRY(parse_rest(&p));
    if (p.lex.token != OC_TOK_END)
        return oc_lex_fail(&p.lex, e, "expected the end of the signature");
    *sig = p.sig;
    return OC_OK;
}

oc_type oc_sig_only_type(const oc_sig_set *set)
{
    const uint32_t bits = set->tensor;
    if (!bits || bits & (bits - 1) || set->sequence || set->optional || set->opt_sequence)
        return OC_UNDEFINED;
    int type = 0;
    while (bits >> type != 1)
        type++;
    return (oc_type)type;
}

oc_sig_cache oc_sig_cache_new(oc_arena *arena)
{
    return (oc_sig_cache){.arena = arena, .index = oc_name_map_new(arena)};
}

oc_status oc_sig_cached(oc_sig_cache *c, const char *text, const oc_sig **sig, oc_error *e)
{
    const int at = oc_name_map_get(&c->index, text), last = c->n;
    if (at >= 0) {
        *sig = c->item[at];
        return OC_OK;
    }
    OC_TRY(oc_sig_parse(text, c->arena, sig, e));
    const oc_sig **item = OC_PUSH(c->arena, c->item, c->n);
    if (!item || !oc_name_map_put(&c->index, text, last))
        return oc_arena_check(c->arena, e);
    *item = *sig;
    return OC_OK;
}

bool oc_sig_names(const char *text, const char *domain, const char *name)
{
    const size_t n_domain = strlen(domain), n_name = strlen(name);
    if (n_domain) {
        if (strncmp(text, domain, n_domain) != 0 || strncmp(text + n_domain, "::", 2) != 0)
            return false;
        text += n_domain + 2;
    }
    if (strncmp(text, name, n_name) != 0)
        return false;
    const char after = text[n_name];
    return after == ' ' || after == '<' || after == '(';
}
