/* SPDX-License-Identifier: Apache-2.0
 * api_join.c - oc_model_join: one model behind another, in the public interface. */
#include "bodies/join.h"
#include "graph/build.h"
#include "runtime/derived.h"

static oc_model *join(oc_join *want, oc_error *e)
{
    oc_model *out = NULL;
    oc_watch watch;
    oc_watch_begin(&watch, "joining", &want->first->options.limits);
    oc_model_hold(want->first);
    oc_model_hold(want->second);
    const oc_status status = oc_bodies_join(want, &watch, &out, e);
    return oc_derived_finish(out, status, want->first, want->second, e);
}

oc_model *oc_model_join(const oc_model *first, const oc_model *second, const oc_link *links,
                        int n_links, const char *prefix, oc_error *e)
{
    if (!oc_error_is_clear(e))
        return NULL;
    bool named = first && second && n_links >= 0 && (links || n_links == 0);
    for (int i = 0; named && i < n_links; i++)
        named = links[i].from && links[i].to;
    if (named)
        return join(&(oc_join){first, second, links, n_links, prefix ? prefix : ""}, e);
    oc_error_set(e, OC_ARGUMENT, "oc_model_join: there is no model, or a name is missing");
    return NULL;
}
