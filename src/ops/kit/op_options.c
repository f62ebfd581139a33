/* SPDX-License-Identifier: Apache-2.0
 * op_options.c - reads the choices of a session that operators declare in their signatures. */
#include "ops/kit/op_options.h"

#include "ops/kit/registry.h"
#include "ops/signature/sig_parser.h"

/* The part of "domain::Op.name=value" before the value. */
typedef struct setting {
    const char *domain, *op, *name;
} setting;

/* Reads a setting up to its value. */
static oc_status read_setting(oc_sig_parser *r, setting *s)
{
    const char *begin = r->lex.at;
    s->domain = "";
    OC_TRY(oc_sig_name(r, "an operator, as in 'RoiAlign.max=bilinear'", &s->op));
    OC_TRY(oc_lex_want(&r->lex, ".", r->e));
    OC_TRY(oc_sig_name(r, "an option of the operator", &s->name));
    while (oc_lex_take(&r->lex, "."))
        OC_TRY(oc_sig_name(r, "a domain", &s->name));
    if (oc_lex_is(&r->lex, "::")) { /* what has been read is a domain */
        s->domain = oc_arena_text(r->arena, begin, (size_t)(r->lex.at - begin));
        oc_lex_next(&r->lex);
        OC_TRY(oc_sig_name(r, "an operator", &s->op));
        OC_TRY(oc_lex_want(&r->lex, ".", r->e));
        OC_TRY(oc_sig_name(r, "an option of the operator", &s->name));
    }
    OC_TRY(oc_lex_want(&r->lex, "=", r->e));
    return oc_arena_check(r->arena, r->e);
}

static oc_status read_word(oc_sig_parser *r, oc_string *word)
{
    if (r->lex.token == OC_TOK_STRING)
        return oc_lex_string(&r->lex, "a word", &word->data, &word->size, r->e);
    OC_TRY(oc_lex_name(&r->lex, "a word", &word->data, &word->size, r->e));
    word->data = oc_arena_text(r->arena, word->data, word->size);
    return oc_arena_check(r->arena, r->e);
}

static oc_status read_value(oc_sig_parser *r, oc_attr *a)
{
    void *one = oc_arena_alloc(r->arena, sizeof(oc_string));
    OC_TRY(oc_arena_check(r->arena, r->e));
    a->n = 1;
    if (a->kind == OC_ATTR_STRING) {
        a->u.s = one;
        return read_word(r, one);
    }
    if (a->kind == OC_ATTR_INT) {
        a->u.i = one;
        return oc_lex_int(&r->lex, "an integer", one, r->e);
    }
    a->u.f = one;
    return oc_lex_f32(&r->lex, "a number", one, r->e);
}

/* Returns the index of the option among the signature's attributes; -1: it is not there. */
static int find_option(const oc_sig *sig, const setting *s)
{
    for (int i = 0; i < sig->n_attr; i++)
        if (sig->attr[i].option && strcmp(sig->attr[i].name, s->name) == 0)
            return i;
    return -1;
}

oc_status oc_options_bind(const char *text, const oc_sig *sig, oc_arena *arena,
                          const oc_attr **bound, oc_error *e)
{
    bool any = false;
    for (int i = 0; i < sig->n_attr; i++)
        any = any || sig->attr[i].option;
    if (!any || !text)
        return OC_OK;
    oc_sig_parser r = {oc_lex_new(text, strlen(text), arena), arena, e, NULL};
    while (r.lex.token != OC_TOK_END) {
        setting s;
        OC_TRY(read_setting(&r, &s));
        const bool of_sig = strcmp(s.op, sig->name) == 0 && strcmp(s.domain, sig->domain) == 0;
        const int i = of_sig ? find_option(sig, &s) : -1;
        if (i < 0) { /* a setting of another operator, already checked: its value is one token */
            oc_lex_next(&r.lex);
        } else {
            oc_attr *a = oc_arena_alloc(arena, sizeof *a);
            OC_TRY(oc_arena_check(arena, e));
            *a = sig->attr[i].value;
            OC_TRY(read_value(&r, a));
            bound[i] = a;
        }
        oc_lex_take(&r.lex, ",");
    }
    return OC_OK;
}

/* What the search for a setting found: the kind of its option, and whether its operator exists. */
typedef struct search {
    const setting *s;
    oc_sig_cache *sigs;
    oc_attr_kind kind; /* OC_ATTR_UNDEFINED: not found */
    bool has_op;
} search;

static oc_status look_at(search *x, const oc_op *version, oc_error *e)
{
    const oc_sig *sig;
    if (!oc_sig_names(version->signature, x->s->domain, x->s->op))
        return OC_OK;
    x->has_op = true;
    OC_TRY(oc_sig_cached(x->sigs, version->signature, &sig, e));
    const int i = find_option(sig, x->s);
    if (i >= 0)
        x->kind = sig->attr[i].value.kind;
    return OC_OK;
}

static oc_status check_setting(oc_sig_parser *r, const oc_op *host_ops, oc_sig_cache *sigs)
{
    setting s;
    OC_TRY(read_setting(r, &s));
    search x = {.s = &s, .sigs = sigs};
    for (const oc_op *version = host_ops; version && version->signature; version++)
        OC_TRY(look_at(&x, version, r->e));
    for (int i = 0; oc_op_at(i); i++)
        OC_TRY(look_at(&x, oc_op_at(i), r->e));
    if (x.kind == OC_ATTR_UNDEFINED)
        return oc_error_set(r->e, OC_ARGUMENT, "option '%s.%s': %s", s.op, s.name,
                            x.has_op ? "the operator has no option of that name"
                                     : "there is no such operator");
    oc_attr a = {.kind = x.kind};
    OC_TRY(read_value(r, &a));
    oc_lex_take(&r->lex, ",");
    return OC_OK;
}

/* The text is an argument of the host's call, not a file. */
static oc_status malformed(const char *text, oc_error *e)
{
    const oc_error found = *e;
    *e = (oc_error){0};
    return oc_error_set(e, OC_ARGUMENT, "options '%s': %s", text, found.text);
}

oc_status oc_options_check(const char *text, const oc_op *host_ops, oc_sig_cache *sigs, oc_error *e)
{
    if (!text)
        return OC_OK;
    oc_sig_parser r = {oc_lex_new(text, strlen(text), sigs->arena), sigs->arena, e, NULL};
    while (r.lex.token != OC_TOK_END)
        if (check_setting(&r, host_ops, sigs) != OC_OK)
            return e->code == OC_FORMAT ? malformed(text, e) : e->code;
    return OC_OK;
}
