/* SPDX-License-Identifier: Apache-2.0
 * narrow.c - cases whose sizes do not fit where addresses have 32 bits. */
#include "case.h"

#include <string.h>

static void load_and_run(test_case *t, oc_error *e)
{
    oc_model *m = oc_model_load_memory(t->model, t->model_size, NULL, e);
    oc_session *s = oc_session_new(m, &t->options, e);
    if (m)
        case_tell_outputs(t, m);
    for (int i = 0; i < t->n_value && s; i++)
        if (!t->value[i].is_output)
            oc_bind_value(s, t->value[i].name, &t->value[i].value, e);
    if (e->code == OC_OK)
        oc_run(s, e);
    oc_session_free(s);
    oc_model_free(m);
}

bool case_is_too_wide(const char *text, const char *end)
{
    return SIZE_MAX < UINT64_MAX && case_find_mark(text, end, "--- addresses ") < end;
}

bool case_is_refused(test_case *t, const char *text, const char *end)
{
    oc_error e = {OC_OK, ""};
    const char *at = NULL;
    if (case_read_sections(t, text, end, &at, &e) == OC_OK)
        load_and_run(t, &e);
    /* the second is told by what reads a value */
    const bool good = strstr(e.text, "too large") || strstr(e.text, "as many as the shape has");
    return (e.code != OC_OK && good) ||
           case_fail(t, at, "ended with %s \"%s\", expected an error of a size that is too large",
                     oc_status_name(e.code), e.text);
}
