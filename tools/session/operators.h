/* SPDX-License-Identifier: Apache-2.0
 * operators.h - the time of a model by operator: all nodes of one operator together. */
#pragma once

#include "session/observe.h"

typedef struct operator_total {
    char *name;    /* "Conv"; "AffineGrid in GridSample" when the time is part of GridSample's */
    int64_t nodes; /* number of nodes of the model that have run */
    int64_t count; /* number of their runs in all runs of the model */
    int64_t nanoseconds; /* time of these runs, without the nodes of graphs within */
} operator_total;

typedef struct operators {
    operator_total *item; /* the slowest first */
    int n;
    int64_t runs, nanoseconds; /* number of runs of the model; time of all nodes in these */
} operators;

/* o has observed `runs` runs of the model, with its profile. Free with operators_free. */
operators operators_new(const observer *o, int64_t runs);
void operators_print(const operators *t);
/* Writes the member "operators" of the object that is open in j. */
void operators_json(json_writer *j, const operators *t);
void operators_free(operators *t);
