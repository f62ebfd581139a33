/* SPDX-License-Identifier: Apache-2.0
 * functions.c - the option --functions: files with functions for a model, and who calls them. */
#include "session/functions.h"

#include <ocellus_model.h>

const char **functions_paths(const args_list *list)
{
    if (list->n == 0)
        return NULL;
    const char **paths = tool_alloc((size_t)list->n + 1, sizeof *paths);
    memcpy(paths, list->item, (size_t)list->n * sizeof *paths);
    return paths;
}

void functions_note(functions_seen *seen, const oc_model *m)
{
    oc_model_function f;
    for (int i = 0; oc_model_function_at(m, i, &f); i++) {
        if (!f.file)
            continue;
        char *label = tool_format("'%s%s%s%s%s' of %s", f.domain, *f.domain ? "::" : "", f.name,
                                  *f.overload ? ":" : "", f.overload, f.file);
        int at = text_index_find(&seen->labels, label);
        if (at < 0) {
            at = seen->n;
            seen->label = tool_push(seen->label, (size_t)at, sizeof *seen->label);
            seen->called = tool_push(seen->called, (size_t)at, sizeof *seen->called);
            seen->label[at] = tool_format("%s", label);
            seen->called[seen->n++] = false;
            text_index_add(&seen->labels, label, at);
        }
        seen->called[at] |= f.n_calls > 0;
        free(label);
    }
}

void functions_print(functions_seen *seen, const char *who)
{
    for (int i = 0; i < seen->n; i++) {
        if (!seen->called[i])
            tool_say("--functions: %s: no node calls %s", who, seen->label[i]);
        free(seen->label[i]);
    }
    free(seen->label);
    free(seen->called);
    text_index_free(&seen->labels);
    *seen = (functions_seen){.n = 0};
}
