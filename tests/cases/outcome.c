/* SPDX-License-Identifier: Apache-2.0
 * outcome.c - what a run of a case gave, as bytes that another run's can be compared with. */
#include "case.h"

#include <stdlib.h>
#include <string.h>

bool case_append(void *ctx, const void *from, size_t size)
{
    case_bytes *b = ctx;
    if (size > b->room - b->size) {
        const size_t room = 2 * (b->size + size);
        char *data = realloc(b->data, room);
        if (!data)
            exit(2);
        b->data = data;
        b->room = room;
    }
    if (size)
        memcpy(b->data + b->size, from, size);
    b->size += size;
    return true;
}

void case_append_outputs(case_bytes *b, const oc_model *m, const oc_session *s,
                         const oc_error *error)
{
    oc_error e = *error;
    for (int i = 0; e.code == OC_OK && i < oc_model_n_outputs(m); i++) {
        const oc_value *v = oc_fetch_value_at(s, i, &e);
        if (v)
            oc_value_write(v, NULL, &(oc_writer){case_append, b}, &e);
    }
    case_append(b, &e.code, sizeof e.code);
    if (e.code != OC_LIMIT) /* whose message counts the memory of threads */
        case_append(b, e.text, strlen(e.text));
}

void case_tell_outputs(test_case *t, const oc_model *m)
{
    for (int i = 0; i < t->n_value; i++) {
        bool input = false;
        for (int k = 0; k < oc_model_n_inputs(m); k++)
            input |= strcmp(oc_model_input(m, k).name, t->value[i].name) == 0;
        for (int k = 0; k < i; k++)
            input &= strcmp(t->value[k].name, t->value[i].name) != 0;
        t->value[i].is_output = !input;
    }
}
