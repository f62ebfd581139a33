/* SPDX-License-Identifier: Apache-2.0
 * functions.c - the embedded function bodies, by name and version, and parsed. */
#include "loader/functions.h"

#include "graph/build.h"
#include "loader/loader.h"

#include <string.h>

#include "functions.def"

static const oc_body body[] = {
#define X(name, since, domain, standard, repaired, print)                                          \
    {name, since, domain, standard, repaired, print},
    OC_BODIES(X)
#undef X
};

enum { N_BODIES = sizeof body / sizeof *body };

/* The table is sorted by name, newest first: the first entry that is not before (name, opset). */
static int lower_bound(const char *name, int64_t opset)
{
    int first = 0, last = N_BODIES;
    while (first < last) {
        const int middle = first + (last - first) / 2;
        const int order = strcmp(body[middle].name, name);
        if (order < 0 || (order == 0 && body[middle].since > opset))
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

const oc_body *oc_body_find(const char *domain, const char *name, int64_t opset)
{
    const oc_body *b = oc_body_at(lower_bound(name, opset));
    return b && strcmp(b->name, name) == 0 && strcmp(b->domain, domain) == 0 ? b : NULL;
}

const oc_body *oc_body_at(int i)
{
    return i >= 0 && i < N_BODIES ? &body[i] : NULL;
}

static bool begin(oc_body_library *l, oc_error *e)
{
    if (l->model)
        return true;
    if (oc_model_new(l->options, &l->model, e) != OC_OK)
        return false;
    l->parsed = oc_name_map_new(&l->model->arena);
    return true;
}

const char *oc_body_text(oc_body_library *l, const oc_body *b, bool standard, oc_error *e)
{
    void *texts;
    size_t size;
    if (!begin(l, e))
        return NULL;
    if (!l->texts) {
        if (oc_gunzip(l->model, texts_gz, sizeof texts_gz, &texts, &size, e) != OC_OK)
            return NULL;
        l->texts = texts;
    }
    return l->texts + (standard || b->repaired < 0 ? b->standard : b->repaired);
}

/* Texts are found by their characters: calls that differ may need the same. */
static const oc_function *parse_text(oc_body_library *l, const char *text, oc_error *e)
{
    oc_model *m = l->model;
    const oc_name name = oc_model_name(m, text);
    const int at = name ? oc_name_map_get(&l->parsed, name) : -1;
    if (at >= 0)
        return &m->function[at];
    if (oc_arena_check(&m->arena, e) != OC_OK ||
        oc_load_text_function(m, name, strlen(name), e) != OC_OK)
        return NULL;
    oc_name_map_put(&l->parsed, name, m->n_function - 1);
    return oc_arena_check(&m->arena, e) == OC_OK ? &m->function[m->n_function - 1] : NULL;
}

static const oc_function *parse_header(oc_body_library *l, const char *text, oc_arena *scratch,
                                       oc_error *e)
{
    if (!oc_body_is_conditional(text))
        return parse_text(l, text, e);
    const char *header = oc_body_header(text, scratch, e);
    return header ? parse_text(l, header, e) : NULL;
}

static const oc_function *parse_for_call(oc_body_library *l, const char *text,
                                         const oc_body_call *call, oc_arena *scratch, oc_error *e)
{
    const oc_function *f = parse_header(l, text, scratch, e);
    if (!f || !oc_body_is_conditional(text))
        return f;
    return oc_body_select(f, text, call, scratch, &text, e) == OC_OK ? parse_text(l, text, e)
                                                                     : NULL;
}

const oc_function *oc_body_parse_header(oc_body_library *l, const char **text, oc_error *e)
{
    if (!begin(l, e))
        return NULL;
    *text = oc_model_name(l->model, *text);
    if (oc_arena_check(&l->model->arena, e) != OC_OK)
        return NULL;
    oc_arena scratch = oc_arena_new(&l->model->memory);
    const oc_function *f = parse_header(l, *text, &scratch, e);
    oc_arena_free(&scratch);
    return f;
}

const oc_function *oc_body_parse(oc_body_library *l, const char *text, const oc_body_call *call,
                                 oc_error *e)
{
    if (!begin(l, e))
        return NULL;
    oc_arena scratch = oc_arena_new(&l->model->memory);
    const oc_function *f = parse_for_call(l, text, call, &scratch, e);
    oc_arena_free(&scratch);
    return f;
}

const oc_function *oc_body_function(oc_body_library *l, const oc_body *b, bool standard,
                                    const oc_body_call *call, oc_error *e)
{
    if (!begin(l, e))
        return NULL;
    oc_arena scratch = oc_arena_new(&l->model->memory);
    const char *text = b->print ? b->print(call, &scratch, e) : oc_body_text(l, b, standard, e);
    const oc_function *f = text ? parse_for_call(l, text, call, &scratch, e) : NULL;
    oc_arena_free(&scratch);
    return f;
}
