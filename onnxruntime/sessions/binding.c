/* SPDX-License-Identifier: Apache-2.0
 * binding.c - inputs and outputs that stay bound from run to run. */
#include "common/interface.h"
#include "sessions/session.h"
#include "values/value.h"

/* Names and the values that they have. */
typedef struct bound {
    char **name;
    OrtValue **value; /* the binding holds it; NULL: every run makes a new one */
    bool *fixed;      /* the program's, which runs write to */
    size_t n;
} bound;

struct OrtIoBinding {
    OrtSession *session; /* the program's, which outlives the binding */
    bound input, output;
};

/* ---- lists ---- */

static void clear(bound *b)
{
    for (size_t i = 0; i < b->n; i++) {
        free(b->name[i]);
        ort_ReleaseValue(b->value[i]);
    }
    free(b->name);
    free(b->value);
    free(b->fixed);
    *b = (bound){0};
}

/* Gives a name a value, or none; a name that is not there is added. */
static OrtStatus *bind(bound *b, const char *name, const OrtValue *value)
{
    size_t i = 0;
    while (i < b->n && strcmp(b->name[i], name) != 0)
        i++;
    if (i == b->n) {
        ORT_TRY(ort_grow(&b->name, i, sizeof *b->name));
        ORT_TRY(ort_grow(&b->value, i, sizeof *b->value));
        ORT_TRY(ort_grow(&b->fixed, i, sizeof *b->fixed));
        ORT_TRY(ort_copy_text(name, &b->name[i]));
        b->value[i] = NULL;
        b->n++;
    }
    ort_ReleaseValue(b->value[i]);
    b->value[i] = value ? ort_value_hold(value) : NULL;
    b->fixed[i] = value != NULL;
    return NULL;
}

/* ---- as the interface has them ---- */

OrtStatus *ort_CreateIoBinding(OrtSession *session, OrtIoBinding **out)
{
    ORT_NEED(out);
    ORT_TRY(ort_new(sizeof **out, out));
    (*out)->session = session;
    return NULL;
}

void ort_ReleaseIoBinding(OrtIoBinding *binding)
{
    if (!binding)
        return;
    clear(&binding->input);
    clear(&binding->output);
    free(binding);
}

OrtStatus *ort_BindInput(OrtIoBinding *binding, const char *name, const OrtValue *value)
{
    ORT_NEED(binding);
    ORT_EXPECT(ort_session_input(binding->session, name) >= 0, "the model has no input '%s'",
               name ? name : "NULL");
    ORT_EXPECT(value, "BindInput: input '%s' is NULL, expected a value", name);
    return bind(&binding->input, name, value);
}

/* Whether the model has an output of that name is checked by the run. */
OrtStatus *ort_BindOutput(OrtIoBinding *binding, const char *name, const OrtValue *value)
{
    ORT_NEED(binding);
    ORT_EXPECT(name, "BindOutput: the name is NULL");
    return bind(&binding->output, name, value);
}

OrtStatus *ort_BindOutputToDevice(OrtIoBinding *binding, const char *name,
                                  const OrtMemoryInfo *memory)
{
    ORT_NEED(binding);
    ORT_TRY(ort_expect_cpu(memory));
    return ort_BindOutput(binding, name, NULL);
}

void ort_ClearBoundInputs(OrtIoBinding *binding)
{
    if (binding)
        clear(&binding->input);
}

void ort_ClearBoundOutputs(OrtIoBinding *binding)
{
    if (binding)
        clear(&binding->output);
}

OrtStatus *ort_RunWithBinding(OrtSession *session, const OrtRunOptions *options,
                              const OrtIoBinding *binding)
{
    ORT_NEED(session && binding);
    const bound *in = &binding->input, *out = &binding->output;
    for (size_t i = 0; i < out->n; i++)
        if (!out->fixed[i]) { /* makes a new one: whoever asked for the last one may still hold
                               * it */
            ort_ReleaseValue(out->value[i]);
            out->value[i] = NULL;
        }
    const ort_feed feed = {(const char *const *)in->name,
                           (const OrtValue *const *)in->value,
                           in->n,
                           (const char *const *)out->name,
                           out->value,
                           out->n};
    return ort_run(session, options, &feed);
}

/* *text becomes the names one behind the other, without zeros; *length the length of each. */
OrtStatus *ort_GetBoundOutputNames(const OrtIoBinding *binding, OrtAllocator *allocator,
                                   char **text, size_t **length, size_t *n)
{
    ORT_NEED(binding && text && length && n);
    const bound *b = &binding->output;
    size_t size = 0, at = 0;
    *text = NULL;
    *length = NULL;
    *n = b->n;
    for (size_t i = 0; i < b->n; i++)
        size += strlen(b->name[i]);
    if (!b->n)
        return NULL;
    ORT_TRY(ort_allocate(allocator, size, text));
    OrtStatus *status = ort_allocate(allocator, b->n * sizeof **length, length);
    if (status) {
        ort_free(allocator, *text);
        return status;
    }
    for (size_t i = 0; i < b->n; i++) {
        (*length)[i] = strlen(b->name[i]);
        memcpy(*text + at, b->name[i], (*length)[i]);
        at += (*length)[i];
    }
    return NULL;
}

OrtStatus *ort_GetBoundOutputValues(const OrtIoBinding *binding, OrtAllocator *allocator,
                                    OrtValue ***value, size_t *n)
{
    ORT_NEED(binding && value && n);
    const bound *b = &binding->output;
    *value = NULL;
    *n = b->n;
    if (!b->n)
        return NULL;
    for (size_t i = 0; i < b->n; i++)
        ORT_EXPECT(b->value[i], "output '%s' has no value: nothing was run", b->name[i]);
    ORT_TRY(ort_allocate(allocator, b->n * sizeof **value, value));
    OrtStatus *status = NULL;
    size_t made = 0;
    while (made < b->n && !status) {
        status = ort_value_share(b->value[made], &(*value)[made]);
        made += !status;
    }
    if (!status)
        return NULL;
    while (made > 0)
        ort_ReleaseValue((*value)[--made]);
    ort_free(allocator, *value);
    *value = NULL;
    return status;
}
