/* SPDX-License-Identifier: Apache-2.0
 * library.c - unpacks the texts of the built-in function bodies, and parses them. */
#include "bodies/library.h"

#include "bodies/call_text.h"
#include "graph/build.h"
#include "graph/scope.h"
#include "loader/loader.h"

static oc_status begin(oc_body_library *l, oc_error *e)
{
    if (l->model)
        return OC_OK;
    OC_TRY(l->memory ? oc_model_new_beside(l->memory, &l->model, e)
                     : oc_model_new(NULL, &l->model, e));
    l->parsed = oc_name_map_new(&l->model->arena);
    return OC_OK;
}

oc_status oc_body_text(oc_body_library *l, const oc_body *b, bool standard, const char **text,
                       oc_error *e)
{
    void *texts;
    size_t size, packed;
    OC_TRY(begin(l, e));
    if (!l->texts) {
        const unsigned char *from = oc_body_texts(&packed);
        OC_TRY(oc_gunzip(l->model, from, packed, &texts, &size, e));
        l->texts = texts;
    }
    *text = l->texts + (standard || b->repaired < 0 ? b->standard : b->repaired);
    return OC_OK;
}

/* Gives each name of a body one meaning (environment.h), also in graphs within the body. Names
 * that nothing defines are found after the call has been replaced. */
static oc_status separate_names(oc_model *m, oc_function *f, oc_error *e)
{
    oc_arena scratch = oc_arena_new(&m->memory);
    const char *what = oc_arena_printf(&scratch, "function '%s'", f->name);
    oc_status status = oc_arena_check(&scratch, e);
    if (status == OC_OK)
        status = oc_scope_check(m, &f->body, what, true, &scratch, e);
    oc_arena_free(&scratch);
    return status;
}

/* Parses a text as the library's next body. Readers hold bodies while more are parsed, so that each
 * stays where it is, unlike the functions of a growing model. */
static oc_status add_body(oc_body_library *l, oc_name text, oc_error *e)
{
    oc_model *m = l->model;
    OC_TRY(oc_load_text_function(m, text, strlen(text), e));
    OC_TRY(separate_names(m, &m->function[m->n_function - 1], e));
    const oc_function **place = OC_PUSH(&m->arena, l->body, l->n_body);
    oc_function *function = oc_arena_alloc(&m->arena, sizeof *function);
    oc_name_map_put(&l->parsed, text, l->n_body - 1);
    OC_TRY(oc_arena_check(&m->arena, e));
    *function = m->function[m->n_function - 1];
    *place = function;
    return OC_OK;
}

/* Finds parsed texts by their characters, because different calls may need the same text. */
static oc_status parse_text(oc_body_library *l, const char *text, const oc_function **function,
                            oc_error *e)
{
    const oc_name name = oc_model_name(l->model, text);
    OC_TRY(oc_arena_check(&l->model->arena, e));
    int at = oc_name_map_get(&l->parsed, name);
    if (at < 0) {
        OC_TRY(add_body(l, name, e));
        at = l->n_body - 1;
    }
    *function = l->body[at];
    return OC_OK;
}

static oc_status parse_header(oc_body_library *l, const char *text, oc_arena *scratch,
                              const oc_function **header, oc_error *e)
{
    if (oc_body_is_conditional(text))
        OC_TRY(oc_body_header(text, scratch, &text, e));
    return parse_text(l, text, header, e);
}

/* Adds the call to the error of a text into which values of the call's attributes were filled,
 * as these may be of any kind. */
static oc_status name_call(const oc_body_call *call, oc_error *e)
{
    char node[OC_NODE_TEXT], where[OC_NODE_TEXT + 16];
    snprintf(where, sizeof where, "%s: its body", oc_call_text(call->node, call->opset, node));
    return oc_error_in(e, where);
}

static oc_status parse_for_call(oc_body_library *l, const char *text, const oc_body_call *call,
                                bool built_in, oc_arena *scratch, const oc_function **function,
                                oc_error *e)
{
    OC_TRY(parse_header(l, text, scratch, function, e));
    if (!oc_body_is_conditional(text))
        return OC_OK;
    OC_TRY(oc_body_select(*function, text, call, scratch, &text, e));
    const oc_status status = parse_text(l, text, function, e);
    return status != OC_OK && call && built_in ? name_call(call, e) : status;
}

oc_status oc_body_parse_header(oc_body_library *l, const char **text, const oc_function **header,
                               oc_error *e)
{
    OC_TRY(begin(l, e));
    *text = oc_model_name(l->model, *text);
    OC_TRY(oc_arena_check(&l->model->arena, e));
    oc_arena scratch = oc_arena_new(&l->model->memory);
    const oc_status status = parse_header(l, *text, &scratch, header, e);
    oc_arena_free(&scratch);
    return status;
}

oc_status oc_body_parse(oc_body_library *l, const char *text, const oc_body_call *call,
                        const oc_function **function, oc_error *e)
{
    OC_TRY(begin(l, e));
    oc_arena scratch = oc_arena_new(&l->model->memory);
    const oc_status status = parse_for_call(l, text, call, false, &scratch, function, e);
    oc_arena_free(&scratch);
    return status;
}

oc_status oc_body_function(oc_body_library *l, const oc_body *b, bool standard,
                           const oc_body_call *call, const oc_function **function, oc_error *e)
{
    OC_TRY(begin(l, e));
    const char *text;
    oc_arena scratch = oc_arena_new(&l->model->memory);
    oc_status status =
        b->print ? b->print(call, &scratch, &text, e) : oc_body_text(l, b, standard, &text, e);
    if (status == OC_OK)
        status = parse_for_call(l, text, call, true, &scratch, function, e);
    oc_arena_free(&scratch);
    return status;
}
