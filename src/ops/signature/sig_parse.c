/* SPDX-License-Identifier: Apache-2.0
 * sig_parse.c - parses signature strings, with the shared lexer. */
#include "ops/signature/sig_parser.h"

oc_status oc_sig_name(oc_sig_parser *p, const char *what, const char **name)
{
    const char *text;
    size_t size;
    OC_TRY(oc_lex_name(&p->lex, what, &text, &size, p->e));
    *name = oc_arena_text(p->arena, text, size);
    return oc_arena_check(p->arena, p->e);
}

static int find_var(const oc_sig *s, const char *name)
{
    for (int i = 0; i < s->n_var; i++)
        if (strcmp(s->var[i], name) == 0)
            return i;
    return -1;
}

/* Returns the member of *set with the types of that form. */
static oc_type_mask *part_of(oc_sig_set *set, bool opt, bool seq, bool map)
{
    if (map)
        return seq ? &set->map_sequence : &set->map;
    if (opt)
        return seq ? &set->opt_sequence : &set->optional;
    return seq ? &set->sequence : &set->tensor;
}

/* Adds "set", "seq(set)", "opt(set)", "opt(seq(set))", "map(set)" or "seq(map(set))" to *set. Any
 * other text is an error. */
static oc_status parse_set(oc_sig_parser *p, oc_sig_set *set)
{
    const bool opt = oc_lex_take(&p->lex, "opt");
    if (opt)
        OC_TRY(oc_lex_want(&p->lex, "(", p->e));
    const bool seq = oc_lex_take(&p->lex, "seq");
    if (seq)
        OC_TRY(oc_lex_want(&p->lex, "(", p->e));
    const bool map = !opt && oc_lex_take(&p->lex, "map");
    if (map)
        OC_TRY(oc_lex_want(&p->lex, "(", p->e));
    const char *text;
    size_t size;
    OC_TRY(oc_lex_name(&p->lex, "a type or set of types", &text, &size, p->e));
    const oc_type_mask bits = oc_sig_find_set(text, size);
    if (!bits)
        return oc_error_set(p->e, OC_ARGUMENT, "'%.*s' is not a type or a set of types", (int)size,
                            text);
    *part_of(set, opt, seq, map) |= bits;
    for (int open = opt + seq + map; open > 0; open--)
        OC_TRY(oc_lex_want(&p->lex, ")", p->e));
    return OC_OK;
}

/* A type variable is one capital letter, alone or with more capitals or digits: T, T1, Tind. */
static bool is_var(const oc_lex *l)
{
    return l->token == OC_TOK_NAME && l->size > 0 && l->text[0] >= 'A' && l->text[0] <= 'Z';
}

static oc_status parse_port_type(oc_sig_parser *p, oc_sig_port *port)
{
    port->var = -1;
    if (!is_var(&p->lex))
        return parse_set(p, &port->set);
    const char *name;
    OC_TRY(oc_sig_name(p, "a type", &name));
    port->var = find_var(p->sig, name);
    if (port->var >= 0)
        return OC_OK;
    if (p->sig->n_var == OC_SIG_VARS)
        return oc_lex_fail(&p->lex, p->e, "expected at most %d type variables", OC_SIG_VARS);
    port->var = p->sig->n_var;
    p->sig->like[port->var] = port->var;
    p->sig->var[p->sig->n_var++] = name;
    return OC_OK;
}

static oc_status parse_ports(oc_sig_parser *p, oc_sig_port *ports, int *n, int *min)
{
    OC_TRY(oc_lex_want(&p->lex, "(", p->e));
    while (!oc_lex_take(&p->lex, ")")) {
        if (*n == OC_SIG_PORTS)
            return oc_lex_fail(&p->lex, p->e, "expected at most %d ports", OC_SIG_PORTS);
        oc_sig_port *port = &ports[(*n)++];
        OC_TRY(parse_port_type(p, port));
        OC_TRY(oc_sig_name(p, "a port name", &port->name));
        for (bool more = true; more;) {
            more = false;
            if (oc_lex_take(&p->lex, "!"))
                more = port->value = true;
            if (oc_lex_take(&p->lex, "^"))
                more = port->dims_only = true;
            if (oc_lex_take(&p->lex, "$"))
                more = port->copied = true;
            if (oc_lex_take(&p->lex, "="))
                more = port->prepared = true;
            if (oc_lex_take(&p->lex, "*"))
                more = port->tiled = true;
            if (oc_lex_take(&p->lex, "~"))
                more = port->mixed = true;
            if (oc_lex_take(&p->lex, "?"))
                more = port->optional = true;
            if (oc_lex_take(&p->lex, "..."))
                more = port->variadic = true;
        }
        const bool read = port->value || port->copied || port->prepared;
        if (port->dims_only && (read || ports == p->sig->out))
            return oc_lex_fail(&p->lex, p->e, "expected '^' at inputs without '!', '$' and '='");
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

/* Returns the signature's text from start up to the current token, without blanks at its end. */
static oc_string text_from(const oc_sig_parser *p, const char *start)
{
    size_t size = (size_t)(p->lex.at - start);
    while (size && start[size - 1] == ' ')
        size--;
    return (oc_string){start, size};
}

/* Reads "type" or "U" behind "T: set set =". */
static oc_status parse_fallback(oc_sig_parser *p, int var)
{
    oc_sig *s = p->sig;
    const char *name;
    OC_TRY(oc_sig_name(p, "a type", &name));
    const int like = find_var(s, name);
    s->like[var] = like < 0 ? var : like;
    s->fallback[var] = oc_type_find(name, strlen(name));
    if (like < 0 && !s->fallback[var])
        return oc_lex_fail(&p->lex, p->e, "expected an element type or a type variable");
    return OC_OK;
}

/* "T: set set", "T: set set = type", "T: set set = U" */
static oc_status parse_var(oc_sig_parser *p, unsigned *seen)
{
    oc_sig *s = p->sig;
    const char *name, *start = p->lex.at;
    OC_TRY(oc_sig_name(p, "a type variable", &name));
    const int var = find_var(s, name);
    if (var < 0)
        return oc_lex_fail(&p->lex, p->e, "expected a type variable that a port has");
    OC_TRY(oc_lex_want(&p->lex, ":", p->e));
    oc_sig_set set = {0};
    while (p->lex.token == OC_TOK_NAME)
        OC_TRY(parse_set(p, &set));
    if (oc_lex_take(&p->lex, "="))
        OC_TRY(parse_fallback(p, var));
    resolve(s->in, s->n_in, var, &set);
    resolve(s->out, s->n_out, var, &set);
    s->var_text[var] = text_from(p, start);
    *seen |= 1u << var;
    return OC_OK;
}

/* Parses what follows the ports: variables, and marks of the whole operator. */
static oc_status parse_rest(oc_sig_parser *p)
{
    oc_sig *s = p->sig;
    unsigned seen = 0;
    if (oc_lex_take(&p->lex, "|"))
        do {
            if (oc_lex_take(&p->lex, "random"))
                s->random = true;
            else if (oc_lex_take(&p->lex, "change"))
                OC_TRY(oc_sig_parse_change(p));
            else
                OC_TRY(parse_var(p, &seen));
        } while (oc_lex_take(&p->lex, ";"));
    for (int v = 0; v < s->n_var; v++)
        if (!(seen >> v & 1))
            return oc_lex_fail(&p->lex, p->e, "expected the types of variable %s", s->var[v]);
    return OC_OK;
}

/* "Name" or "domain::Name", of any characters but those that end it. */
static oc_status parse_name(oc_sig_parser *p)
{
    const char *text = p->lex.at, *name = text, *end = text + strcspn(text, " <(");
    for (const char *at = text; end - at >= 2; at++)
        if (at[0] == ':' && at[1] == ':')
            name = at + 2;
    if (name == end)
        return oc_lex_fail(&p->lex, p->e, "expected an operator name");
    p->sig->domain = name == text ? "" : oc_arena_text(p->arena, text, (size_t)(name - text) - 2);
    p->sig->name = oc_arena_text(p->arena, name, (size_t)(end - name));
    p->lex.next = end;
    oc_lex_next(&p->lex);
    return oc_arena_check(p->arena, p->e);
}

oc_status oc_sig_parse(const char *text, oc_arena *arena, const oc_sig **sig, oc_error *e)
{
    oc_sig_parser p = {.arena = arena, .e = e, .lex = oc_lex_new(text, strlen(text), arena)};
    p.sig = oc_arena_alloc(arena, sizeof *p.sig);
    OC_TRY(oc_arena_check(arena, e));
    OC_TRY(parse_name(&p));
    if (oc_lex_take(&p.lex, "<"))
        while (!oc_lex_take(&p.lex, ">")) {
            OC_TRY(oc_sig_parse_attr(&p));
            if (!oc_lex_is(&p.lex, ">"))
                OC_TRY(oc_lex_want(&p.lex, ",", e));
        }
    const char *ports = p.lex.at;
    OC_TRY(parse_ports(&p, p.sig->in, &p.sig->n_in, &p.sig->min_in));
    OC_TRY(oc_lex_want(&p.lex, "=>", e));
    OC_TRY(parse_ports(&p, p.sig->out, &p.sig->n_out, &p.sig->min_out));
    p.sig->ports_text = text_from(&p, ports);
    OC_TRY(parse_rest(&p));
    OC_TRY(oc_sig_link_attrs(&p));
    if (p.lex.token != OC_TOK_END)
        return oc_lex_fail(&p.lex, e, "expected the end of the signature");
    *sig = p.sig;
    return OC_OK;
}
