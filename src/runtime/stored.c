/* SPDX-License-Identifier: Apache-2.0
 * stored.c - compares the values that a run stores with what the model declares them to be, and
 * writes remarks to the host's log. */
#include "graph/declared.h"
#include "graph/node_text.h"
#include "runtime/session.h"

/* Is there a log that has not been told about this thing? */
static bool is_news(const oc_session *s, const void *about)
{
    return s->options.observer.log && !oc_names_find(&s->told, (const char *)&about, sizeof about);
}

void oc_session_remark(void *session, const void *about, const char *line)
{
    oc_session *s = session;
    if (!is_news(s, about))
        return;
    oc_names_intern(&s->told, (const char *)&about, sizeof about);
    s->options.observer.log(s->options.observer.log_ctx, line);
}

static oc_status check_stored(oc_session *s, const char *where, const char *port,
                              const oc_declared *d, const oc_value *v)
{
    char actual[OC_VALUE_TEXT], text[OC_CONTRADICTION];
    if (!oc_declared_holds(&d->info->type, v))
        return oc_declared_fail(where, port, d->info, oc_value_text(v, actual), s->services.error);
    if (d->told || oc_declared_fits(&d->info->type, v) || !is_news(s, d->info))
        return OC_OK;
    oc_value_text(v, actual);
    oc_session_remark(s, d->info, oc_declared_contradiction(where, port, d->info, actual, text));
    return OC_OK;
}

oc_status oc_stored_check_step(oc_session *s, const oc_frame *f, const oc_step *step)
{
    for (int i = 0; i < step->op.n_out; i++)
        if (step->declared[i].info && step->out[i] != OC_NOWHERE)
            OC_TRY(check_stored(s, step->op.node, "output", &step->declared[i],
                                oc_frame_at(s->plan, f, step->out[i])));
    return OC_OK;
}

oc_status oc_stored_check_port(oc_session *s, const oc_frame *f, const char *port,
                               const oc_value_info *info, const oc_value *v)
{
    char actual[OC_VALUE_TEXT], where[OC_NODE_TEXT];
    if (oc_declared_holds(&info->type, v))
        return OC_OK;
    snprintf(where, sizeof where, "graph '%s'", f->graph->graph->name);
    return oc_declared_fail(where, port, info, oc_value_text(v, actual), s->services.error);
}
