/* SPDX-License-Identifier: Apache-2.0
 * shapes.c - types and dims of outputs that the model does not tell, and that are certain: those
 * that a plan finds before it sees an input. Looked for when a program asks: it takes as long as a
 * plan. */
#include "sessions/session.h"

/* Is it the name of an open dim of an input? Then no plan knows its size. */
static bool is_open(const OrtSession *s, const char *name)
{
    for (int i = 0; name && i < s->n_input; i++)
        for (int a = 0; a < s->input[i].rank; a++)
            if (s->input[i].dim_name[a] && strcmp(s->input[i].dim_name[a], name) == 0)
                return true;
    return false;
}

/* Is true where the file does not tell the type or a dim of some output that a plan may find. */
static bool is_wanted(const OrtSession *s)
{
    for (int k = 0; k < s->n_output; k++) {
        const oc_port *out = &s->output[k];
        bool told = out->kind != OC_TENSOR || (out->rank >= 0 && out->type != OC_UNDEFINED);
        for (int a = 0; told && out->kind == OC_TENSOR && a < out->rank; a++)
            told = out->dim[a] >= 0 || is_open(s, out->dim_name[a]);
        if (!told)
            return true;
    }
    return false;
}

/* Adds to out what it does not know of the type and dims, and found does. */
static void complete(oc_port *out, const oc_port *found)
{
    if (out->kind != OC_TENSOR || found->kind != OC_TENSOR)
        return;
    if (out->type == OC_UNDEFINED)
        out->type = found->type;
    if (out->rank < 0 && found->rank >= 0) {
        out->rank = found->rank;
        for (int a = 0; a < out->rank; a++) {
            out->dim[a] = -1;
            out->dim_name[a] = NULL;
        }
    }
    for (int a = 0; a < out->rank && out->rank == found->rank; a++)
        if (out->dim[a] < 0 && found->dim[a] >= 0) {
            out->dim[a] = found->dim[a];
            out->dim_name[a] = NULL;
        }
}

static void take_outputs(void *ctx, const oc_node_info *node)
{
    OrtSession *s = ctx;
    for (int i = 0; node->depth == 0 && i < node->n_out; i++) {
        const int k = ort_session_output(s, node->out[i].name);
        if (k >= 0)
            complete(&s->told[k], &node->out[i]);
    }
}

/* Under the lock. A model that no plan can be made of tells no more than its file. */
static OrtStatus *find_all(OrtSession *s)
{
    oc_error e = {0};
    const size_t size = (size_t)s->n_output * sizeof *s->told;
    ORT_TRY(ort_new(size, &s->told));
    if (size)
        memcpy(s->told, s->output, size);
    if (is_wanted(s))
        oc_model_visit(s->model, s->input, take_outputs, s, &e);
    return NULL;
}

OrtStatus *ort_output_told(OrtSession *session, int output, oc_port *port)
{
    pthread_mutex_lock(&session->lock);
    OrtStatus *status = session->told ? NULL : find_all(session);
    if (!status)
        *port = session->told[output];
    pthread_mutex_unlock(&session->lock);
    return status;
}
