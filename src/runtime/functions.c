/* SPDX-License-Identifier: Apache-2.0
 * functions.c - adds functions from other files to a model. */
#include "runtime/functions.h"

#include "bodies/library.h"
#include "graph/build.h"
#include "graph/check.h"
#include "loader/loader.h"
#include "ops/kit/registry.h"

/* ---- one file ---- */

static void free_library(void *library, OC_UNUSED size_t size)
{
    oc_model_free(library);
}

/* Makes an empty model that m frees. It shares the names of m, so that functions can move to m. */
static oc_status new_library(oc_model *m, oc_model **out, oc_error *e)
{
    oc_model *l;
    OC_TRY(oc_model_new_beside(&m->memory, &l, e));
    l->library = true;
    l->options = m->options;
    l->options.functions = NULL;
    l->names = m->names;
    l->names.arena = &l->arena;
    *out = l;
    const oc_status status = oc_model_on_free(m, free_library, l, 0, e);
    if (status != OC_OK)
        oc_model_free(l);
    return status;
}

static oc_status load_library(oc_model *l, const char *path, oc_error *e)
{
    oc_status status = oc_load_file(l, path, e);
    if (status == OC_OK && l->n_function == 0)
        status = oc_error_set(e, OC_MODEL, "there is no function in it");
    if (status == OC_OK)
        status = oc_model_check(l, e);
    oc_model_end_watch(l);
    return status == OC_OK ? status : oc_error_in(e, path);
}

/* ---- the model ---- */

/* Both models share one table of names, so equal names are equal pointers. */
static oc_function *find(const oc_model *m, const oc_function *like)
{
    for (int i = 0; i < m->n_function; i++) {
        oc_function *f = &m->function[i];
        if (f->name == like->name && f->domain == like->domain && f->overload == like->overload)
            return f;
    }
    return NULL;
}

static oc_status put_function(oc_model *m, const oc_model *l, const oc_function *given, oc_error *e)
{
    oc_function *f = find(m, given);
    if (f && f->file)
        return oc_error_set(e, OC_MODEL, "%s: function '%s%s%s' is in %s too", l->path, f->domain,
                            *f->domain ? "::" : "", f->name, f->file);
    if (!f)
        f = OC_PUSH(&m->arena, m->function, m->n_function);
    OC_TRY(oc_arena_check(&m->arena, e));
    *f = *given;
    f->file = l->path;
    f->opset = oc_opsets_find(&l->opsets, f->domain);
    return OC_OK;
}

static oc_status add_file(oc_model *m, const char *path, oc_error *e)
{
    oc_model *l;
    OC_TRY(new_library(m, &l, e));
    OC_TRY(load_library(l, path, e));
    m->names = l->names;
    m->names.arena = &m->arena;
    for (int i = 0; i < l->n_remark; i++)
        OC_TRY(oc_model_remark(m, e, "%s: %s", path, l->remark[i]));
    for (int i = 0; i < l->n_function; i++)
        OC_TRY(put_function(m, l, &l->function[i], e));
    return OC_OK;
}

oc_status oc_functions_add(oc_model *m, oc_error *e)
{
    for (const char *const *path = m->options.functions; path && *path; path++)
        OC_TRY(add_file(m, *path, e));
    m->options.functions = NULL; /* the array belongs to the host */
    return OC_OK;
}

/* ---- versions ---- */

/* Is there an ONNX operator of that name, and is it unchanged between the two versions? */
static bool same_operator(const oc_function *f, int64_t opset)
{
    int oldest;
    const oc_op *op = oc_op_find(NULL, f->domain, f->name, opset, &oldest);
    if (op)
        return op == oc_op_find(NULL, f->domain, f->name, f->opset, &oldest);
    const oc_body *body = oc_body_find(f->domain, f->name, opset);
    return body && body == oc_body_find(f->domain, f->name, f->opset);
}

oc_status oc_functions_check(const oc_model *m, oc_error *e)
{
    for (int i = 0; i < m->n_usage; i++) {
        const oc_usage *u = &m->usage[i];
        const oc_function *f = u->function >= 0 ? &m->function[u->function] : NULL;
        if (!f || !f->file || !f->opset || f->opset == u->opset || same_operator(f, u->opset))
            continue;
        return oc_error_set(e, OC_MODEL,
                            "%s: function '%s%s%s' is of opset %" PRId64
                            " of its domain, and the model calls opset %" PRId64,
                            f->file, f->domain, *f->domain ? "::" : "", f->name, f->opset,
                            u->opset);
    }
    return OC_OK;
}
