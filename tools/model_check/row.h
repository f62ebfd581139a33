/* SPDX-License-Identifier: Apache-2.0
 * row.h - what one run of a model's check has found. */
#ifndef TOOLS_MODEL_CHECK_ROW_H
#define TOOLS_MODEL_CHECK_ROW_H

#include "values/trace_compare.h"
#include "model_check/origin.h"

/* One run, compared with the reference run of its axis. */
typedef struct axis_row {
    char name[96];
    int n_nodes;                        /* nodes of the operators the row is about; 0: about none */
    const char *note;                   /* why there was no run; NULL: there was one */
    const value_comparison *comparison; /* up to the run's end, even if the run failed */
    const oc_error *error;              /* the error that ended the run, or OC_OK */
    const char *only;                   /* the one operator whose body ran; NULL: not just one */
    const axis_origin *origin;          /* of the first value that differs; NULL: not looked for */
    const axis_value *output; /* the model's outputs, n_output; NULL: not compared apart */
    int n_output;
    const char *known; /* why a difference is not a disagreement; NULL: it is one */
} axis_row;

#endif
