/* SPDX-License-Identifier: Apache-2.0
 * observe.h - hands each node of a run to whoever asks for it: a table of times and work, a folder
 * of values, the search for NaN, a trace. */
#pragma once

#include "common/index.h"
#include "files/tensor_file.h"
#include "session/find_nan.h"
#include "session/timeline.h"
#include "session/work.h"

/* One node, with its first output. */
typedef struct observe_entry {
    char *name, *op, *output;
    char *runs; /* oc_node_event.runs */
    char *into; /* for a node fused away, the operator that did its work; NULL: it ran itself */
    int64_t count, nanoseconds; /* number of its runs, and their time together */
    int64_t least;              /* the least time of a run */
    node_work work; /* of all its runs, and of nodes fused into them; filled with observer.work */
    int64_t own;    /* part of nanoseconds, without nodes in graphs within */
} observe_entry;

/* The caller sets profile, work, dump, options, find and trace; the rest starts as all zero. */
typedef struct observer {
    bool profile;           /* true: fill the table of times */
    bool work;              /* true: also count work; needs profile */
    const char *dump;       /* folder for every node's outputs; NULL: they are not written */
    tensor_options options; /* how outputs are written */
    find_nan *find;  /* looks at each node's values until it has found one; NULL: no search */
    timeline *trace; /* an open trace that gets each node; NULL: there is none */
    oc_error error;  /* the first error of the callback, which cancels the run */
    observe_entry *entry;
    text_index entries; /* maps name, operator and output to indices */
    int n, last;        /* number of entries; the entry of the last event, or -1 */
    text_index groups;  /* maps the first output of a group's last node to an index in fused */
    node_work *fused;   /* work of the nodes of a group before its last one */
    int n_fused;
    /* for each depth, the nanoseconds of nodes since the last node of less depth */
    int64_t *within;
    int depths; /* number of entries of within */
} observer;

/* Sets callbacks in options if there is something to do; *o must outlive the session. */
void observe_attach(observer *o, oc_session_options *options);
/* Sorts the entries, slowest first. */
void observe_sort(observer *o);
/* Print the table of times as text, or as the member "profile" of the object that is open in j. */
void observe_print(const observer *o);
void observe_json(json_writer *j, const observer *o);
void observe_free(observer *o);
