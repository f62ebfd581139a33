/* SPDX-License-Identifier: Apache-2.0
 * shapes.c - types and dims of outputs that the model does not tell, and that are certain: those
 * that a plan finds before it sees an input. */
#include "session.h"

/* Is there an output of which the model tells less than it may? */
static bool is_wanted(const OrtSession *s)
{
    for (int k = 0; k < s->n_output; k++) {
        const oc_port *out = &s->output[k];
        bool told = out->kind != OC_TENSOR || (out->rank >= 0 && out->type != OC_UNDEFINED);
        for (int a = 0; told && out->kind == OC_TENSOR && a < out->rank; a++)
            told = out->dim[a] >= 0;
        if (!told)
            return true;
    }
    return false;
}

/* What the model tells stays. */
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
            complete(&s->output[k], &node->out[i]);
    }
}

/* A model that no plan can be made of tells less, and is refused later. */
void ort_shapes_find(OrtSession *session)
{
    oc_error e = {0};
    if (is_wanted(session))
        oc_model_visit(session->model, session->input, take_outputs, session, &e);
}
