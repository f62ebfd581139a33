/* SPDX-License-Identifier: Apache-2.0
 * observe.h - hands each node of a run to whoever asks for it: a table of times and work, a folder
 * of values, the search for NaN, a trace. */
#ifndef TOOLS_SESSION_OBSERVE_H
#define TOOLS_SESSION_OBSERVE_H

#include "common/index.h"
#include "common/json.h"
#include "files/tensor_file.h"
#include "session/find_nan.h"
#include "session/timeline.h"
#include "session/work.h"

/* One node, with its first output. */
typedef struct observe_entry {
    char *name, *op, *output;
    char *runs; /* oc_node_event.runs */
    char *into; /* of a node fused away: the operator that did its work; NULL: not fused away */
    int64_t count, nanoseconds; /* number of its runs, and their time together */
    int64_t least;              /* the least time of a run */
    node_work work; /* of all its runs, and of nodes fused into them; with observer.work */
    int64_t own;    /* of nanoseconds, without those of nodes in graphs within */
} observe_entry;

/* The caller sets profile, work, dump, options, find and trace; the rest starts as all zero. */
typedef struct observer {
    bool profile;           /* fill the table of times */
    bool work;              /* and of work, with profile */
    const char *dump;       /* folder for every node's outputs; NULL: none are written */
    tensor_options options; /* for writing outputs */
    find_nan *find;         /* looks at each node's values until it has found one; NULL: no */
    timeline *trace;        /* open; gets each node; NULL: none */
    oc_error error;         /* the first error of the callback, which cancels the run */
    observe_entry *entry;
    text_index entries; /* by name, operator and output */
    int n, last;        /* number of entries; the entry of the last event, -1: none */
    text_index groups;  /* numbers in fused, by the first output of a group's last node */
    node_work *fused;   /* of the nodes of a group before its last one */
    int n_fused;
    int64_t *within; /* at each depth, nanoseconds of nodes since the last one of less depth */
    int depths;      /* entries of within */
} observer;

/* Sets callbacks in options if there is something to do; *o must outlive the session. */
void observe_attach(observer *o, oc_session_options *options);
/* Sorts the entries, slowest first. */
void observe_sort(observer *o);
/* Print the table of times as text, or as the member "profile" of the object that is open in j. */
void observe_print(const observer *o);
void observe_json(json_writer *j, const observer *o);
void observe_free(observer *o);

#endif
