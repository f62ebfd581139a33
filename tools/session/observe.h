/* SPDX-License-Identifier: Apache-2.0
 * observe.h - what happens at each node of a run: a table of times, a folder of values. */
#ifndef TOOLS_SESSION_OBSERVE_H
#define TOOLS_SESSION_OBSERVE_H

#include "common/json.h"
#include "files/tensor_file.h"

typedef struct observe_row {
    char *name, *op, *output;
    char *into; /* the operator in whose time this one's work was done; NULL: its own */
    int64_t count, nanoseconds;
} observe_row;

typedef struct observer {
    bool profile;
    const char *dump; /* folder; NULL: none */
    tensor_options options;
    oc_error error; /* the first that the callback met; it ends the run */
    observe_row *row;
    int n, last;
} observer;

/* Puts the observer's callbacks into options, if it has anything to do; it must outlive the
 * session. */
void observe_attach(observer *o, oc_session_options *options);
/* Sorts the rows, slowest first. */
void observe_sort(observer *o);
void observe_print(const observer *o);
void observe_json(json_writer *j, const observer *o);
void observe_free(observer *o);

#endif
