/* SPDX-License-Identifier: Apache-2.0
 * model_ports.c - inputs and outputs of a session's model, read when the session is made. */
#include "sessions/session.h"

/* The options may say which size a dim has that has a name, or a denotation and no size. */
static void override_dims(const OrtSessionOptions *options, oc_port *port)
{
    for (int i = 0; i < port->rank; i++)
        for (size_t k = 0; k < options->n_override && port->dim[i] < 0; k++) {
            const ort_override *o = &options->override[k];
            const char *name = o->denotation ? port->dim_denotation[i] : port->dim_name[i];
            if (!name || strcmp(name, o->name) != 0)
                continue;
            port->dim[i] = o->size;
            port->dim_name[i] = NULL;
        }
}

/* An initializer of a model of an IR version before 4 is among its inputs, and constant. */
static void count_inputs(OrtSession *s)
{
    const bool may_override = oc_model_describe(s->model).ir_version >= 4;
    for (int i = 0; i < s->n_input; i++)
        if (!s->input[i].has_default)
            s->required[s->n_required++] = i;
        else if (may_override)
            s->overridable[s->n_overridable++] = i;
}

OrtStatus *ort_ports_read(OrtSession *s)
{
    s->n_input = oc_model_n_inputs(s->model);
    s->n_output = oc_model_n_outputs(s->model);
    const size_t n_in = (size_t)s->n_input, n_out = (size_t)s->n_output;
    ORT_TRY(ort_new(n_in * sizeof *s->input, &s->input));
    ORT_TRY(ort_new(n_out * sizeof *s->output, &s->output));
    ORT_TRY(ort_new(n_in * sizeof *s->required, &s->required));
    ORT_TRY(ort_new(n_in * sizeof *s->overridable, &s->overridable));
    for (int i = 0; i < s->n_input; i++) {
        s->input[i] = oc_model_input(s->model, i);
        override_dims(&s->options, &s->input[i]);
    }
    for (int i = 0; i < s->n_output; i++) {
        s->output[i] = oc_model_output(s->model, i);
        override_dims(&s->options, &s->output[i]);
    }
    count_inputs(s);
    return NULL;
}

void ort_ports_clear(OrtSession *s)
{
    free(s->input);
    free(s->output);
    free(s->told);
    free(s->required);
    free(s->overridable);
}

static int find(const oc_port *port, int n, const char *name)
{
    for (int i = 0; name && i < n; i++)
        if (strcmp(port[i].name, name) == 0)
            return i;
    return -1;
}

int ort_session_input(const OrtSession *session, const char *name)
{
    return find(session->input, session->n_input, name);
}

int ort_session_output(const OrtSession *session, const char *name)
{
    return find(session->output, session->n_output, name);
}
