/* SPDX-License-Identifier: Apache-2.0
 * timeline.h - writes the nodes of runs as a file of trace events, which Perfetto
 * (ui.perfetto.dev) and chrome://tracing draw.
 *
 * Each node is a complete event ("ph": "X") with its begin and its length in microseconds; nodes of
 * graphs within lie in the time of the node that runs the graph, and all in an event of their run.
 * args tell the operator, the node's name, its step, its depth, the types and shapes of inputs and
 * outputs, its own nanoseconds without what looking at it took, and "fused_into" of a node that
 * another does the work of. Events are written while the run goes on, so a trace takes no memory.
 */
#pragma once

#include "common/json.h"
#include "files/io.h"

/* Starts as all zero. */
typedef struct timeline {
    io_file file;
    json_writer json;
    double origin, run_begin, run_end; /* in seconds */
    int64_t runs;                      /* number of runs that have begun */
    double *begin;                     /* begin of the current node at each depth */
    int depths;                        /* number of entries of begin */
} timeline;

/* Creates the file at path. End with timeline_close, also after an error. */
void timeline_open(timeline *t, const char *path, const char *model, oc_error *e);
/* Writes a node's event; called at its begin and at its end, with its stored values shown. */
void timeline_node(timeline *t, const oc_node_event *event);
/* Completes the file, or removes it if *e holds an error. Does nothing if timeline_open was not
 * called. */
void timeline_close(timeline *t, oc_error *e);
