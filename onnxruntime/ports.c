/* SPDX-License-Identifier: Apache-2.0
 * ports.c - inputs and outputs of a session's model. */
#include "interface.h"
#include "memory.h"
#include "session.h"
#include "types.h"

#include <stdlib.h>
#include <string.h>

/* ---- read from the model ---- */

/* Sets the sizes that the options give to dims: by a dim's name, or by its denotation if it has
 * no size. */
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

/* ---- as the interface has them ---- */

/* Returns input i of the list of numbers. */
static OrtStatus *listed(const OrtSession *s, const int *list, int n, size_t i, const char *what,
                         const oc_port **port)
{
    if (i >= (size_t)n)
        return ort_fail(ORT_FAIL, "%s %zu: the model has %d", what, i, n);
    *port = &s->input[list[i]];
    return NULL;
}

static OrtStatus *required(const OrtSession *s, size_t i, const oc_port **port)
{
    return listed(s, s->required, s->n_required, i, "input", port);
}

static OrtStatus *overridable(const OrtSession *s, size_t i, const oc_port **port)
{
    return listed(s, s->overridable, s->n_overridable, i, "overridable initializer", port);
}

static OrtStatus *output(const OrtSession *s, size_t i, const oc_port **port)
{
    if (i >= (size_t)s->n_output)
        return ort_fail(ORT_FAIL, "output %zu: the model has %d", i, s->n_output);
    *port = &s->output[i];
    return NULL;
}

OrtStatus *ort_SessionGetInputCount(const OrtSession *session, size_t *out)
{
    ORT_NEED(session && out);
    *out = (size_t)session->n_required;
    return NULL;
}

OrtStatus *ort_SessionGetOutputCount(const OrtSession *session, size_t *out)
{
    ORT_NEED(session && out);
    *out = (size_t)session->n_output;
    return NULL;
}

OrtStatus *ort_SessionGetOverridableInitializerCount(const OrtSession *session, size_t *out)
{
    ORT_NEED(session && out);
    *out = (size_t)session->n_overridable;
    return NULL;
}

OrtStatus *ort_SessionGetInputName(const OrtSession *session, size_t i, OrtAllocator *allocator,
                                   char **out)
{
    ORT_NEED(session && out);
    const oc_port *port;
    ORT_TRY(required(session, i, &port));
    return ort_allocate_text(allocator, port->name, out);
}

OrtStatus *ort_SessionGetOutputName(const OrtSession *session, size_t i, OrtAllocator *allocator,
                                    char **out)
{
    ORT_NEED(session && out);
    const oc_port *port;
    ORT_TRY(output(session, i, &port));
    return ort_allocate_text(allocator, port->name, out);
}

OrtStatus *ort_SessionGetOverridableInitializerName(const OrtSession *session, size_t i,
                                                    OrtAllocator *allocator, char **out)
{
    ORT_NEED(session);
    const oc_port *port;
    ORT_TRY(overridable(session, i, &port));
    return ort_allocate_text(allocator, port->name, out);
}

OrtStatus *ort_SessionGetInputTypeInfo(const OrtSession *session, size_t i, OrtTypeInfo **out)
{
    ORT_NEED(session && out);
    const oc_port *port;
    ORT_TRY(required(session, i, &port));
    return ort_type_of_port(port, out);
}

OrtStatus *ort_SessionGetOutputTypeInfo(const OrtSession *session, size_t i, OrtTypeInfo **out)
{
    ORT_NEED(session && out);
    const oc_port *declared;
    oc_port told;
    ORT_TRY(output(session, i, &declared));
    ORT_TRY(ort_output_told((OrtSession *)(uintptr_t)session, (int)i, &told));
    return ort_type_of_port(&told, out);
}

OrtStatus *ort_SessionGetOverridableInitializerTypeInfo(const OrtSession *session, size_t i,
                                                        OrtTypeInfo **out)
{
    ORT_NEED(session);
    const oc_port *port;
    ORT_TRY(overridable(session, i, &port));
    return ort_type_of_port(port, out);
}

static OrtStatus *tell_memory(const OrtMemoryInfo **out, size_t n, int have)
{
    ORT_EXPECT(n == (size_t)have, "room for memory of %zu values, there are %d", n, have);
    for (size_t i = 0; i < n; i++)
        out[i] = ort_cpu_memory();
    return NULL;
}

OrtStatus *ort_SessionGetMemoryInfoForInputs(const OrtSession *session, const OrtMemoryInfo **out,
                                             size_t n)
{
    ORT_NEED(session && (out || !n));
    return tell_memory(out, n, session->n_required);
}

OrtStatus *ort_SessionGetMemoryInfoForOutputs(const OrtSession *session, const OrtMemoryInfo **out,
                                              size_t n)
{
    ORT_NEED(session && (out || !n));
    return tell_memory(out, n, session->n_output);
}
