/* SPDX-License-Identifier: Apache-2.0
 * read.c - the sections of a text case. */
#include "case.h"

#include "base/lex.h"

#include <stdio.h>
#include <string.h>

const char *case_find_mark(const char *text, const char *end, const char *mark)
{
    const size_t size = strlen(mark);
    for (const char *line = text; line < end;) {
        if ((size_t)(end - line) >= size && memcmp(line, mark, size) == 0)
            return line;
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        line = newline ? newline + 1 : end;
    }
    return end;
}

bool case_has_text(const char *text, const char *end)
{
    while (text < end) {
        if (*text == '#') {
            const char *newline = memchr(text, '\n', (size_t)(end - text));
            text = newline ? newline : end;
        } else if (*text != ' ' && *text != '\n' && *text != '\r' && *text != '\t') {
            return true;
        } else {
            text++;
        }
    }
    return false;
}

bool case_fail(const test_case *t, const char *at, const char *format, ...)
{
    int line = t->line;
    for (const char *p = t->at; at && p < at; p++)
        line += *p == '\n';
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s:%d: '%s': ", t->path, line, t->name);
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    va_end(args);
    return false;
}

/* ---- values ---- */

/* One tensor at the current token, going on behind it. */
static oc_status read_tensor(test_case *t, oc_lex *l, oc_value *v, oc_error *e)
{
    const char *after;
    OC_TRY(oc_load_text_tensor(t->pool, t->arena, l->at, (size_t)(l->end - l->at), v, &after, e));
    *l = oc_lex_new(after, (size_t)(l->end - after), t->arena);
    return OC_OK;
}

static oc_status read_type(oc_lex *l, oc_type *type, oc_error *e)
{
    const char *name;
    size_t size;
    OC_TRY(oc_lex_name(l, "an element type", &name, &size, e));
    *type = oc_type_find(name, size);
    if (!*type)
        return oc_error_set(e, OC_FORMAT, "'%.*s' is not an element type", (int)size, name);
    return OC_OK;
}

/* "(type)", or "(seq(type))" of an optional, or "(map(key, type))" of a sequence. */
static oc_status read_item_type(oc_lex *l, oc_kind kind, oc_type *type, oc_type *key, oc_error *e)
{
    OC_TRY(oc_lex_want(l, "(", e));
    const bool nested = kind == OC_OPTIONAL && oc_lex_take(l, "seq");
    const bool map = kind == OC_SEQUENCE && oc_lex_take(l, "map");
    if (nested || map)
        OC_TRY(oc_lex_want(l, "(", e));
    *key = OC_UNDEFINED;
    if (map) {
        OC_TRY(read_type(l, key, e));
        OC_TRY(oc_lex_want(l, ",", e));
    }
    OC_TRY(read_type(l, type, e));
    if (nested || map)
        OC_TRY(oc_lex_want(l, ")", e));
    return oc_lex_want(l, ")", e);
}

/* "{ keys, values }", two tensors. */
static oc_status read_map(test_case *t, oc_lex *l, oc_type key, oc_type type, oc_value *v,
                          oc_error *e)
{
    OC_TRY(oc_value_new_map(t->pool, key, type, v, e));
    OC_TRY(oc_lex_want(l, "{", e));
    OC_TRY(read_tensor(t, l, &oc_value_items(v)[0], e));
    OC_TRY(oc_lex_want(l, ",", e));
    OC_TRY(read_tensor(t, l, &oc_value_items(v)[1], e));
    return oc_lex_want(l, "}", e);
}

/* "(type) { item, item }", behind the kind's name. */
static oc_status read_list(test_case *t, oc_lex *l, oc_kind kind, oc_value *v, oc_error *e)
{
    struct {
        oc_value *item;
        int n;
    } list = {NULL, 0};
    oc_type type, key;
    OC_TRY(read_item_type(l, kind, &type, &key, e));
    OC_TRY(oc_lex_want(l, "{", e));
    while (!oc_lex_take(l, "}")) {
        oc_value *item = OC_PUSH(t->arena, list.item, list.n);
        if (!item)
            return oc_arena_check(t->arena, e);
        if (key)
            OC_TRY(read_map(t, l, key, type, item, e));
        else if (kind == OC_OPTIONAL && oc_lex_take(l, "seq"))
            OC_TRY(read_list(t, l, OC_SEQUENCE, item, e));
        else
            OC_TRY(read_tensor(t, l, item, e));
        if (!oc_lex_is(l, "}"))
            OC_TRY(oc_lex_want(l, ",", e));
    }
    OC_TRY(oc_value_new_list(t->pool, kind, type, list.n, v, e));
    v->key = key;
    for (int i = 0; i < list.n; i++)
        oc_value_items(v)[i] = list.item[i];
    return OC_OK;
}

static oc_status read_value(test_case *t, oc_lex *l, const char *name, size_t size, const char *at,
                            oc_error *e)
{
    case_value *v = OC_PUSH(t->arena, t->value, t->n_value);
    if (!v)
        return oc_arena_check(t->arena, e);
    v->name = oc_arena_text(t->arena, name, size);
    v->at = at;
    if (oc_lex_take(l, "seq"))
        return read_list(t, l, OC_SEQUENCE, &v->value, e);
    if (oc_lex_take(l, "optional"))
        return read_list(t, l, OC_OPTIONAL, &v->value, e);
    return read_tensor(t, l, &v->value, e);
}

/* ---- other sections ---- */

static oc_status read_fails(test_case *t, oc_lex *l, oc_error *e)
{
    const char *text;
    size_t size;
    for (int s = 1; s < OC_N_STATUS; s++)
        if (oc_lex_is(l, oc_status_name((oc_status)s)))
            t->fails = (oc_status)s;
    if (!t->fails)
        return oc_lex_fail(l, e, "expected a status");
    oc_lex_next(l);
    OC_TRY(oc_lex_string(l, "a part of the message", &text, &size, e));
    t->part = oc_arena_text(t->arena, text, size);
    return size ? OC_OK : oc_error_set(e, OC_FORMAT, "expected a part of the message");
}

static oc_status read_remark(test_case *t, oc_lex *l, oc_error *e)
{
    const char *text;
    size_t size;
    OC_TRY(oc_lex_string(l, "a part of a line of the log", &text, &size, e));
    t->remark = oc_arena_text(t->arena, text, size);
    return size ? OC_OK : oc_error_set(e, OC_FORMAT, "expected a part of a line of the log");
}

static oc_status read_tolerance(test_case *t, oc_lex *l, oc_error *e)
{
    OC_TRY(oc_lex_want(l, "rtol", e));
    OC_TRY(oc_lex_float(l, "a relative tolerance", &t->rtol, e));
    OC_TRY(oc_lex_want(l, "atol", e));
    return oc_lex_float(l, "an absolute tolerance", &t->atol, e);
}

static oc_status read_body(test_case *t, oc_lex *l, oc_error *e)
{
    static const char *const name[] = {
        [OC_BODY_NATIVE] = "native", [OC_BODY_EXPAND] = "expand", [OC_BODY_STANDARD] = "standard"};
    t->n_policy = 0;
    do {
        int i = 0;
        while (i < CASE_POLICIES && !oc_lex_take(l, name[i]))
            i++;
        if (i == CASE_POLICIES || t->n_policy == CASE_POLICIES)
            return oc_lex_fail(l, e, "expected native, expand or standard");
        t->policy[t->n_policy++] = (oc_body_policy)i;
    } while (l->token != OC_TOK_END);
    return OC_OK;
}

static oc_status read_only(test_case *t, oc_lex *l, oc_error *e)
{
    const char *name;
    size_t size;
    OC_TRY(oc_lex_name(l, "an operator", &name, &size, e));
    t->options.bodies.only = oc_arena_text(t->arena, name, size);
    return OC_OK;
}

static oc_status read_option(test_case *t, oc_lex *l, oc_error *e)
{
    int64_t n = 0;
    if (oc_lex_take(l, "op")) {
        size_t size;
        OC_TRY(oc_lex_string(l, "an operator's option", &t->options.op_options, &size, e));
        t->options.op_options = oc_arena_text(t->arena, t->options.op_options, size);
        return OC_OK;
    }
    const oc_lex name = *l;
    oc_lex_next(l);
    OC_TRY(oc_lex_int(l, "the option's value", &n, e));
    if (oc_lex_is(&name, "seed"))
        t->options.seed = (uint64_t)n;
    else if (oc_lex_is(&name, "max_steps"))
        t->options.limits.max_steps = n;
    else if (oc_lex_is(&name, "memory_cap"))
        t->options.limits.memory_cap = (size_t)n;
    else
        return oc_lex_fail(&name, e, "expected an option of the session");
    return OC_OK;
}

/* Where addresses have fewer bits, case_is_refused runs the case. */
static oc_status read_addresses(OC_UNUSED test_case *t, oc_lex *l, oc_error *e)
{
    int64_t bits;
    OC_TRY(oc_lex_int(l, "a number of bits", &bits, e));
    return bits == 64 ? OC_OK : oc_error_set(e, OC_FORMAT, "expected 64 bits");
}

static const struct {
    const char *word;
    oc_status (*read)(test_case *t, oc_lex *l, oc_error *e);
} sections[] = {
    {"fails", read_fails},         {"tolerance", read_tolerance}, {"body", read_body},
    {"only", read_only},           {"option", read_option},       {"remark", read_remark},
    {"addresses", read_addresses},
};

/* at: the mark; the section's text is behind it, up to end. */
static oc_status read_section(test_case *t, const char *at, const char *end, oc_error *e)
{
    const char *text = at + strlen("--- "), *name;
    size_t size;
    oc_lex l = oc_lex_new(text, (size_t)(end - text), t->arena);
    const oc_lex first = l;
    if (l.token == OC_TOK_STRING)
        OC_TRY(oc_lex_string(&l, "a value's name", &name, &size, e));
    else
        OC_TRY(oc_lex_name(&l, "a section or a value's name", &name, &size, e));
    if (oc_lex_take(&l, "=")) {
        OC_TRY(read_value(t, &l, name, size, at, e));
    } else {
        size_t i = 0;
        while (i < sizeof sections / sizeof *sections && !oc_lex_is(&first, sections[i].word))
            i++;
        if (i == sizeof sections / sizeof *sections)
            return oc_lex_fail(&first, e, "expected a section or a value's name and '='");
        OC_TRY(sections[i].read(t, &l, e));
    }
    return l.token == OC_TOK_END ? OC_OK : oc_lex_fail(&l, e, "expected the section's end");
}

oc_status case_read_sections(test_case *t, const char *text, const char *end, const char **at,
                             oc_error *e)
{
    for (const char *next; text < end; text = next) {
        *at = text;
        next = case_find_mark(text + 1, end, "--- ");
        OC_TRY(read_section(t, text, next, e));
    }
    return OC_OK;
}

bool case_read(test_case *t, const char *text, const char *end)
{
    oc_error e = {OC_OK, ""};
    const char *at = text;
    return case_read_sections(t, text, end, &at, &e) == OC_OK || case_fail(t, at, "%s", e.text);
}

void case_free(test_case *t)
{
    for (int i = 0; i < t->n_value; i++)
        oc_value_unref(&t->value[i].value);
    oc_pool_trim(t->pool);
    oc_arena_free(t->arena);
}
