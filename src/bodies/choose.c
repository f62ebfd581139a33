/* SPDX-License-Identifier: Apache-2.0
 * choose.c - decides which body runs in place of a node. */
#include "bodies/choose.h"

#include "ops/kit/registry.h"

typedef struct oc_own_body {
    const char *domain, *name; /* the operator that the body replaces */
    const char *text, *file;
} oc_own_body;

/* Sets the operator that a host's body replaces. op is "domain::Name" or "Name"; where it is NULL,
 * the header of the text names the operator. */
static void name_operator(oc_own_body *own, const char *op, const oc_function *header,
                          oc_arena *arena)
{
    const char *colons = op ? strstr(op, "::") : NULL;
    own->domain = colons ? oc_arena_text(arena, op, (size_t)(colons - op))
                  : op   ? ""
                         : header->domain;
    own->name = colons ? colons + 2 : op ? op : header->name;
    if (own->domain && strcmp(own->domain, "ai.onnx") == 0)
        own->domain = "";
}

static oc_status read_own(oc_chooser *c, const oc_function_text *given)
{
    const oc_function *header;
    for (; given && given->text; given++) {
        oc_own_body own = {.text = given->text, .file = given->file ? given->file : "text"};
        if (oc_body_parse_header(&c->library, &own.text, &header, c->e) != OC_OK)
            return oc_error_in(c->e, own.file);
        oc_arena *arena = &c->library.model->arena;
        name_operator(&own, given->op, header, arena);
        oc_own_body *last = OC_PUSH(arena, c->own, c->n_own);
        OC_TRY(oc_arena_check(arena, c->e));
        *last = own;
    }
    return OC_OK;
}

static const oc_own_body *find_own(const oc_chooser *c, const char *domain, const char *name)
{
    for (int i = 0; i < c->n_own; i++)
        if (strcmp(c->own[i].name, name) == 0 && strcmp(c->own[i].domain, domain) == 0)
            return &c->own[i];
    return NULL;
}

oc_status oc_chooser_new(const oc_body_options *choice, const oc_op *host_ops,
                         const oc_memory *memory, oc_chooser *chooser, oc_error *e)
{
    *chooser = (oc_chooser){
        .choice = *choice, .host_ops = host_ops, .library = {.memory = memory}, .e = e};
    const oc_status status = read_own(chooser, choice->own);
    if (status != OC_OK)
        oc_chooser_free(chooser);
    return status;
}

void oc_chooser_free(oc_chooser *chooser)
{
    oc_model_free(chooser->library.model);
    chooser->library = (oc_body_library){.memory = chooser->library.memory};
    chooser->own = NULL;
    chooser->n_own = 0;
}

bool oc_chooser_prefers(const oc_chooser *c, const char *name)
{
    return c->choice.policy != OC_BODY_NATIVE &&
           (!c->choice.only || strcmp(c->choice.only, name) == 0);
}

/* Returns the built-in body that replaces the operator; NULL if there is none or a kernel runs
 * instead. */
static const oc_body *find_body(const oc_chooser *c, const char *domain, const char *name,
                                int64_t opset)
{
    int oldest;
    const oc_body *body = oc_body_find(domain, name, opset);
    if (!body || oc_chooser_prefers(c, name))
        return body;
    return oc_op_find(c->host_ops, domain, name, opset, &oldest) ? NULL : body;
}

bool oc_chooser_has(const oc_chooser *c, const char *domain, const char *name, int64_t opset)
{
    return find_own(c, domain, name) || find_body(c, domain, name, opset);
}

oc_status oc_choose_body(oc_chooser *c, const oc_body_call *call, const oc_function **function)
{
    const char *domain = call->node->domain, *name = call->node->op_type;
    const oc_own_body *own = find_own(c, domain, name);
    *function = NULL;
    if (own) {
        if (oc_body_parse(&c->library, own->text, call, function, c->e) != OC_OK)
            return oc_error_in(c->e, own->file);
        return OC_OK;
    }
    const oc_body *body = find_body(c, domain, name, call->opset);
    if (!body)
        return OC_OK;
    const bool standard = c->choice.policy == OC_BODY_STANDARD;
    return oc_body_function(&c->library, body, standard, call, function, c->e);
}
