/* SPDX-License-Identifier: Apache-2.0
 * outcome.h - what a model gives under some options, for properties that compare two such runs. */
#pragma once

#include "tensor/value.h"

#include <string.h>

/* y: the first outputs; they live until outcome_free, and are there where error.code is OC_OK. */
typedef struct outcome {
    oc_error error;
    oc_model *model;
    oc_session *session;
    const oc_value *y[2];
} outcome;

/* Runs the model that text says with its first n_in inputs, and fetches the first n_out outputs. It
 * runs twice: the second run finds what the first one left in memory. */
static inline outcome outcome_of(const char *text, const oc_session_options *options,
                                 const oc_value in[], int n_in, int n_out)
{
    outcome o = {.error = {.code = OC_OK}};
    o.model = oc_model_load_memory(text, strlen(text), NULL, &o.error);
    o.session = oc_session_new(o.model, options, &o.error);
    for (int i = 0; i < n_in; i++)
        oc_bind_value_at(o.session, i, &in[i], &o.error);
    for (int round = 0; round < 2; round++)
        oc_run(o.session, &o.error);
    for (int i = 0; i < n_out; i++)
        o.y[i] = oc_fetch_value_at(o.session, i, &o.error);
    return o;
}

static inline void outcome_free(outcome *o)
{
    oc_session_free(o->session);
    oc_model_free(o->model);
}
