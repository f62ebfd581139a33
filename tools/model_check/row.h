/* SPDX-License-Identifier: Apache-2.0
 * row.h - what one run of a model's check has found. */
#pragma once

#include "values/trace_compare.h"
#include "model_check/origin.h"

/* One run, compared with the reference run of its axis. */
typedef struct axis_row {
    char name[96];
    int n_nodes; /* number of nodes of the operators that the row is about; 0: it is about none */
    const char *note; /* why there was no run; NULL: there was one */
    /* covers the values up to the run's end, even if the run failed */
    const value_comparison *comparison;
    const oc_error *error;     /* the error that ended the run, or OC_OK */
    const char *only;          /* the only operator whose body ran; NULL: there was not just one */
    const axis_origin *origin; /* origin of the first value that differs; NULL: not examined */
    const axis_value *output;  /* the model's outputs, n_output; NULL: not compared separately */
    int n_output;
    const char *known; /* why a difference is not a disagreement; NULL: it is one */
} axis_row;
