/* SPDX-License-Identifier: Apache-2.0
 * ports.c - inputs and outputs of a session's model, as the interface tells them. */
#include "common/interface.h"
#include "common/memory.h"
#include "sessions/session.h"
#include "values/types.h"

/* Input i of those that list numbers. */
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

ORT_GETTER(ort_SessionGetInputCount, OrtSession, session, size_t, (size_t)session->n_required)

ORT_GETTER(ort_SessionGetOutputCount, OrtSession, session, size_t, (size_t)session->n_output)

ORT_GETTER(ort_SessionGetOverridableInitializerCount, OrtSession, session, size_t,
           (size_t)session->n_overridable)

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
