/* SPDX-License-Identifier: Apache-2.0
 * ports.c - inputs and outputs of a session's model, as the interface tells them. */
#include "common/functions.h"
#include "common/interface.h"
#include "common/memory.h"
#include "sessions/session.h"
#include "values/types.h"

/* The lists in which programs count ports: inputs that a run must give, inputs that have a default,
 * and outputs. */
typedef enum port_list { REQUIRED, OVERRIDABLE, OUTPUT } port_list;

/* Finds port i of a list. */
static OrtStatus *find(const OrtSession *s, port_list list, size_t i, const oc_port **port)
{
    static const char *const name[] = {"input", "overridable initializer", "output"};
    const int n[] = {s->n_required, s->n_overridable, s->n_output};
    const int *const place[] = {s->required, s->overridable};
    if (i >= (size_t)n[list])
        return ort_fail(ORT_FAIL, "%s %zu: the model has %d", name[list], i, n[list]);
    *port = list == OUTPUT ? &s->output[i] : &s->input[place[list][i]];
    return NULL;
}

static OrtStatus *give_name(const OrtSession *s, port_list list, size_t i, OrtAllocator *allocator,
                            char **out)
{
    const oc_port *port;
    ORT_TRY(find(s, list, i, &port));
    return ort_allocate_text(allocator, port->name, out);
}

static OrtStatus *give_type(const OrtSession *s, port_list list, size_t i, OrtTypeInfo **out)
{
    const oc_port *port;
    oc_port told;
    ORT_TRY(find(s, list, i, &port));
    if (list == OUTPUT)
        ORT_TRY(ort_output_told((OrtSession *)(uintptr_t)s, (int)i, &told));
    return ort_type_of_port(list == OUTPUT ? &told : port, out);
}

ORT_GETTER(ort_SessionGetInputCount, OrtSession, session, size_t, (size_t)session->n_required)
ORT_GETTER(ort_SessionGetOutputCount, OrtSession, session, size_t, (size_t)session->n_output)
ORT_GETTER(ort_SessionGetOverridableInitializerCount, OrtSession, session, size_t,
           (size_t)session->n_overridable)

/* Defines a function that tells the name of a port. */
#define ORT_PORT_NAME(function, list)                                                              \
    OrtStatus *function(const OrtSession *session, size_t i, OrtAllocator *allocator, char **out)  \
    {                                                                                              \
        if (!session || !out)                                                                      \
            return ort_missing(__func__, "session && out");                                        \
        return give_name(session, list, i, allocator, out);                                        \
    }
ORT_PORT_NAME(ort_SessionGetInputName, REQUIRED)
ORT_PORT_NAME(ort_SessionGetOutputName, OUTPUT)
ORT_PORT_NAME(ort_SessionGetOverridableInitializerName, OVERRIDABLE)

/* Defines a function that tells the type of a port. */
#define ORT_PORT_TYPE(function, list)                                                              \
    OrtStatus *function(const OrtSession *session, size_t i, OrtTypeInfo **out)                    \
    {                                                                                              \
        if (!session || !out)                                                                      \
            return ort_missing(__func__, "session && out");                                        \
        return give_type(session, list, i, out);                                                   \
    }
ORT_PORT_TYPE(ort_SessionGetInputTypeInfo, REQUIRED)
ORT_PORT_TYPE(ort_SessionGetOutputTypeInfo, OUTPUT)
ORT_PORT_TYPE(ort_SessionGetOverridableInitializerTypeInfo, OVERRIDABLE)

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
