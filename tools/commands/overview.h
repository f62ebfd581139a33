/* SPDX-License-Identifier: Apache-2.0
 * overview.h - shows a model's inputs, outputs, opsets and operators, and what is wrong with it. */
#pragma once

#include "common/json.h"
#include "inspect/weight_list.h"

typedef struct finding {
    oc_status code; /* OC_OK for a remark */
    char *text;
} finding;

/* What oc_model_examine tells; starts as all zero. */
typedef struct findings {
    finding *item;
    int n, n_problems;
} findings;

void findings_of(const oc_model *m, findings *f, oc_error *e);
void findings_free(findings *f);

/* Returns which decoder `ocellus predict` would take for the model, and why; "": its outputs are
 * not those of a network for pictures. Free with free. */
char *overview_decoder(const oc_model *m, const char *path);
void overview_print(const oc_model *m, const char *path, const weight_list *w, const findings *f);
/* Adds what overview_print shows as members of the object that is open in j. */
void overview_json(json_writer *j, const oc_model *m, const char *path, const weight_list *w,
                   const findings *f);
/* Returns the exit code for a model: that of its missing operators, else that of the first
 * problem. Prints how many there are. */
int overview_verdict(const oc_model *m, const char *path, const findings *f);
